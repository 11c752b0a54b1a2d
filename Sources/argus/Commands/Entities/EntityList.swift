import ArgusKit
import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusTransport
import CommandLineKit

/// The recognised people and vehicles of a server, as one command sees them.
struct EntityList: Sendable {
    let server: SignedInServer
    let entities: ListedRows<Entity>

    /// Fetches the entities, and remembers their names.
    init(_ server: SignedInServer, in context: Context) async throws(Failure) {
        self.server = server
        entities = try await server.attempt(
            "list recognised people and vehicles", await server.entities.list())
        context.cache(for: server)?.remember(entities: entities.values)
    }

    /// The entity with an id, a name, or the start of an id.
    ///
    /// - Throws: `Failure` 3 if there is none, 2 if there are several.
    func named(_ word: String) throws(Failure) -> (value: Entity, view: JSONView) {
        try NameLookup.find(word, in: Array(entities), id: \.value.id, name: \.value.name)
            .expectOne(word, .entity, among: entities.values.compactMap(\.name)) {
                "\($0.value.id) (\($0.value.title))"
            }
    }

    /// Changes entities one after the other, and prints each or a sentence about it.
    static func change(
        _ words: [String], doing: String, to change: EntityChange, in context: Context,
        sentence: (Entity) -> String
    ) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: EntityView.fields, .operands(words.count))
        let list = try await EntityList(server, in: context)
        try await context.reportEach(words, id: \.self, with: printer) {
            word async throws(Failure) in
            let entity = try list.named(word).value
            let changed = try await server.attempt(
                "\(doing) \(word.inQuotes)", await server.entities.update(entity.id, change))
            return (changed.entity, changed.view, sentence(changed.entity))
        }
    }
}

extension NamedThing {
    static let entity = NamedThing(
        one: "person or vehicle", several: "people or vehicles",
        listHint: "'argus entities list' shows names and ids")
}

extension Argument {
    private static var entitySummary: String {
        "A person's or vehicle's name, id or start of an id"
    }

    static func entities(_ path: OptionPath<[String]>) -> Self {
        .repeated("ENTITY", atLeast: 1, appends: path, entitySummary)
            .completing(.dynamic("entities"))
    }

    static func entity(
        _ path: OptionPath<Required<String>>, _ summary: String? = nil,
        named name: String = "ENTITY"
    ) -> Self {
        .required(name, sets: path, summary ?? entitySummary).completing(.dynamic("entities"))
    }
}
