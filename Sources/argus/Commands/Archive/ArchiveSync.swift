import ArgusKit
import CommandLineKit

enum ArchiveSync: ArgusCommand {
    struct Options: VerbOptions {
        var archive = ArchiveOptions()
        var isFull = false
        var hasNoPictures = false
    }

    static let about = CommandInfo(
        name: "sync", summary: "Copy a server's new events and their pictures",
        description: """
            A first sync reads everything, the next ones from 2 hours before the last.
            \(flag: "full") compares the whole list, and finds what was stored late, changed or
            deleted: run it once a day. Events that the server no longer has stay in the archive and
            are marked.

            Each page is stored whole or not at all, so that a sync that was killed loses nothing;
            the next one goes on. If the server refuses more requests for now, argus waits and goes
            on. Only one process can change an archive at a time; all can read it
            meanwhile.
            """,
        examples: [
            "argus archive sync": "What is new, from cron or a timer",
            "argus archive sync --full": "Once a day: late, changed and deleted events too",
        ],
        exitStatuses: .requests(3, .lostEvents), prints: .objects(ArchiveView.reportFields))

    static let flags: [Flag<Options>] =
        [
            .toggle("full", sets: \.isFull, "Compare everything"),
            .toggle("no-pictures", sets: \.hasNoPictures, "Leave the pictures to a later sync"),
        ] + ArchiveOptions.flags(at: \Options.archive)

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ArchiveView.reportFields, .operands(1))
        let folder = try options.archive.folder(in: context)
        let archive = try await attempt(awaiting: try await Archive(changing: folder))
        let server = try await context.server()
        let report = try await sync(
            archive, from: server, isFull: options.isFull, withPictures: !options.hasNoPictures,
            in: context)
        try context.report(report, with: printer, ArchiveView.sentence(report))
        try server.expectNoUnreadableRows(report.unreadableRows, of: ("event", "events"))
    }

    /// Copies what is new, or compares everything.
    ///
    /// - Throws: `Failure`; what was stored until then is kept.
    static func sync(
        _ archive: Archive, from server: SignedInServer, isFull: Bool, withPictures: Bool,
        in context: Context
    ) async throws(Failure) -> ArchiveReport {
        let address = server.session.client.address.description
        let known = try attempt(
            try archive.server(
                record: server.record?.id.text ?? address, name: server.name, address: address))
        let progress = context.console.progress("archiving", unit: .items("events"), total: nil)
        defer { progress.finish() }
        let console = context.console
        let archiver = EventArchiver(
            archive, from: server.events, as: known, now: context.now, sleep: context.sleep
        ) { notice in
            switch notice {
            case .events(let count): progress.advance(by: count)
            case .pictures(let count): console.debug("\(count) pictures were asked for")
            case .event(let notice): console.eventNotice(notice)
            case .rateLimited(let wait):
                console.debug(
                    "the server refuses more requests for now; waiting \(DurationText.short(wait))")
            }
        }
        do {
            return try await archiver.run(isFull: isFull, withPictures: withPictures)
        } catch {
            switch error {
            case .archive(let cause): throw Failure(cause)
            case .api(let cause): throw await server.failure(cause, doing: "archive events")
            }
        }
    }
}
