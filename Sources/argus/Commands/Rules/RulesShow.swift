import ArgusAccount
import ArgusCore
import ArgusTransport
import ArgusEvents
import CommandLineKit

enum RulesShow: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "show", summary: "Show alert rules in detail", effect: .reads,
        examples: [
            "argus rules show 'Night people'": "One rule with all its fields",
            "argus rules show 'Night people' --json | jq .problems": "What argus cannot do with it",
        ],
        exitStatuses: .requests(3, 11), prints: .objects(RuleView.detailFields))

    static let flags: [Flag<Options>] = [.yes(\.assumesYes, "Print secrets without a question")]
    static let arguments: [Argument<Options>] = [.rules(\.words)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(
            of: RuleView.detailFields, .operands(options.words.count))
        let server = try await context.server()
        let list = try await RuleList(server, in: context)
        var outcome = BatchResult()
        let found = try await outcome.resolve(options.words, id: \.value.id) {
            word throws(Failure) in try list.named(word)
        }.map(\.thing)
        try RuleList.confirmRaw(found.map(\.value), options.assumesYes, in: context)
        let names = try await RuleNames(found.map(\.value), on: server, in: context)
        for (rule, view) in found {
            try await outcome.collect(rule.id) { () async throws(Failure) in
                try printer.write(names.row(rule), raw: view)
            }
        }
        try printer.finish()
        try outcome.finish()
    }
}
