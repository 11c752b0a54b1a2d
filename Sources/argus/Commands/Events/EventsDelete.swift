import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

enum EventsDelete: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
        var filter = EventFilterOptions()
        var clock = ClockOptions()
        var assumesYes = false
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "delete", summary: "Delete events for good", effect: .deletes,
        description: """
            Deletes the events that you name, or all that match the filters. Lists them first and
            waits for a typed \(code: "yes"); \(flag: "yes") skips the question. argus checks
            every filter itself, so a server that ignores one deletes nothing else. An event that
            is already gone is no error.

            Deletes in batches. If one fails, the earlier ones are gone; the message says how
            many, the JSON error lists the rest, and the same command continues.

            Times such as 90d count from this machine's clock. If it differs from the server's by
            more than an hour, argus deletes nothing and ends with status 1;
            \(flag: "trust-clock") overrides that.
            """,
        examples: [
            "argus events delete latest": "The last event, after a question",
            "argus events delete --until 90d --dry-run": "List what is older than 90 days",
            "argus events delete --camera Garage --until 30d --yes":
                "What the garage saw more than 30 days ago",
        ],
        exitStatuses: .requests(3, 11, .lostEvents),
        prints: .objects(DeletionTally.fields))

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + [.yes(\.assumesYes)]
        + ClockOptions.flags(at: \Options.clock) + [.dryRun(\.isDryRun)]

    static let arguments: [Argument<Options>] = [.events(\.events, atLeast: 0)]

    static func validate(_ options: Options) throws(UsageError) {
        let hasFilter = options.filter != EventFilterOptions()
        if options.events.isEmpty, !hasFilter {
            throw UsageError("no event given", hint: "name events or give conditions")
        }
        try UsageError.rejectBoth("events", !options.events.isEmpty, "conditions", hasFilter)
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        guard !options.isDryRun else { return try await preview(options, in: context) }
        let printer = try context.printer(of: DeletionTally.fields, .operands(1))
        if !options.assumesYes {
            try context.console.expectTerminal(toConfirmOr: Console.yesOrDryRun)
        }
        let server = try await context.server()
        let (doomed, gone, gap) = try await chosen(options, on: server, in: context)
        if !doomed.isEmpty, !options.assumesYes { try confirm(doomed, on: server, in: context) }
        var tally = DeletionTally(requested: doomed.count + gone.count)
        tally.counts.alreadyGone = doomed.isEmpty ? 0 : gone.count
        do {
            // Absent events are deleted only to find out if the server can delete.
            let ids = doomed.isEmpty ? gone : doomed.map(\.id)
            try await delete(ids, &tally, on: server, in: context)
        } catch {
            // A closed pipe must not hide a failure.
            if error.kind == .partial, try context.isForMachines() {
                try? context.report(tally, with: printer, tally.sentence)
            }
            throw error
        }
        try context.report(tally, with: printer, tally.sentence)
        if let gap { throw gap }
    }

    private static func preview(_ options: Options, in context: Context) async throws(Failure) {
        let fields = try EventView.fields(of: options.filter, in: context)
        let (server, printer) = try await context.server(printing: fields, .list)
        let (doomed, _, gap) = try await chosen(options, on: server, in: context)
        try context.preview(doomed, with: printer)
        if let gap { throw gap }
    }

    /// The existing events, the full ids of named ones that are absent, and the failure of a list that
    /// lacks some.
    private static func chosen(
        _ options: Options, on server: SignedInServer, in context: Context
    ) async throws(Failure) -> ([Event], gone: [String], gap: Failure?) {
        guard options.events.isEmpty else {
            let (found, gone) = try await named(options.events, on: server, in: context)
            return (found, gone, nil)
        }
        let (found, gap) = try await matching(options, on: server, in: context)
        return (found, [], gap)
    }

    /// - Throws: `Failure` 11 with the remaining ids if a batch fails after another was deleted.
    private static func delete(
        _ ids: [String], _ tally: inout DeletionTally, on server: SignedInServer,
        in context: Context
    ) async throws(Failure) {
        let progress = context.console.progress(
            "deleting", unit: .items("event", "events"), total: ids.count)
        defer { progress.finish() }
        var left = ids[...]
        do {
            try await server.events.delete(ids, tally: &tally.counts) {
                left = left.dropFirst($0)
                progress.advance(by: $0)
            }
        } catch {
            let failure = await server.failure(error, doing: "delete events")
            guard left.count < ids.count else { throw failure }
            var partial = failure
            partial.kind = .partial
            partial.message = "\(tally.sentence), then: \(failure.message)"
            let remedy = "the same command deletes the rest"
            partial.hint = failure.hint.map { "\($0); \(remedy)" } ?? remedy
            partial.items = left.enumerated().map { index, id in
                let wasTried = index < EventChangeRoutes.batchSize
                return Failure.Item(
                    id: id, kind: failure.kind, message: wasTried ? failure.message : "not tried")
            }
            throw partial
        }
    }

    /// The named events, and the full ids of those that are absent.
    ///
    /// - Throws: `Failure` for an unknown name: it may be a typing error, so nothing is deleted.
    private static func named(
        _ names: [String], on server: SignedInServer, in context: Context
    ) async throws(Failure) -> ([Event], [String]) {
        var found: [Event] = []
        var gone: [String] = []
        for name in names {
            do {
                let event = try await server.event(named: name, to: "delete", in: context)
                    .detail.event
                if !found.contains(where: { $0.id == event.id }) { found.append(event) }
            } catch  where error.kind == .notFound && name.isUUID {
                gone.append(name.lowercased())
            }
        }
        return (found, gone.distinct)
    }

    private static func matching(
        _ options: Options, on server: SignedInServer, in context: Context
    ) async throws(Failure) -> ([Event], gap: Failure?) {
        let filter = try await options.filter.resolve(with: server, in: context)
        let (debug, notify) = (context.console.debug, context.console.eventNotice)
        let cursor = server.events.list(
            filter, wanted: nil, trustsSearch: false,
            // Here argus itself does not let the server search.
            notify: { $0 == .matchesHere ? debug("\($0)") : notify($0) })
        var found: [Event] = []
        while let rows = try await server.attempt("list events", await cursor.next()) {
            found += rows.map(\.event)
                .filter(filter.matches)
        }
        if options.filter.time.dependsOnClock {
            try options.clock.compare(with: server, isDryRun: options.isDryRun, in: context)
        }
        do { try cursor.expectComplete(on: server) } catch { return (found, error) }
        return (found, nil)
    }

    private static func confirm(
        _ doomed: [Event], on server: SignedInServer, in context: Context
    ) throws(Failure) {
        let zone = try context.displayZone()
        let what = doomed.count == 1 ? "this event" : "these \(doomed.count) events"
        try context.console.confirm(
            "Delete \(what) from '\(server.name)' for good?", listing: doomed,
            otherwise: "nothing was deleted"
        ) { event in
            let time = event.timestamp?.displayText(in: zone) ?? "unknown time"
            return "\(event.id)  \(time)  \(event.cameraName ?? "unknown camera")  \(event.type)"
        }
    }
}

struct DeletionTally: Sendable {
    var requested = 0
    var counts = EventChangeRoutes.Deleted(deleted: 0, alreadyGone: 0)

    static let fields: [Field<DeletionTally>] = [
        .column("requested", "how many events were chosen") { $0.requested },
        .column("deleted", "how many were deleted now") { $0.counts.deleted },
        .column("already_gone", "how many were already absent") { $0.counts.alreadyGone },
    ]

    var sentence: String {
        let events = ListCount(("event", "events"), of: requested).sentence(for: counts.deleted)
        let verb = counts.alreadyGone == 1 ? "was" : "were"
        let gone = counts.alreadyGone > 0 ? ", \(counts.alreadyGone) \(verb) already gone" : ""
        return "deleted \(events)\(gone)"
    }
}
