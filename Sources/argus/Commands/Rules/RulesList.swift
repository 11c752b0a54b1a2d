import ArgusAccount
import ArgusCore
import ArgusTransport
import ArgusEvents
import CommandLineKit

enum RulesList: ArgusCommand {
    struct Options: VerbOptions {
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "list", summary: "List the alert rules of the server", effect: .reads,
        description: """
            On today's servers, rules apply only to events that a program adds by the API. For the
            events of cameras nothing applies them: \(command: "rules run") does.

            The values of webhooks' header fields are secret: argus shows their names, and
            \(flag: "raw") asks before it prints the values.
            """,
        examples: [
            "argus rules list": "All of them, with what is wrong with them",
            "argus rules list --json | jq -r '.[] | select(.problems != []) | .name'":
                "The names of those that need a look",
        ],
        exitStatuses: .requests(.malformedRow), prints: .lists(RuleView.fields))

    static let flags: [Flag<Options>] = [.yes(\.assumesYes, "Print secrets without a question")]

    static let takesSeveralServers = true

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: RuleView.fields, .list)
        let list = try await RuleList(server, in: context)
        try RuleList.confirmRaw(list.rules.values, options.assumesYes, in: context)
        let names = try await RuleNames(list.rules.values, on: server, in: context)
        for (rule, view) in list.rules { try printer.write(names.row(rule), raw: view) }
        let things = ("alert rule", "alert rules")
        try printer.finish(
            whenEmpty: "'\(server.name)' has no alert rules", counting: ListCount(things))
        try server.expectNoUnreadableRows(list.rules.unreadableRows, of: things)
    }
}
