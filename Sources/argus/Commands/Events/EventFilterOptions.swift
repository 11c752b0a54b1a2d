import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusTransport
import CommandLineKit

enum EventSource: String, Choice, Sendable {
    case rtsp, usb, protect, other

    static var placeholder: String { "SOURCE" }
}

/// A search text; an empty one, which would match everything, is refused.
struct SearchArgument: ArgumentValue, Equatable {
    var text: String

    init(argument: String) throws(ValueError) {
        guard !argument.isEmpty else { throw ValueError("is empty") }
        text = argument
    }
}

/// Names of cameras separated by commas; only the cameras show which comma is one of a name.
struct CameraList: ArgumentValue, Equatable {
    static var completion: Completion { .dynamicList("camera-list") }
    static var placeholder: String { "CAMERA[,CAMERA]" }

    var text: String

    init(argument: String) throws(ValueError) {
        _ = try CommaSeparated<String>(argument: argument)
        text = argument
    }
}

/// Names of people and vehicles separated by commas; only their names show which comma is one of a name.
struct EntityNames: ArgumentValue, Equatable {
    static var completion: Completion { .dynamicList("entity-list") }
    static var placeholder: String { "NAME[,NAME]" }

    var text: String

    init(argument: String) throws(ValueError) {
        _ = try CommaSeparated<String>(argument: argument)
        text = argument
    }
}

/// Names of alert rules separated by commas, or `all`.
struct RuleNameList: ArgumentValue, Equatable {
    static var completion: Completion { .dynamicList("rule-list") }
    static var placeholder: String { "RULE[,RULE]|all" }

    var text: String

    init(argument: String) throws(ValueError) {
        _ = try CommaSeparated<String>(argument: argument)
        text = argument
    }
}

/// The options by which commands choose events.
struct EventFilterOptions: OptionGroup, Equatable {
    var cameras: [CameraList] = []
    /// Types as typed.
    var types: [CommaSeparated<String>] = []
    var time = EventTimeOptions()
    var search: SearchArgument?
    var minConfidence: Int?
    var isAlertsOnly = false
    var source: EventSource?
    var entities: [EntityNames] = []
    var rules: [RuleNameList] = []
    var ruleZone = RuleZone.local

    static let own: [Flag<EventFilterOptions>] =
        (conditions + EventTimeOptions.flags(at: \EventFilterOptions.time))
        .map { $0.inSection("Filter", explainedBy: topic) }

    /// The options of verbs without an end in time.
    static let ofWatches: [Flag<EventFilterOptions>] =
        conditions.map { $0.inSection("Filter", explainedBy: topic) }
        + [EventTimeOptions.begin.at(\EventFilterOptions.time)]

    /// The name of the topic that explains the options.
    static let topic = "filters"

    private static let conditions: [Flag<EventFilterOptions>] =
        [
            .repeatable(
                "camera", appends: \.cameras, "Only events of these cameras",
                details: ["A camera whose name contains a comma is found by its whole name."]
            ).withBlanks(),
            .repeatable(
                "type", value: "TYPE[,TYPE]", appends: \.types,
                "Only events of these types",
                details: [
                    """
                    \(code: "person"), \(code: "vehicle"), \(code: "package"), \(code: "animal"), \
                    \(code: "motion"), \(code: "ring"), or any other type that a list shows. Several \
                    types are one word: \(code: "--type person,package").
                    """,
                    """
                    An event matches if its main detection or any object seen has the type. \
                    \(code: "motion") also matches events with neither.
                    """,
                    """
                    Servers of the mobile API list only the main detection: other objects are missed, \
                    with a warning, and \(code: "motion") and \(code: "ring") are refused (status 14).
                    """,
                ]
            ).completing(.dynamicList("types")),
            .option(
                "search", value: "TEXT", sets: \.search,
                "Only events whose description contains TEXT",
                details: [
                    """
                    Finds the phrase as written, ignoring case and punctuation. The last word may be \
                    incomplete: \(code: #""white deliv""#).
                    """
                ]
            ).once(),
            .option(
                "min-confidence", value: "N", sets: \.minConfidence,
                "Only events with at least N percent confidence"
            ).within(0...100).once(),
            .toggle(
                "alerts", sets: \.isAlertsOnly, "Only events for which the server raised an alarm",
                details: [
                    """
                    Today's servers raise none for the events of cameras. \(code: "--rule all") applies \
                    the rules here.
                    """
                ]),
            .option(
                "source", sets: \.source, "Only events from rtsp, usb, protect or other cameras"
            )
            .once(),
        ] + named

    /// The options that name people, vehicles and alert rules.
    static let named: [Flag<EventFilterOptions>] = [
        .repeatable(
            "entity", appends: \.entities, "Only events of these people and vehicles",
            details: [
                """
                A name or an id of \(code: "argus entities list"), \(code: "named"), \
                \(code: "vip"), \(code: "blocked"), or \(code: "none") for events in which the \
                server recognised nobody: \(code: "--type person --entity none") finds strangers.
                """,
                """
                The server recognises shortly after it stores an event: a watch hands over an \
                event without anybody 3 seconds later.
                """,
            ]
        ).withBlanks(),
        .repeatable(
            "rule", appends: \.rules, "Only events that an enabled alert rule matches",
            details: [
                """
                A name or an id of \(code: "argus rules list"), or \(code: "all"). argus applies \
                the rules itself, without their cooldowns. One with a condition that argus does \
                not know matches nothing, with a warning.
                """
            ]
        ).withBlanks(),
        .ruleZone(\.ruleZone),
    ]

    /// Resolves names to ids and times to instants; a removed camera is named by its id.
    func resolve(with server: SignedInServer, in context: Context) async throws(Failure)
        -> EventFilter
    {
        let filter = try unresolved(in: context)
        do throws(FilterError) {
            return try await filter.resolved(with: server.session) {
                context.report($0, of: server)
            }
        } catch {
            throw await server.failure(error, doing: "list events")
        }
    }

    /// The filter whose names only a server knows.
    func unresolved(in context: Context) throws(Failure) -> UnresolvedFilter {
        var filter = UnresolvedFilter(
            try resolveAllButNames(in: context), cameras: cameras.map(\.text),
            unknownTypes: unknownTypes)
        filter.entities = entities.map(\.text)
        if !rules.isEmpty {
            filter.rules = RuleChoice(rules.map(\.text), in: ruleZone.rules(in: context))
        }
        return filter
    }

    /// Resolves times to instants and leaves cameras, entities and rules out.
    func resolveAllButNames(in context: Context) throws(Failure) -> EventFilter {
        var filter = EventFilter()
        filter.types = typeNames
        (filter.since, filter.until) = try time.resolve(in: context)
        filter.search = search?.text
        filter.minConfidence = minConfidence
        filter.alertsOnly = isAlertsOnly
        filter.source = source?.rawValue
        return filter
    }

    /// The types in lower case.
    var typeNames: [String] { types.flatMap(\.values).map { $0.lowercased() }.distinct }

    /// The types, in lower case, that argus does not know, though a server may.
    var unknownTypes: [String] {
        let known = EventFilter.knownTypes.map { $0.lowercased() }
        return typeNames.filter { !known.contains($0) }
    }

    /// - Throws: `Failure` 2 for conditions with another name of an event than `latest`.
    func expectLatest(_ events: [String]) throws(Failure) {
        guard self != EventFilterOptions(), let other = events.first(where: { $0 != "latest" })
        else { return }
        throw Failure(
            .usage, "conditions cannot be combined with the id \(other.inQuotes)",
            hint: "use them with 'latest'")
    }
}

extension Context {
    /// Keeps what a filter has taught, and warns of what it lacks.
    func report(_ notice: UnresolvedFilter.Notice, of server: SignedInServer) {
        switch notice {
        case .unknownType(let type): console.warnOfUnknownType(type)
        case .cameras(let cameras): remember(cameras, of: server)
        case .entities(let entities): cache(for: server)?.remember(entities: entities)
        case .rules(let rules, let chosen):
            cache(for: server)?.remember(rules: rules)
            for rule in chosen.rules { console.warn(of: rule, rule.problems) }
        }
    }
}

extension SignedInServer {
    /// The failure of a filter, or of reading events by it; `doing` follows `cannot`.
    func failure(_ error: FilterError, doing: String) async -> Failure {
        switch error {
        case .events(let error): await failure(error, doing: doing)
        case .cameras(let error): await failure(error, doing: "list cameras")
        case .name(let name, let found, let all): found.failure(naming: name, among: all)
        case .entities(let error):
            await failure(error, doing: "list recognised people and vehicles")
        case .entityName(let name, let found, let all):
            found.failure(naming: name, .entity, among: all.compactMap(\.name)) {
                "\($0.id) (\($0.title))"
            }
        case .rules(let error): await failure(error, doing: "list alert rules")
        case .ruleName(let name, let found, let all):
            found.failure(naming: name, .rule, among: all.map(\.name)) { "\($0.id) (\($0.name))" }
        }
    }
}

extension Console {
    /// Warns of a type that may be a typing error.
    ///
    /// It is accepted, so that a script does not depend on what has been seen so far.
    func warnOfUnknownType(_ type: String) {
        let near =
            EventFilter.type(meantBy: type).flatMap { didYouMean([$0]) }
            ?? didYouMean(suggestions(for: type, among: EventFilter.knownTypes))
        warn("the type \(type.inQuotes) is unknown" + (near.map { "; \($0)" } ?? ""))
    }
}
