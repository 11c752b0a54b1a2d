import ArgusKit
import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusTransport
import CommandLineKit

/// The alert rules of a server, as one command sees them.
struct RuleList: Sendable {
    let server: SignedInServer
    let rules: ListedRows<AlertRule>

    /// Fetches the rules, and remembers their names.
    init(_ server: SignedInServer, in context: Context) async throws(Failure) {
        self.server = server
        rules = try await server.attempt("list alert rules", await server.rules.list())
        context.cache(for: server)?.remember(rules: rules.values)
    }

    /// The rule with an id, a name, or the start of an id.
    ///
    /// - Throws: `Failure` 3 if there is none, 2 if there are several.
    func named(_ word: String) throws(Failure) -> (value: AlertRule, view: JSONView) {
        try NameLookup.find(word, in: Array(rules), id: \.value.id, name: \.value.name)
            .expectOne(word, .rule, among: rules.values.map(\.name)) {
                "\($0.value.id) (\($0.value.name))"
            }
    }

    /// Asks before the server's own objects of rules are printed, which have the header fields of their
    /// webhooks in clear.
    static func confirmRaw(
        _ rules: some Sequence<AlertRule>, _ assumesYes: Bool, in context: Context
    ) throws(Failure) {
        let count = rules.count { $0.actions.mayHoldSecrets }
        guard context.globals.isRaw, !assumesYes, count > 0 else { return }
        let what = count == 1 ? "a rule" : "\(count) rules"
        try context.console.confirm(
            "Print all of the webhook of \(what), which may hold secrets?",
            otherwise: "nothing was printed")
    }
}

extension Context {
    /// Has the watches of this machine read the rules of a server again, which was changed.
    func noteChangedRules(of server: SignedInServer) {
        RuleWatch.markChanged(of: server.record?.id.text ?? server.name, in: system.paths.state)
    }
}

/// The names of the cameras and entities that rules are about, as far as they exist.
struct RuleNames: Sendable {
    /// Nil if no rule is about cameras.
    private var cameras: [String: String]?
    /// The ids of entities that are gone.
    private var goneEntities: Set<String> = []

    /// Asks the server for what the rules need.
    init(
        _ rules: [AlertRule], on server: SignedInServer, in context: Context
    ) async throws(Failure) {
        if rules.contains(where: { !$0.conditions.cameras.isEmpty }) {
            let rows = try await context.cameras(of: server).values.map {
                ($0.id, $0.name ?? $0.id)
            }
            cameras = Dictionary(rows, uniquingKeysWith: { $1 })
        }
        for case .specific(let id, nil) in rules.map(\.conditions.entity) {
            do throws(APIError) {
                _ = try await server.entities.show(id)
            } catch {
                if error.kind == .notFound { goneEntities.insert(id) }
            }
        }
    }

    func row(_ rule: AlertRule) -> RuleRow {
        var problems = rule.problems + problems(of: rule)
        if let fault = RuleWebhook.fault(of: rule) { problems.append("\(fault)") }
        return RuleRow(
            rule: rule, cameras: rule.conditions.cameras.map { cameras?[$0] ?? $0 },
            problems: problems)
    }

    /// What a rule is about and is gone, in words.
    func problems(of rule: AlertRule) -> [String] {
        var problems: [String] = []
        if let cameras {
            let gone = rule.conditions.cameras.filter { cameras[$0] == nil }
            problems += gone.map { "the camera \($0) is gone" }
        }
        if case .specific(let id, _) = rule.conditions.entity, goneEntities.contains(id) {
            problems.append("the entity \(id) is gone")
        }
        return problems
    }
}

extension NamedThing {
    static let rule = NamedThing(
        one: "alert rule", several: "alert rules",
        listHint: "'argus rules list' shows names and ids")
}

extension Argument {
    private static var ruleSummary: String { "A rule's name, id or start of an id" }

    static func rules(_ path: OptionPath<[String]>) -> Self {
        .repeated("RULE", atLeast: 1, appends: path, ruleSummary).completing(.dynamic("rules"))
    }

    static func rule(_ path: OptionPath<Required<String>>) -> Self {
        .required("RULE", sets: path, ruleSummary).completing(.dynamic("rules"))
    }
}
