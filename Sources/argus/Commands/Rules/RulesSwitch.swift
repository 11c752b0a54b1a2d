import ArgusAccount
import ArgusCore
import ArgusTransport
import ArgusEvents
import CommandLineKit

/// The shared part of `argus rules enable` and `disable`.
enum RulesSwitch {
    static func run(_ words: [String], isOn: Bool, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: RuleView.detailFields, .operands(words.count))
        let list = try await RuleList(server, in: context)
        var change = RuleChange()
        change.isEnabled = isOn
        try await context.reportEach(words, id: \.self, with: printer) {
            word async throws(Failure) in
            let (rule, view) = try list.named(word)
            let changed = try await server.attempt(
                "\(isOn ? "enable" : "disable") alert rule \(word.inQuotes)",
                await server.rules.update(rule, view, change))
            context.noteChangedRules(of: server)
            let row = try await RuleNames([changed.rule], on: server, in: context).row(changed.rule)
            return (row, nil, "'\(rule.name)' is \(isOn ? "enabled" : "disabled")")
        }
    }
}
