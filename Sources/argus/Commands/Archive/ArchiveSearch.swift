import ArgusArchive
import CommandLineKit

enum ArchiveSearch: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
        var list = EventsList.Options()
        var archive = ArchiveOptions()
        var order = Order.time
    }

    enum Order: String, Choice, Sendable {
        case time, rank
    }

    static let about = CommandInfo(
        name: "search", summary: "Find archived events by the words of their descriptions",
        effect: .reads,
        description: """
            Finds descriptions with all the words, in any order; case and accents do not matter.
            Use deliver* for the start of a word, and '"white van"' (both quotes) for a phrase.
            """,
        examples: [
            "argus archive search white van --camera Driveway": "Both words, at one camera",
            "argus archive search 'deliver*' --since 1w --json": "Deliveries, for jq",
        ],
        exitStatuses: [0, 1, 2, 3, .damagedArchive, .archiveInUse],
        prints: .lists(ArchiveView.listFields))

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.list.filter)
        + EventsList.limits.map { $0.at(\Options.list) } + [
            .option(
                "sort", value: "KEY", sets: \.order,
                "Newest (time) or best match (rank) first"
            ).byDefault(Options().order.rawValue).once()
        ] + ArchiveOptions.flags(at: \Options.archive)

    static let arguments: [Argument<Options>] = [
        .repeated("WORD", atLeast: 1, appends: \.words, "A word, a phrase or the start of a word")
    ]

    static let tool = VerbTool(
        name: "search_archive",
        summary: "Finds archived events by words of their descriptions.",
        archive: "archive search", results: .list("events"), operand: "words",
        options: EventsList.toolOptions + ["limit"])

    static func validate(_ options: Options) throws(UsageError) {
        try EventsList.validate(options.list)
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        guard let words = ArchiveWords(options.words.joined(separator: " ")) else {
            throw Failure(.usage, "there is no word to search for")
        }
        let (reading, printer) = try ArchiveReading.begin(
            options.archive,
            printing: try ArchiveView.listFields(of: options.list.filter, in: context), .list,
            in: context)
        var query = try await reading.query(options.list.filter, in: context)
        query.words = words
        query.wanted = options.list.wanted
        if options.order == .rank { query.order = .rank }
        let rows = try attempt(try ArchiveRows(query, in: reading.archive))
        while let batch = try rows.nextBatch() { try EventsList.write(batch, with: printer) }
        try printer.finish(
            whenEmpty: "no archived events match",
            counting: options.list.count(of: printer.count, total: nil))
        try rows.expectNoDamage()
    }
}
