import CommandLineKit

/// The whole tree of commands, in the order of use.
enum Root {
    static var commands: [CommandNode<Invocation>] {
        look.map { $0.inSection("Look") } + signIn.map { $0.inSection("Sign in") }
            + automate.map { $0.inSection("Automate") } + manage.map { $0.inSection("Manage") }
            + [.verb(Generate.self), .verb(Complete.self)]
    }

    private static var look: [CommandNode<Invocation>] {
        [
            .noun(
                "events", "Events that the cameras recorded", runs: "list",
                verbs: [
                    .verb(EventsList.self), .verb(EventsShow.self), .verb(EventsWatch.self),
                    .verb(EventsWait.self), .verb(EventsStats.self), .verb(EventsDigest.self),
                    .verb(EventsThumbnail.self), .verb(EventsFrames.self), .verb(EventsVideo.self),
                    .verb(EventsTimelapse.self), .verb(EventsExport.self),
                    .verb(EventsBundle.self),
                    .verb(EventsFeedback.self), .verb(EventsReanalyze.self),
                    .verb(EventsDelete.self),
                ]),
            .noun(
                "cameras", "The cameras and their pictures", runs: "list",
                verbs: [
                    .verb(CamerasList.self), .verb(CamerasShow.self), .verb(CamerasSnapshot.self),
                    .verb(CamerasWall.self), .verb(CamerasEnable.self),
                    .verb(CamerasDisable.self), .verb(CamerasReconnect.self),
                ]),
            .noun(
                "entities", "People and vehicles that the server recognises", runs: "list",
                verbs: [
                    .verb(EntitiesList.self), .verb(EntitiesShow.self),
                    .verb(EntitiesRename.self), .verb(EntitiesVIP.self),
                    .verb(EntitiesBlock.self), .verb(EntitiesMerge.self),
                    .verb(EntitiesDelete.self), .verb(EntitiesThumbnail.self),
                ]),
            .noun(
                "archive", "Your own copy of events and pictures", runs: "list",
                verbs: [
                    .verb(ArchiveInit.self), .verb(ArchiveSync.self), .verb(ArchiveList.self),
                    .verb(ArchiveShow.self), .verb(ArchiveSearch.self), .verb(ArchiveStats.self),
                    .verb(ArchiveDigest.self), .verb(ArchiveExport.self),
                    .verb(ArchiveBundle.self), .verb(ArchiveVerify.self),
                    .verb(ArchiveForget.self),
                ]),
            .noun(
                "bundle", "Case files for insurers and the police",
                verbs: [.verb(BundleVerify.self)]),
        ]
    }

    private static var signIn: [CommandNode<Invocation>] {
        [
            .verb(Login.self),
            .verb(
                Pair.self, operands: .containing(Pair.marksOfAddresses),
                verbs: [
                    .verb(PairResume.self), .verb(PairPending.self), .verb(PairConfirm.self),
                    .verb(PairReject.self),
                ]),
            .verb(Logout.self),
            .verb(WhoAmI.self),
            .verb(Passwd.self),
            .verb(TokenCommand.self),
            .noun(
                "server", "The servers that argus knows", runs: "list",
                verbs: [
                    .verb(ServerListCommand.self), .verb(ServerShow.self), .verb(ServerUse.self),
                    .verb(ServerRename.self), .verb(ServerSet.self), .verb(ServerTrust.self),
                    .verb(ServerRemove.self),
                ]),
            .verb(Discover.self),
        ]
    }

    private static var automate: [CommandNode<Invocation>] {
        [
            .noun(
                "push", "Notifications that the server pushes",
                verbs: [
                    .verb(PushKey.self), .verb(PushRegister.self), .verb(PushUpdate.self),
                    .verb(PushUnregister.self), .verb(PushSubscriptions.self),
                    .verb(PushSubscribe.self), .verb(PushUnsubscribe.self), .verb(PushTest.self),
                    .verb(PushListen.self),
                    .noun(
                        "prefs", "Which pushes a receiver gets, and when", runs: "show",
                        verbs: [.verb(PushPrefsShow.self), .verb(PushPrefsSet.self)]),
                ]),
            .noun(
                "notify", "Notifications that argus itself delivers",
                verbs: [
                    .noun(
                        "receivers", "The receivers that argus delivers to", runs: "list",
                        verbs: [
                            .verb(NotifyReceiversList.self), .verb(NotifyReceiversAdd.self),
                            .verb(NotifyReceiversImport.self), .verb(NotifyReceiversRemove.self),
                            .verb(NotifyReceiversCleanup.self),
                        ]),
                    .verb(NotifySend.self), .verb(NotifyRun.self), .verb(NotifyWhy.self),
                    .noun(
                        "key", "The key of argus's own Web Push", runs: "show",
                        verbs: [.verb(NotifyKeyShow.self), .verb(NotifyKeyRotate.self)]),
                ]),
            .noun(
                "rules", "Alert rules of the server", runs: "list",
                verbs: [
                    .verb(RulesList.self), .verb(RulesShow.self), .verb(RulesCreate.self),
                    .verb(RulesEdit.self), .verb(RulesEnable.self), .verb(RulesDisable.self),
                    .verb(RulesDelete.self), .verb(RulesTest.self), .verb(RulesRun.self),
                ]),
            .verb(
                MuteCommand.self, operands: .any,
                verbs: [.verb(MuteListCommand.self), .verb(MuteEnd.self)]),
            .noun(
                "queue", "Commands and changes that wait for a retry", runs: "list",
                verbs: [
                    .verb(QueueList.self), .verb(QueueShow.self), .verb(QueueRun.self),
                    .verb(QueueRetry.self), .verb(QueueDrop.self),
                ]),
            .verb(Check.self),
            .verb(DrillCommand.self),
            .verb(APICommand.self),
            .verb(MCPCommand.self),
        ]
    }

    private static var manage: [CommandNode<Invocation>] {
        [
            .noun(
                "devices", "Devices signed in to your account", runs: "list",
                verbs: [
                    .verb(DevicesList.self), .verb(DevicesShow.self), .verb(DevicesRename.self),
                    .verb(DevicesRevoke.self), .verb(DevicesPreferences.self),
                ]),
            .noun(
                "sessions", "Sessions of browsers and programs", runs: "list",
                verbs: [.verb(SessionsList.self), .verb(SessionsRevoke.self)]),
            .noun(
                "keys", "API keys for programs", runs: "list",
                verbs: [.verb(KeysList.self), .verb(KeysCreate.self), .verb(KeysRevoke.self)]),
            .noun(
                "config", "Your settings and aliases", runs: "list",
                verbs: [
                    .verb(ConfigList.self), .verb(ConfigGet.self), .verb(ConfigSet.self),
                    .verb(ConfigUnset.self), .verb(ConfigPath.self), .verb(ConfigEdit.self),
                ]),
            .verb(Doctor.self),
            .verb(CompletionCommand.self),
            .verb(Help.self),
            .verb(VersionCommand.self),
        ]
    }

    /// The names that are accepted besides those of the tree.
    static let aliases: [CommandAlias] = [
        .renamed("push tokens", to: "notify receivers"),
        .renamed("push send", to: "notify send"),
        .renamed("push dispatch", to: "notify run"),
        .renamed("push explain", to: "notify why"),
        .renamed("push vapid", to: "notify key"),
        .renamed(
            "devices preferences", to: "push prefs --device",
            withOptions: "push prefs set --device"),
        .synonym("servers", of: "server"),
        .synonym("event", of: "events"),
        .synonym("camera", of: "cameras"),
        .synonym("device", of: "devices"),
        .synonym("entity", of: "entities"),
        .synonym("rule", of: "rules"),
        .synonym("session", of: "sessions"),
        .synonym("key", of: "keys"),
        .synonym("push subscription", of: "push subscriptions"),
        .synonym("notify receiver", of: "notify receivers"),
        .synonym("events picture", of: "events thumbnail"),
    ]
}
