import ArgusAccount
import ArgusCore
import ArgusTransport
import ArgusEvents
import CommandLineKit

enum RulesEdit: ArgusCommand {
    struct Options: VerbOptions {
        @Required var rule: String
        var name: LimitedName<200>?
        var parts = RuleOptions()
    }

    static let about = CommandInfo(
        name: "edit", summary: "Change parts of an alert rule", effect: .changes,
        description: """
            Changes what you name; the rest stays. \(code: "all") removes a condition. Servers
            replace the conditions of a rule as a whole: one that the server does not show is lost
            by a change of another one.
            """,
        examples: [
            "argus rules edit 'Night people' --between 23:00-05:00 --days mon-fri":
                "Other hours, and working days only",
            "argus rules edit Parcels --webhook off --camera all": "No webhook, and any camera",
        ],
        exitStatuses: .requests(3), prints: .objects(RuleView.detailFields))

    static let flags: [Flag<Options>] =
        [.option("name", sets: \.name, "Rename the rule")]
        + RuleOptions.flags(at: \Options.parts)

    static let arguments: [Argument<Options>] = [.rule(\.$rule)]

    static func validate(_ options: Options) throws(UsageError) {
        try options.parts.validate()
        guard options.name != nil || options.parts != RuleOptions() else {
            throw UsageError("no change given")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: RuleView.detailFields, .operands(1))
        let list = try await RuleList(server, in: context)
        let (rule, view) = try list.named(options.rule)
        var change = try await options.parts.change(on: server, in: context)
        change.name = options.name?.text
        if change.webhookHeaders != nil, change.webhookURL == nil, rule.actions.webhook == nil {
            throw Failure(
                .usage, "--webhook-header-file: '\(rule.name)' has no webhook",
                hint: "add --webhook URL")
        }
        let changed = try await server.attempt(
            "change alert rule \(options.rule.inQuotes)",
            await server.rules.update(rule, view, change))
        context.noteChangedRules(of: server)
        let row = try await RuleNames([changed.rule], on: server, in: context).row(changed.rule)
        try context.report(
            row, with: printer, "'\(changed.rule.name)' matches \(RuleView.sentence(row))")
    }
}
