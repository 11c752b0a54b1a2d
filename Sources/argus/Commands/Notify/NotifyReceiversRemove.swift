import ArgusPush
import CommandLineKit

enum NotifyReceiversRemove: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
        var assumesYes = false
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "remove", summary: "Remove receivers that argus delivers to", effect: .deletes,
        description: """
            Removes receivers with their preferences from this machine. The app or the browser
            keeps what it has. argus waits for a typed \(code: "yes"); \(flag: "yes") skips the
            question.
            """,
        examples: [
            "argus notify receivers remove 8f85eda1": "By the start of its id",
            "argus notify receivers remove \"Ann's phone\" --yes": "By its device's name",
        ],
        exitStatuses: [0, 1, 2, 3, 11], prints: .lists(DeliveryTokenView.fields))

    static let flags: [Flag<Options>] = [.yes(\.assumesYes), .dryRun(\.isDryRun, "removed")]

    static let arguments: [Argument<Options>] = [
        .repeated(
            "ID", atLeast: 1, appends: \.words,
            "A receiver's id, the start of one, or its device's name")
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: DeliveryTokenView.fields, .rows(options.words.count))
        let store = try context.receivers()
        let known = try await attempt(awaiting: await store.load())
        var outcome = BatchResult()
        let found = try await outcome.resolve(options.words, id: \.id) { word throws(Failure) in
            try known.named(word)
        }.map(\.thing)
        if !found.isEmpty, !options.assumesYes, !options.isDryRun {
            try context.console.confirm(
                found.count == 1 ? "Remove it?" : "Remove these \(found.count)?",
                listing: found, otherwise: "nothing was removed"
            ) { "\($0.id)  \($0.service.name)  \($0.device.name ?? "")" }
        }
        if !options.isDryRun {
            try await attempt(
                awaiting: await store.change { all in for token in found { all.remove(token.id) } })
        }
        try await context.reportEach(
            found, id: \.id, isDryRun: options.isDryRun, with: printer, after: outcome
        ) { ($0, nil, "\($0.device.name ?? String($0.id.prefix(8))) is removed") }
    }
}
