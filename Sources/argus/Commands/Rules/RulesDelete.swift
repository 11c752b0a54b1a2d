import ArgusAccount
import ArgusCore
import ArgusTransport
import ArgusEvents
import CommandLineKit

enum RulesDelete: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
        var assumesYes = false
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "delete", summary: "Delete alert rules for good", effect: .deletes,
        description: """
            Waits for a typed \(code: "yes"); \(flag: "yes") skips the question.
            \(command: "rules disable") only ends its use.
            """,
        examples: ["argus rules delete 'Night people'": "After a question"],
        exitStatuses: .requests(3, 11), prints: .objects(RuleView.detailFields))

    static let flags: [Flag<Options>] = [.yes(\.assumesYes), .dryRun(\.isDryRun)]
    static let arguments: [Argument<Options>] = [.rules(\.words)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(
            of: RuleView.detailFields, .operands(options.words.count))
        if !options.assumesYes, !options.isDryRun {
            try context.console.expectTerminal(toConfirmOr: Console.yesOrDryRun)
        }
        let server = try await context.server()
        let list = try await RuleList(server, in: context)
        var outcome = BatchResult()
        let found = try await outcome.resolve(options.words, id: \.value.id) {
            word throws(Failure) in try list.named(word)
        }.map(\.thing.value)
        let names = try await RuleNames(found, on: server, in: context)
        let rows = found.map(names.row)
        if !rows.isEmpty, !options.assumesYes, !options.isDryRun {
            try context.console.confirm(
                rows.count == 1 ? "Delete this rule?" : "Delete these \(rows.count) rules?",
                listing: rows, otherwise: "nothing was deleted"
            ) { "\($0.rule.name): \(RuleView.sentence($0))" }
        }
        try await context.reportEach(
            rows, id: \.rule.id, isDryRun: options.isDryRun, with: printer, after: outcome
        ) { row async throws(Failure) in
            if !options.isDryRun {
                _ = try await server.attempt(
                    "delete alert rule \(row.rule.name.inQuotes)",
                    await server.rules.delete(row.rule.id))
                context.noteChangedRules(of: server)
            }
            return (row, nil, "'\(row.rule.name)' is deleted")
        }
    }
}
