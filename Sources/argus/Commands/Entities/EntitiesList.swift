import ArgusAccount
import ArgusCore
import ArgusTransport
import ArgusEvents
import CommandLineKit

enum EntitiesList: ArgusCommand {
    struct Options: VerbOptions {
        var isNamedOnly = false
    }

    static let about = CommandInfo(
        name: "list", summary: "List the people and vehicles that the server recognises",
        effect: .reads,
        examples: [
            "argus entities list": "All of them, those seen last first",
            "argus entities list --named --json | jq -r '.[] | select(.vip) | .name'":
                "The names of the VIPs",
        ],
        exitStatuses: .requests(.malformedRow), prints: .lists(EntityView.fields))

    static let flags: [Flag<Options>] = [
        .toggle("named", sets: \.isNamedOnly, "Leave out those without a name")
    ]

    static let takesSeveralServers = true

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: EntityView.fields, .list)
        let list = try await EntityList(server, in: context)
        for (entity, view) in list.entities where !options.isNamedOnly || entity.name != nil {
            try printer.write(entity, raw: view)
        }
        let things = ("person or vehicle", "people and vehicles")
        try printer.finish(
            whenEmpty: "'\(server.name)' has recognised no people and vehicles",
            counting: ListCount(things))
        try server.expectNoUnreadableRows(list.entities.unreadableRows, of: things)
    }
}
