import ArgusAccount
import ArgusCore
import ArgusTransport
import ArgusEvents
import CommandLineKit

enum EntitiesMerge: ArgusCommand {
    struct Options: VerbOptions {
        @Required var merged: String
        @Required var kept: String
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "merge", summary: "Merge a person or a vehicle into another one", effect: .deletes,
        description: """
            Moves the events of the first to the second, and deletes the first. Waits for a typed
            \(code: "yes"); \(flag: "yes") skips the question.
            """,
        examples: ["argus entities merge 156ee2d2 Ann": "They are the same person: Ann"],
        exitStatuses: .requests(3), prints: .objects(EntityMerge.fields))

    static let flags: [Flag<Options>] = [.yes(\.assumesYes)]

    static let arguments: [Argument<Options>] = [
        .entity(\.$merged, "The one that goes: a name, an id or the start of one"),
        .entity(\.$kept, "The one that stays", named: "INTO"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: EntityMerge.fields, .operands(1))
        if !options.assumesYes { try context.console.expectTerminal(toConfirmOr: "--yes") }
        let server = try await context.server()
        let list = try await EntityList(server, in: context)
        let (merged, kept) = (
            try list.named(options.merged).value, try list.named(options.kept).value
        )
        guard merged.id != kept.id else {
            throw Failure(.usage, "both are '\(kept.title)'")
        }
        if !options.assumesYes {
            try context.console.confirm(
                "Merge '\(merged.title)' (\(merged.occurrences ?? 0) events) into "
                    + "'\(kept.title)' for good?",
                otherwise: "nothing was merged")
        }
        let result = try await server.attempt(
            "merge \(options.merged.inQuotes)",
            await server.entities.merge(merged.id, into: kept.id))
        let events = result.movedEvents == 1 ? "1 event" : "\(result.movedEvents ?? 0) events"
        try context.report(
            result, with: printer, "\(events) of '\(merged.title)' moved to '\(kept.title)'")
    }
}
