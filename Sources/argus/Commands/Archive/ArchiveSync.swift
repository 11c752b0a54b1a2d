import ArgusAccount
import ArgusArchive
import ArgusCore
import ArgusTransport
import CommandLineKit

enum ArchiveSync: ArgusCommand {
    struct Options: VerbOptions {
        var archive = ArchiveOptions()
        var scope = EventArchiver.Scope()
        var isWatch = false
    }

    static let about = CommandInfo(
        name: "sync", summary: "Copy a server's new events and their pictures", effect: .changes,
        description: """
            The first sync reads everything; later ones start 2 hours before the last one.
            \(flag: "full") compares the whole list and finds events that were stored late,
            changed or deleted: run it once a day. Events that the server has deleted stay in the
            archive, with a mark. Events that it has changed are kept as they were, too.

            Copies thumbnails; with \(flag: "frames") and \(flag: "video") also the frames and
            videos that the server still has. \(flag: "no-pictures") leaves all files to a later
            sync.

            \(flag: "watch") keeps running: it syncs when the server announces events, at least
            every 10 minutes, and compares everything once a day. While the server cannot announce
            events, it syncs every minute.

            Nothing is lost if a sync is killed; the next one goes on. If the server limits
            requests, argus waits up to 15 minutes, or as long as \(flag: "wait-rate-limit") says.

            One sync at a time: a second one waits up to a minute. Reading is always possible,
            except for short waits during the first sync.
            """,
        examples: [
            "argus archive sync": "Copy new events, from cron or a timer",
            "argus archive sync --full": "Once a day: late, changed and deleted events too",
            "argus archive sync --watch": "Run as a service",
            "argus archive sync --frames --video": "Copy frames and videos too",
        ],
        exitStatuses: .requests(3, .lostEvents, .archiveInUse),
        prints: .objects(ArchiveView.reportFields))

    static let flags: [Flag<Options>] =
        [
            .toggle("watch", sets: \.isWatch, "Keep syncing as the server announces events"),
            .toggle("full", sets: \.scope.isFull, "Compare everything"),
            .toggle("frames", sets: \.scope.hasFrames, "Copy the frames of all events too"),
            .toggle("video", sets: \.scope.hasVideos, "Copy the videos of all events too"),
            .shorthand(
                "no-pictures", sets: \.scope.hasFiles, to: false, "Leave all files to a later sync"),
        ] + ArchiveOptions.flags(at: \Options.archive)

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let shape: Printer<ArchiveReport>.Shape = options.isWatch ? .list : .operands(1)
        let printer = try context.printer(of: ArchiveView.reportFields, shape)
        if options.isWatch {
            return try await watch(options, with: printer, in: context)
        }
        nonisolated(unsafe) let archive = try await options.archive.changing(in: context)
        let server = try await server(in: context)
        let interruption = SyncInterruption()
        let report: ArchiveReport
        do throws(ArchiveError) {
            report = try await interruption.run { () async throws(ArchiveError) in
                try await sync(
                    archive, from: server, options.scope, endedBy: interruption.cancellation,
                    in: context)
            }
        } catch {
            throw await failure(error, of: server)
        }
        try context.report(report, with: printer, ArchiveView.sentence(report))
        try server.expectComplete(
            report.unreadableRows, report.gaps,
            hint: "'argus archive sync --full' reads them once the server is mended")
    }

    /// The server of this run, whose rate limit a sync waits out once for all of its requests.
    static func server(in context: Context) async throws(Failure) -> SignedInServer {
        var context = context
        context.globals.rateLimitWait = nil
        return try await context.server()
    }

    /// The failure of a sync.
    static func failure(_ error: ArchiveError, of server: SignedInServer) async -> Failure {
        guard case .api(let cause) = error else { return Failure(error) }
        return await server.failure(cause, doing: "archive events")
    }

    /// Copies what is new, or compares everything; a failure keeps what was stored until then.
    /// - Throws: `ArchiveError`.
    static func sync(
        _ archive: Archive, from server: SignedInServer, _ scope: EventArchiver.Scope,
        endedBy cancellation: RequestCancellation = RequestCancellation(), in context: Context
    ) async throws(ArchiveError) -> ArchiveReport {
        let console = context.console
        var scope = scope
        if let limit = context.globals.rateLimitWait { scope.longestRateLimitWait = limit }
        let events = console.progress("archiving", unit: .items("event", "events"), total: nil)
        let files = console.progress("fetching", unit: .items("file", "files"), total: nil)
        defer {
            events.finish()
            files.finish()
        }
        let isFirstWait = SeenSet<Bool>()
        @Sendable func counted(_ count: Int) -> String {
            ListCount(("event", "events")).sentence(for: count)
        }
        @Sendable func show(_ notice: EventArchiver.Notice) {
            switch notice {
            case .expectedEvents(let count): events.expect(count)
            case .events(let count): events.advance(by: count)
            case .expectedFiles(let count): files.expect(count)
            case .files(let count):
                events.finish()
                files.advance(by: count)
            case .event(let notice): console.eventNotice(notice)
            case .replaced(let count):
                console.warn(
                    "'\(server.name)' has none of the \(counted(count)) that the archive had of it; "
                        + "if another server answers there now, give it an archive of its own")
            case .rewritten(let count):
                console.warn(
                    "'\(server.name)' has changed \(counted(count)) that "
                        + "the archive had for a week; it keeps what they were")
            case .rateLimited(let time):
                let report = isFirstWait.insert(true) ? console.notice : console.debug
                report(
                    "the server limits requests; waiting until "
                        + time.displayText(in: context.timeZone))
            }
        }
        let address = server.session.client.address.description
        let known = try await archive.server(
            record: server.record?.id.text ?? address, name: server.name, address: address,
            from: server.events, mayAdd: !scope.isRepair)
        if known.name != server.name {
            console.debug("the archive knows '\(server.name)' as '\(known.name)'")
        }
        let archiver = EventArchiver(
            archive, from: server.events, as: known, endedBy: cancellation, now: context.now,
            sleep: context.sleep, notify: show)
        return try await archiver.run(scope)
    }
}
