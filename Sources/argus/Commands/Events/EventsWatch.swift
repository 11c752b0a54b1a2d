import ArgusKit
import CommandLineKit

enum EventsWatch: ArgusCommand {
    struct Options: EventVerbOptions {
        var filter = EventFilterOptions()
        var state: StateName?
        var duration: DurationArgument?
        var count: Int?
        var poll: DurationArgument?
    }

    static let about = CommandInfo(
        name: "watch", summary: "Print events as the server stores them",
        description: """
            Prints every event that matches once, also one that the server stores late. Goes on when
            the server restarts, the network changes or the machine wakes up; what could not be read
            without loss is reported as a gap, and the status is then 12.

            Without \(flag: "since") the watch begins now. With \(flag: "state") it goes on where
            the last one with that name ended, also after a crash. Ctrl-C ends it with status 0.
            """,
        examples: [
            "argus events watch": "Everything, until Ctrl-C",
            "argus events watch --type package --format ndjson | while read -r e; do …; done":
                "A program that gets each package",
            "argus events watch --state door --camera 'Front Door' --for 1h":
                "An hour, and later the next one",
        ],
        exitStatuses: .requests(3, 12),
        prints: VerbOutput(
            fields: EventView.fields.infos(),
            formats: [OutputFormat.table, .ndjson, .csv, .tsv].map(\.rawValue)))

    static let flags: [Flag<Options>] =
        EventFilterOptions.ofWatches.map { $0.at(\Options.filter) } + [
            .option("state", sets: \.state, "Remember under NAME what was printed"),
            .option("for", sets: \.duration, "End after DURATION"),
            .option("max", value: "N", sets: \.count, "End after N events").within(1...Int.max),
            .option("poll", sets: \.poll, "Ask the server this often, instead of every 10s"),
        ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let lines = try EventLines(in: context)
        let watch = try await EventWatch(
            options.filter, on: context.server(), stateNamed: options.state?.text,
            poll: options.poll?.duration, isService: true, in: context)
        var left = options.count
        let end = try await watch.run(for: options.duration?.duration) {
            event throws(Failure) in
            try lines.write(event)
            left = left.map { $0 - 1 }
            return left != 0
        }
        try lines.finish()
        try end.expectNoGap()
    }
}

/// The name of a watch's state.
struct StateName: ArgumentValue, Equatable {
    static var placeholder: String { "NAME" }

    var text: String

    init(argument: String) throws(ValueError) {
        let isFit = argument.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 && $0 >= 0x40
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "._-".utf8.contains($0)
        }
        guard isFit, (1...WatchState.longestName).contains(argument.utf8.count),
            ![".", ".."].contains(argument)
        else { throw ValueError("is no name of 1 to 64 letters, digits, '.', '_' and '-'") }
        text = argument
    }
}
