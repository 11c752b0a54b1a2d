import ArgusKit
import CommandLineKit

/// The command `argus events delete`.
enum EventsDelete: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
        var filter = EventFilterOptions()
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "delete", summary: "Delete events for good",
        description: """
            Events are named one by one, or chosen by conditions. Every condition is checked here as
            well, so that one which the server ignores costs no event. What will go is shown, and
            deleted after a typed yes; \(flag: "yes") leaves the question out.

            An event that is gone already is no failure. When a batch fails, those before it are
            gone: the message says how many, the JSON error names those that are left, and the same
            command goes on with them.
            """,
        examples: [
            "argus events delete latest": "The last event, after a question",
            "argus events delete --camera Garage --until 30d --yes":
                "What the garage saw more than 30 days ago",
        ],
        exitStatuses: .requests(3, 11, ExitStatus(12, "Events changed too fast to be read")),
        prints: .objects(DeletionTally.fields))

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + [
            .toggle("yes", short: "y", sets: \.assumesYes, "Do not ask")
        ]

    static let arguments: [Argument<Options>] = [
        .repeated("EVENT", appends: \.events, "An event's id, the start of one, or latest")
            .completing(.dynamic("events"))
    ]

    static func validate(_ options: Options) throws(UsageError) {
        let hasFilter = options.filter != EventFilterOptions()
        if options.events.isEmpty, !hasFilter {
            throw UsageError("no event was given", hint: "name events, or give conditions")
        }
        if !options.events.isEmpty, hasFilter {
            throw UsageError("give events or conditions, not both")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: DeletionTally.fields, .operands(1))
        if !options.assumesYes {
            try context.expectTerminal(for: question(options), otherwise: "--yes")
        }
        let server = try await context.server()
        let (doomed, gone): (doomed: [Event], gone: [String]) =
            options.events.isEmpty
            ? (doomed: try await matching(options, on: server, in: context), gone: [])
            : try await named(options, on: server, in: context)
        if !doomed.isEmpty, !options.assumesYes { try confirm(doomed, on: server, in: context) }
        var tally = DeletionTally(requested: doomed.count + gone.count)
        tally.counts.alreadyGone = doomed.isEmpty ? 0 : gone.count
        do {
            // Events that are gone are deleted only to learn whether the server deletes at all.
            let ids = doomed.isEmpty ? gone : doomed.map(\.id)
            try await delete(ids, &tally, on: server, in: context)
        } catch {
            // A reader that has gone hides no failure.
            if error.kind == .partial, try context.isForMachines() {
                try? context.report(tally, with: printer, tally.sentence)
            }
            throw error
        }
        try context.report(tally, with: printer, tally.sentence)
    }

    /// Deletes batch after batch.
    ///
    /// - Throws: `Failure` 11 with what is left, where a batch fails after another was deleted.
    private static func delete(
        _ ids: [String], _ tally: inout DeletionTally, on server: SignedInServer,
        in context: Context
    ) async throws(Failure) {
        let progress = context.progress("deleting", unit: .items("events"), total: ids.count)
        defer { progress.finish() }
        var left = ids[...]
        do {
            try await EventService(session: server.session).delete(ids, tally: &tally.counts) {
                left = left.dropFirst($0)
                progress.advance(by: $0)
            }
        } catch {
            let failure = await server.failure(error, doing: "delete events")
            throw left.count < ids.count ? partial(failure, tally, left) : failure
        }
    }

    /// The failure of a batch when those before it are gone.
    private static func partial(
        _ failure: Failure, _ tally: DeletionTally, _ left: ArraySlice<String>
    ) -> Failure {
        var partial = failure
        partial.kind = .partial
        partial.message = "\(tally.sentence), then: \(failure.message)"
        let remedy = "the same command goes on with those that are left"
        partial.hint = failure.hint.map { "\($0); \(remedy)" } ?? remedy
        partial.items = left.enumerated().map { index, id in
            let wasTried = index < EventChangeRoutes.batchSize
            return Failure.Item(
                id: id, kind: failure.kind, message: wasTried ? failure.message : "not tried")
        }
        return partial
    }

    private static func question(_ options: Options) -> String {
        switch options.events.count {
        case 0: "Delete the events that match for good?"
        case 1: "Delete event \(options.events[0].inQuotes) for good?"
        case let count: "Delete \(count) events for good?"
        }
    }

    /// The events that were named, and the whole ids of those that are gone.
    ///
    /// - Throws: `Failure` for a name that means nothing: it may be a slip, so that nothing goes.
    private static func named(
        _ options: Options, on server: SignedInServer, in context: Context
    ) async throws(Failure) -> (doomed: [Event], gone: [String]) {
        let service = EventService(session: server.session)
        var found: [Event] = []
        var gone: [String] = []
        for name in options.events {
            do {
                let event = try await service.named(name, to: "delete", on: server, in: context)
                    .detail.event
                if !found.contains(where: { $0.id == event.id }) { found.append(event) }
            } catch  where error.kind == .notFound && name.isUUID {
                let id = name.lowercased()
                if !gone.contains(id) { gone.append(id) }
            }
        }
        return (found, gone)
    }

    private static func matching(
        _ options: Options, on server: SignedInServer, in context: Context
    ) async throws(Failure) -> [Event] {
        let filter = try await options.filter.resolve(with: server, in: context)
        let (debug, notify) = (context.debug, context.eventNotice)
        let cursor = EventService(session: server.session).list(
            filter, wanted: nil, trustsSearch: false,
            // Here it is argus that does not want the server to search.
            notify: { $0 == .matchesHere ? debug("\($0)") : notify($0) })
        var found: [Event] = []
        while let rows = try await server.attempt(
            "list events", await cursor.next())
        {
            for row in rows {
                let event = try row.readEvent()
                if filter.matches(event) { found.append(event) }
            }
        }
        return found
    }

    private static func confirm(
        _ doomed: [Event], on server: SignedInServer, in context: Context
    ) throws(Failure) {
        let zone = try context.displayZone()
        let shown = 10
        var lines = doomed.prefix(shown).map { event in
            let time = event.timestamp?.displayText(in: zone) ?? "unknown time"
            return "  \(event.id)  \(time)  \(event.cameraName ?? "unknown camera")  \(event.type)"
        }
        if doomed.count > shown { lines.append("  and \(doomed.count - shown) more") }
        let what = doomed.count == 1 ? "this event" : "these \(doomed.count) events"
        try context.confirm(
            "Delete \(what) from '\(server.name)' for good?", below: lines,
            otherwise: "nothing was deleted")
    }
}

/// What became of events that were to be deleted.
struct DeletionTally: Sendable {
    var requested = 0
    var counts = EventChangeRoutes.Deleted(deleted: 0, alreadyGone: 0)

    static let fields: [Field<DeletionTally>] = [
        Field("requested", "how many events were chosen") { .integer(Int64($0.requested)) },
        Field("deleted", "how many were deleted now") { .integer(Int64($0.counts.deleted)) },
        Field("already_gone", "how many were gone before") {
            .integer(Int64($0.counts.alreadyGone))
        },
    ]

    var sentence: String {
        let verb = counts.alreadyGone == 1 ? "was" : "were"
        let gone =
            counts.alreadyGone > 0 ? ", \(counts.alreadyGone) \(verb) gone already" : ""
        return "deleted \(counts.deleted) of \(requested) events\(gone)"
    }
}
