import ArgusAccount
import ArgusEvents
import CommandLineKit

enum EventsWait: ArgusCommand {
    struct Options: VerbOptions {
        var filter = EventFilterOptions()
        var duration: Duration?
        var limit: Int?
    }

    static let about = CommandInfo(
        name: "wait", summary: "Wait for an event, and print it", effect: .waits,
        description: """
            Prints the first matching event from now on, or from \(flag: "since") on, and ends.
            After \(flag: "for") it gives up with status 13, or 6 if the server is unreachable
            then.
            """,
        examples: [
            "argus events wait --type ring --for 10m": "Wait up to ten minutes for the doorbell",
            "argus events wait --camera Driveway --type vehicle && echo home":
                "A step of a script",
        ],
        exitStatuses: .requests(3, 12, ExitStatus(13, "No event came in time")),
        prints: .lists(EventView.fields))

    static let flags: [Flag<Options>] =
        EventFilterOptions.ofWatches.map { $0.at(\Options.filter) } + [
            .limit(\.limit, "Wait for N events").byDefault("1"),
            .option("for", sets: \.duration, "Give up after DURATION").guessed(
                Guess("until", as: "DURATION"), Guess("during", as: "DURATION")),
        ]

    /// The time that the server gets for its first answer, however little was asked for.
    private static let leastTime = Duration.seconds(1)

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let wanted = options.limit ?? 1
        let lines = try EventLines(wanted, ofTypes: options.filter.typeNames, in: context)
        let server = try await context.server()
        try lines.remember([server])
        let watch = try await EventWatch(options.filter, on: server, max: wanted, in: context)
        let end = try await watch.run(
            for: options.duration.map { max($0, leastTime) }, signals: .kills, flush: lines.flush
        ) { event, _ throws(Failure) in
            try lines.write(event, of: server.name)
            return true
        }
        try lines.finish()
        if end.count == wanted { return try end.expectComplete() }
        guard end.isCurrent else {
            throw Failure(.unreachable, "'\(server.name)' did not answer in the end")
        }
        throw Failure(
            .timeout,
            end.count == 0
                ? "no event that matches came in time"
                : "only \(end.count) of \(wanted) events that match came in time")
    }
}
