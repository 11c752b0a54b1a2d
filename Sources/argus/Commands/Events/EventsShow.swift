import ArgusKit
import CommandLineKit

enum EventsShow: ArgusCommand {
    static let about = CommandInfo(
        name: "show", summary: "Show events in detail",
        description: """
            An event is named by its whole id, by \(code: "latest"), or by the first 8 or more
            characters of the id of a recent event.
            """,
        examples: [
            "argus events show latest": "What happened last",
            "argus events show latest --json | jq -r .description": "Only what the AI says of it",
        ],
        exitStatuses: .requests(3, 11), prints: .objects(EventView.detailFields))

    static let arguments: [Argument<Operands>] = [.events(\.words)]

    static func run(_ options: Operands, in context: Context) async throws(Failure) {
        let printer = try context.printer(
            of: EventView.detailFields, .operands(options.words.count))
        let server = try await context.server()
        try await context.forEach(options.words, with: printer) { name async throws(Failure) in
            let found = try await server.event(
                named: name, to: "show", withExtras: !context.globals.isRaw, in: context)
            try printer.write(found.detail, raw: found.view)
        }
    }
}
