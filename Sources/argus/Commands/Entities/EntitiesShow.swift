import ArgusAccount
import ArgusCore
import ArgusTransport
import ArgusEvents
import CommandLineKit

enum EntitiesShow: ArgusCommand {
    static let about = CommandInfo(
        name: "show", summary: "Show people and vehicles in detail", effect: .reads,
        examples: ["argus entities show 'Mail Carrier'": "One of them with all its fields"],
        exitStatuses: .requests(3, 11), prints: .objects(EntityView.detailFields))

    static let arguments: [Argument<Operands>] = [.entities(\.words)]

    static func run(_ options: Operands, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: EntityView.detailFields, .operands(options.words.count))
        let list = try await EntityList(server, in: context)
        try await context.forEach(options.words, with: printer) { word async throws(Failure) in
            let id = try list.named(word).value.id
            let shown = try await server.attempt(
                "show \(word.inQuotes)", await server.entities.show(id))
            try printer.write(shown.entity, raw: shown.view)
        }
    }
}
