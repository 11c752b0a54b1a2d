import CommandLineKit

/// The whole tree of commands.
enum Root {
    static var commands: [CommandNode<Invocation>] {
        [
            .verb(Login.self),
            .verb(Logout.self),
            .verb(WhoAmI.self),
            .verb(TokenCommand.self),
            .verb(
                Pair.self, operands: .containing("://"),
                verbs: [
                    .verb(PairResume.self), .verb(PairPending.self), .verb(PairConfirm.self),
                    .verb(PairReject.self),
                ]),
            .noun(
                CommandInfo(name: "server", summary: "The servers that you know"), runs: "list",
                verbs: [
                    .verb(ServerListCommand.self), .verb(ServerShow.self), .verb(ServerUse.self),
                    .verb(ServerRename.self), .verb(ServerSet.self), .verb(ServerTrust.self),
                    .verb(ServerRemove.self),
                ]),
            .noun(
                CommandInfo(name: "events", summary: "What the cameras saw"), runs: "list",
                verbs: [
                    .verb(EventsList.self), .verb(EventsShow.self), .verb(EventsThumbnail.self),
                    .verb(EventsFrames.self), .verb(EventsVideo.self), .verb(EventsExport.self),
                    .verb(EventsStats.self), .verb(EventsDelete.self),
                    .verb(EventsFeedback.self), .verb(EventsReanalyze.self),
                ]),
            .noun(
                CommandInfo(name: "cameras", summary: "The cameras and their pictures"),
                runs: "list",
                verbs: [
                    .verb(CamerasList.self), .verb(CamerasShow.self), .verb(CamerasSnapshot.self),
                    .verb(CamerasEnable.self), .verb(CamerasDisable.self),
                    .verb(CamerasReconnect.self),
                ]),
            .verb(CompletionCommand.self),
            .verb(Help.self),
            .verb(VersionCommand.self),
            .verb(Generate.self),
            .verb(Complete.self),
        ]
    }
}
