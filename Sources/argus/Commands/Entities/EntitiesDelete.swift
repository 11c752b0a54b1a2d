import ArgusAccount
import ArgusCore
import ArgusTransport
import ArgusEvents
import CommandLineKit

enum EntitiesDelete: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
        var assumesYes = false
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "delete", summary: "Delete people and vehicles for good", effect: .deletes,
        description: """
            Their events stay, and show nobody then. Waits for a typed \(code: "yes");
            \(flag: "yes") skips the question.
            """,
        examples: ["argus entities delete 156ee2d2": "By the start of its id, after a question"],
        exitStatuses: .requests(3, 11), prints: .objects(EntityView.fields))

    static let flags: [Flag<Options>] = [.yes(\.assumesYes), .dryRun(\.isDryRun)]
    static let arguments: [Argument<Options>] = [.entities(\.words)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: EntityView.fields, .operands(options.words.count))
        if !options.assumesYes, !options.isDryRun {
            try context.console.expectTerminal(toConfirmOr: Console.yesOrDryRun)
        }
        let server = try await context.server()
        let list = try await EntityList(server, in: context)
        var outcome = BatchResult()
        let found = try await outcome.resolve(options.words, id: \.value.id) {
            word throws(Failure) in try list.named(word)
        }.map(\.thing)
        if !found.isEmpty, !options.assumesYes, !options.isDryRun {
            try context.console.confirm(
                found.count == 1 ? "Delete it for good?" : "Delete these \(found.count) for good?",
                listing: found.map(\.value), otherwise: "nothing was deleted"
            ) { "\($0.id)  \($0.title)" }
        }
        try await context.reportEach(
            found, id: \.value.id, isDryRun: options.isDryRun, with: printer, after: outcome
        ) { item async throws(Failure) in
            if !options.isDryRun {
                _ = try await server.attempt(
                    "delete \(item.value.title.inQuotes)",
                    await server.entities.delete(item.value.id))
            }
            return (item.value, item.view, "'\(item.value.title)' is deleted")
        }
    }
}
