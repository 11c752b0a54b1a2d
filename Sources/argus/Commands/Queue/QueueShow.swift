import ArgusCore
import ArgusKit
import CommandLineKit

enum QueueShow: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
        var queue = QueueOptions()
    }

    static let about = CommandInfo(
        name: "show", summary: "Show what waits, with its event or its values", effect: .reads,
        examples: ["argus queue show 8f85eda1": "By the beginning of its id"],
        exitStatuses: [0, 1, 2, 3, 11], prints: .objects(QueueView.fields()))

    static let flags: [Flag<Options>] = QueueOptions.flags(at: \Options.queue)

    static let arguments: [Argument<Options>] = [.queueItems(\.words)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let fields = try context.queueFields().reading(asColumns: true) {
            (item: QueueItem) in item
        }
        let printer = try context.printer(of: fields, .operands(options.words.count))
        let items = Queue(options.queue, in: context).items()
        try await context.forEach(options.words, with: printer) { word throws(Failure) in
            let item = try items.named(word)
            try printer.write(item)
        }
    }
}
