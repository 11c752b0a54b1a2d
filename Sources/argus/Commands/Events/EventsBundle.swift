import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusTransport
import CommandLineKit

enum EventsBundle: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
        var filter = EventFilterOptions()
        var output = CaseOptions()
    }

    static let about = CommandInfo(
        name: "bundle", summary: "Save events with their pictures as a case file for others",
        effect: .reads,
        description: """
            Makes one ZIP file for an insurer or the police: a page to read in any browser, without
            a network; the server's own objects, byte for byte; the pictures; and the checksums of
            all of it. \(command: "bundle verify") checks it. Choose the events by name, or by
            conditions.

            What the server has of an event and does not give is named in the page, and is status
            11; the file is written none the less. Use \(command: "archive bundle") for events that
            the server has deleted, and as soon as you have an archive: it collected at the time.
            """,
        examples: [
            "argus events bundle --camera 'Front Door' --during last-night -o case.zip":
                "What the door saw last night",
            "argus events bundle 8f85eda1 --frames --video --sign ~/.ssh/id_ed25519 -o case.zip":
                "One event with all that there is, signed",
        ],
        exitStatuses: .requests(
            3, ExitStatus(11, "A picture or video could not be fetched"), .lostEvents),
        prints: .objects(CaseOptions.fields))

    static let flags: [Flag<Options>] =
        CaseOptions.flags(at: \Options.output) + EventFilterOptions.flags(at: \Options.filter)

    static let arguments: [Argument<Options>] = [.events(\.events, atLeast: 0)]

    static func check(_ options: Options, in context: Context) throws(Failure) {
        try options.filter.expectChoice(options.events)
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let export = try CaseExport(options.output, in: context)
        let server = try await context.server()
        let filter = try await options.filter.resolve(with: server, in: context)
        let collector = ServerCase(
            server.events, options.output.scope, into: export.spool,
            retries: try context.settings.retries(), now: context.now)
        let progress = context.console.progress(
            "collecting", unit: .items("event", "events"), total: nil)
        defer { progress.finish() }
        func collect(_ rows: [EventRow]) async throws(Failure) -> [CaseEvent] {
            do throws(CaseFileError) {
                return try await collector.collect(rows) { progress.advance(by: 1) }
            } catch {
                guard case .api(let cause) = error else { throw Failure(error) }
                throw await server.failure(cause, doing: "fetch the files of events")
            }
        }
        var events: [CaseEvent] = []
        var gap: Failure?
        if options.events.isEmpty {
            let cursor = server.events.listOldestFirst(
                filter, notify: context.console.eventNotice)
            while let rows = try await server.attempt("list events", await cursor.next()) {
                progress.setTotal(cursor.total)
                events += try await collect(rows)
            }
            do { try cursor.expectComplete(on: server) } catch { gap = error }
        } else {
            progress.setTotal(options.events.count)
            events = try await collect(
                try await rows(options.events, filter, collector, of: server, in: context))
        }
        progress.finish()
        let client = server.session.client
        var origin = CaseFile.Server(name: server.name, address: server.address.description)
        if server.address.origin.scheme == .https {
            origin.fingerprint = try? await client.certificate(holding: client.proof).fingerprint
                .hex
        }
        origin.clockOffset = client.clock.now.map {
            ClockOffset.measured(serverTime: $0, now: context.now())
        }
        try export.write(
            events, of: origin, account: server.record?.account?.username, origin: .server,
            at: context.now(),
            selection: options.filter.words(
                options.events, since: filter.since, until: filter.until))
        if let gap { throw gap }
    }

    /// The rows of the server's list for named events, each once.
    private static func rows(
        _ names: [String], _ filter: EventFilter, _ collector: ServerCase,
        of server: SignedInServer, in context: Context
    ) async throws(Failure) -> [EventRow] {
        var rows: [EventRow] = []
        for name in names {
            let found = try await server.event(
                named: name, to: "export", latestOf: filter, in: context)
            let event = found.detail.event
            guard !rows.contains(where: { $0.id == event.id }) else { continue }
            do {
                rows.append(try await collector.row(of: event))
            } catch  where error.kind == .notFound {
                // Its own route has it, which is better than nothing.
                if let row = EventRow(found.view) { rows.append(row) }
            } catch {
                throw await server.failure(error, doing: "list event '\(event.id)'")
            }
        }
        return rows
    }
}
