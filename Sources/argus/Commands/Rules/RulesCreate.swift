import ArgusAccount
import ArgusCore
import ArgusTransport
import ArgusEvents
import CommandLineKit

enum RulesCreate: ArgusCommand {
    struct Options: VerbOptions {
        @Required var name: LimitedName<200>
        var parts = RuleOptions()
        var isDisabled = false
    }

    static let about = CommandInfo(
        name: "create", summary: "Create an alert rule", effect: .changes,
        description: """
            Conditions that you do not name are any. An event has to fulfil all of them. Without
            \(flag: "cooldown") it is 5 minutes.

            The server keeps the rule, and today's servers apply it only to events that a program
            adds: \(command: "rules run") applies it to those of cameras.
            """,
        examples: [
            "argus rules create 'Night people' --type person --between 22:00-06:00":
                "People at night, on any camera",
            "argus rules create Strangers --type person --entity none --camera 'Front Door' "
                + "--cooldown 10m": "Strangers at the door, at most every 10 minutes",
            "argus rules create Parcels --carrier all --webhook http://192.168.1.20:8123/api/webhook/x":
                "Deliveries, posted to a home automation",
        ],
        exitStatuses: .requests(3), prints: .objects(RuleView.detailFields))

    static let flags: [Flag<Options>] =
        RuleOptions.flags(at: \Options.parts) + [
            .toggle("disabled", sets: \.isDisabled, "Create it disabled")
        ]

    static let arguments: [Argument<Options>] = [
        .required("NAME", sets: \.$name, "The name of the rule, 1 to 200 characters")
    ]

    static func validate(_ options: Options) throws(UsageError) { try options.parts.validate() }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: RuleView.detailFields, .operands(1))
        var parts = try await options.parts.change(on: server, in: context)
        parts.name = options.name.text
        parts.isEnabled = !options.isDisabled
        let made = try await server.attempt(
            "create an alert rule", await server.rules.create(parts))
        context.noteChangedRules(of: server)
        let row = try await RuleNames([made.rule], on: server, in: context).row(made.rule)
        try context.report(
            row, with: printer, "the rule '\(made.rule.name)' matches \(RuleView.sentence(row))")
    }
}
