import ArgusKit
import CommandLineKit

enum ArchiveSearch: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
        var filter = EventFilterOptions()
        var archive = ArchiveOptions()
        var limit: Int?
        var isUnlimited = false
        var order = Order.time
    }

    enum Order: String, Choice, Sendable {
        case time, rank

        static var placeholder: String { "KEY" }
    }

    static let about = CommandInfo(
        name: "search", summary: "Find archived events by the words of their descriptions",
        description: """
            A description must have all the words, in any order; case and accents do not matter.
            \(code: "deliver*") is the beginning of a word, and \(code: "'\"white van\"'") are words
            that follow each other.
            """,
        examples: [
            "argus archive search white van --camera Driveway": "Both words, at one camera",
            "argus archive search 'deliver*' --since 1w --json": "Deliveries, for jq",
        ],
        exitStatuses: [0, 1, 2, 3, .damagedArchive, .archiveInUse],
        prints: .lists(EventView.fields))

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + [
            .count("limit", short: "n", sets: \.limit, "Stop after N events (20)"),
            .toggle("all", sets: \.isUnlimited, "List all events that match"),
            .option(
                "sort", sets: \.order, "Newest first (time) or best match first (rank)"
            ).once(),
        ] + ArchiveOptions.flags(at: \Options.archive)

    static let arguments: [Argument<Options>] = [
        .repeated("WORD", atLeast: 1, appends: \.words, "A word, a phrase or the start of a word")
    ]

    static func validate(_ options: Options) throws(UsageError) {
        try UsageError.rejectBoth("--all", options.isUnlimited, "--limit", options.limit != nil)
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: EventView.fields, .list)
        guard let words = ArchiveWords(options.words.joined(separator: " ")) else {
            throw Failure(.usage, "there is no word to search for")
        }
        let reading = try ArchiveReading(options.archive, in: context)
        var query = try reading.query(options.filter, in: context)
        query.words = words
        query.wanted = options.isUnlimited ? nil : options.limit ?? 20
        if options.order == .rank { query.order = .rank }
        let rows = try attempt(try ArchiveRows(query, in: reading.archive))
        try rows.forEachBatch { batch throws(Failure) in
            try EventsList.write(batch, with: printer)
        }
        let isCut = printer.count == query.wanted
        try printer.finish(
            whenEmpty: "no archived events match",
            counting: ListCount(
                ("event", "events"), hint: isCut ? "--all lists all" : nil))
        try rows.expectNoDamage()
    }
}
