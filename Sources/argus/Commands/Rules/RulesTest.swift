import ArgusTransport
import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

/// The zone of the times of day and weekdays of rules.
enum RuleZone: String, Choice {
    case local, utc

    func rules(in context: Context) -> TimeZoneRules { self == .utc ? .utc : context.timeZone }
}

extension Flag {
    /// The option `--rule-zone` of commands that apply rules.
    static func ruleZone(_ path: OptionPath<RuleZone>) -> Flag {
        .option(
            "rule-zone", value: "local|utc", sets: path,
            "The time zone of rules",
            details: [
                """
                A rule for 22:00 means 22:00 here, by the clock of this machine. The server \
                compares with UTC, whatever its own zone; \(code: "utc") does as it does.
                """
            ]
        ).byDefault(RuleZone.local.rawValue)
    }
}

enum RulesTest: ArgusCommand {
    struct Options: VerbOptions {
        @Required var rule: String
        var time = EventTimeOptions()
        var zone = RuleZone.local
        var event: String?
        var isOnServer = false
        var limit: Int?
    }

    /// The events that the server tests at most.
    private static let serverLimit = 100

    static let about = CommandInfo(
        name: "test", summary: "List the events that an alert rule would have matched",
        effect: .reads,
        description: """
            Applies the rule to past events, by default of the last 7 days, and leaves cooldowns
            out. A rule that is disabled is tested too. With \(flag: "explain") it names the first
            condition that an event does not fulfil.

            \(flag: "server-side") lets the server test its newest events, at most 100, in UTC. If
            argus comes to another result, the rule has conditions that the server does not show.
            """,
        examples: [
            "argus rules test 'Night people' --since 30d": "What it would have reported in a month",
            "argus rules test 'Night people' --explain latest": "Why the last event does not match",
        ],
        exitStatuses: .requests(3, .lostEvents), prints: .lists(EventView.fields))

    static let flags: [Flag<Options>] =
        EventTimeOptions.flags(at: \Options.time) + [
            .ruleZone(\.zone),
            .option(
                "explain", value: "EVENT", sets: \.event,
                "Say why EVENT matches or not"
            ).completing(.dynamic("events")),
            .toggle("server-side", sets: \.isOnServer, "Let the server test its newest events"),
            .option(
                "limit", short: "n", value: "N", sets: \.limit,
                "With --server-side: test N events"
            ).within(1...serverLimit).byDefault("50"),
        ]

    static let arguments: [Argument<Options>] = [.rule(\.$rule)]

    static func validate(_ options: Options) throws(UsageError) {
        let hasTime = options.time != EventTimeOptions()
        try UsageError.rejectBoth(
            "--explain", options.event != nil, "--server-side", options.isOnServer)
        try UsageError.rejectBoth("--explain", options.event != nil, "a period", hasTime)
        try UsageError.rejectBoth("--server-side", options.isOnServer, "a period", hasTime)
        guard options.limit == nil || options.isOnServer else {
            throw UsageError("--limit is for --server-side")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let zone = options.zone.rules(in: context)
        if let event = options.event {
            return try await explain(options.rule, event, in: zone, context)
        }
        let (server, printer) = try await context.server(printing: EventView.fields, .list)
        let rule = try await RuleList(server, in: context).named(options.rule).value
        if options.isOnServer {
            return try await testOnServer(
                rule, options.limit ?? 50, with: printer, on: server, in: context)
        }
        var filter = EventFilter()
        (filter.since, filter.until) = try options.time.resolve(in: context)
        if options.time == EventTimeOptions() {
            filter.since = context.now() - .seconds(7 * 86_400)
        }
        filter.cameraIDs = rule.conditions.cameras
        let cursor = server.events.list(
            filter, wanted: nil, notify: context.console.eventNotice)
        var undecided: [String: Int] = [:]
        while let page = try await server.attempt("list events", await cursor.next()) {
            for row in page {
                let event = row.event
                switch rule.conditions.verdict(on: event, in: zone) {
                case .matches: try printer.write(event, raw: row.view)
                case .undecided(let name): undecided[name, default: 0] += 1
                case .fails: break
                }
            }
            try printer.endPage()
        }
        try printer.finish(
            whenEmpty: "'\(rule.name)' would not have matched an event",
            counting: ListCount(("event", "events")))
        for (name, count) in undecided.sorted(by: { $0.key < $1.key }) {
            let events = count == 1 ? "1 event fulfils" : "\(count) events fulfil"
            context.console.warn(
                "\(events) the other conditions of '\(rule.name)', but argus cannot apply \(name)")
        }
        try cursor.expectComplete(on: server)
    }

    private static func explain(
        _ word: String, _ name: String, in zone: TimeZoneRules, _ context: Context
    ) async throws(Failure) {
        let printer = try context.printer(of: RuleExplanation.fields, .operands(1))
        let server = try await context.server()
        let list = try await RuleList(server, in: context)
        let rule = try list.named(word).value
        let event = try await server.event(named: name, to: "explain", in: context).detail.event
        let row = try await RuleNames([rule], on: server, in: context).row(rule)
        try printer.writeOnly(
            RuleExplanation(
                row: row, event: event, verdict: rule.conditions.verdict(on: event, in: zone),
                zone: zone))
    }

    private static func testOnServer(
        _ rule: AlertRule, _ limit: Int, with printer: Printer<Event>, on server: SignedInServer,
        in context: Context
    ) async throws(Failure) {
        let test = try await server.attempt(
            "test alert rule \(rule.name.inQuotes)", await server.rules.test(rule.id, limit: limit))
        let cursor = server.events.list(
            EventFilter(), wanted: test.tested, notify: context.console.eventNotice)
        let rows = try await server.attempt("list events", await cursor.rest())
        let byID = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for id in test.matches {
            if let row = byID[id] {
                try printer.write(row)
            } else {
                // It has left the newest ones since.
                try printer.write(Event(id: id))
            }
        }
        try printer.finish(
            whenEmpty: "'\(rule.name)' matches none of the \(test.tested) newest events",
            counting: ListCount(("event", "events"), of: test.tested))
        let here = rows.filter {
            rule.conditions.verdict(on: $0.event, in: .utc) == .matches
        }.map(\.id)
        let there = Set(test.matches)
        let more = here.filter { !there.contains($0) }.count
        let fewer = there.filter { id in byID[id] != nil && !here.contains(id) }.count
        guard more > 0 || fewer > 0 else { return }
        context.console.warn(
            "argus comes to another result for \(more + fewer) of these events: '\(rule.name)' has "
                + "conditions that the server does not show, or that argus cannot apply")
    }
}
