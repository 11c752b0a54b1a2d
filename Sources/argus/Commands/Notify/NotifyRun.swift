import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusPush
import ArgusTransport
import CommandLineKit
import Synchronization

enum NotifyRun: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
        var isWatching = false
        var state: StateName?
        var maxAge: Duration?
        var isRepeated = false
        var filter = EventFilterOptions()
        var alarms = AlarmOptions()
    }

    static let about = CommandInfo(
        name: "run", summary: "Deliver events to receivers, by their preferences", effect: .sends,
        description: """
            For each event and receiver: nothing is sent if the receiver is inactive, did not
            choose the camera or type, or has quiet hours; it is sent silently if sound is off.
            argus keeps every decision for 7 days. A receiver gets an event once; another run
            sends it only if it failed, or with \(flag: "again").

            With \(code: "-"), argus reads the events from stdin: on each line an id, or an object
            of \(code: "argus events list --format ndjson").

            \(flag: "watch") delivers every new event and goes on where the last one with that
            state ended. It skips events that were captured more than \(flag: "max-age") ago: no
            stale alarm goes out. It prints a line for each event; Ctrl-C ends it with status 0.
            \(code: "argus-notify.service") runs it.
            """,
        examples: [
            "argus notify run latest": "The last event, once",
            "argus notify run --watch --state push": "Every new event, as a service does",
            "argus notify run latest --again --format ndjson": "Once more, with all details",
        ],
        exitStatuses: .requests(3, ExitStatus(11, "Some deliveries failed"), 12),
        prints: .lists(DeliveryRecordView.fields))

    static let flags: [Flag<Options>] =
        [
            .toggle("watch", sets: \.isWatching, "Deliver every new event, until Ctrl-C"),
            .option("state", sets: \.state, "Remember under NAME which events were delivered")
                .completing(.dynamic("states")),
            .option("max-age", sets: \.maxAge, "Skip what was captured longer ago")
                .byDefault("15m"),
            .toggle("again", sets: \.isRepeated, "Deliver what was delivered before"),
        ] + EventFilterOptions.named.map { $0.at(\Options.filter) }
        + AlarmOptions.flags(at: \Options.alarms)

    static let arguments: [Argument<Options>] = [
        .repeated(
            "EVENT", atLeast: 0, appends: \.events,
            "An event's id, the start of one, latest, or - for stdin"
        ).completing(.dynamic("events"))
    ]

    static func validate(_ options: Options) throws(UsageError) {
        try options.alarms.validate()
        guard options.isWatching else {
            if options.alarms != AlarmOptions() { throw UsageError("--cooldown is for --watch") }
            if options.events.isEmpty {
                throw UsageError("no event given", hint: "name events, or use --watch")
            }
            if options.state != nil { throw UsageError("--state is for --watch") }
            return
        }
        guard options.state != nil else { throw UsageError("--watch needs --state NAME") }
        try UsageError.rejectBoth("--watch", true, "events", !options.events.isEmpty)
        try UsageError.rejectBoth("--watch", true, "--again", options.isRepeated)
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        if options.isWatching { return try await watch(options, in: context) }
        let printer = try context.printer(of: DeliveryRecordView.fields, .list)
        let dispatcher = try context.dispatcher(
            maxAge: options.maxAge, report: context.console.deliveryReports)
        _ = try await context.loadedReceivers()
        let server = try await context.server()
        let filter = try await options.filter.resolve(with: server, in: context)
        let mutes = try context.mutes(of: server)
        var outcome = BatchResult()
        for word in try words(options.events) {
            var records: [DeliveryRecord] = []
            try await outcome.collect(word, countsSuccess: false) { () async throws(Failure) in
                let event = try await server.event(named: word, to: "push", in: context).detail
                    .event
                guard filter.matches(event) else {
                    return context.console.notice("event \(event.id) does not match")
                }
                let now = context.now()
                let mute =
                    options.isRepeated ? nil : mutes().first { $0.covers(event, at: now) }
                records = try await attempt(
                    awaiting: await dispatcher.dispatch(
                        event, again: options.isRepeated,
                        held: mute.map { AlarmHold(.muted, $0.title, until: $0.until) })
                ).records
                for record in records { try printer.write(record) }
                try printer.endPage()
            }
            outcome.record(records)
        }
        try printer.finish()
        try outcome.finish()
    }

    /// The names of the events, with those of stdin for `-`.
    private static func words(_ operands: [String]) throws(Failure) -> [String] {
        try operands.map { (operand) throws(Failure) in
            operand == "-" ? try wordsOfStandardInput() : [operand]
        }.flatMap(\.self).distinct
    }

    /// A name or a JSON object on each line.
    private static func wordsOfStandardInput() throws(Failure) -> [String] {
        let bytes = try attempt(FileContents.standardInput(limit: 64 << 20))
        guard bytes.first != UInt8(ascii: "[") else {
            throw Failure(
                .usage, "stdin is a JSON array, not an event on each line",
                hint: "use --format ndjson, or --fields id --format tsv --no-header")
        }
        let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return try lines.map { (line) throws(Failure) in
            let text = String(decoding: line, as: UTF8.self)
            guard line.first == UInt8(ascii: "{") else { return text }
            if let id = (try? JSONView.parse(Array(line)))?["id"]?.string { return id }
            throw Failure(.usage, "stdin: a line is not an event: \(text.inBrief)")
        }
    }

    // The word in the state files of this command, whatever its name is.
    private static let statePurpose = "push dispatch"

    private static func watch(_ options: Options, in context: Context) async throws(Failure) {
        let lines = try DeliveryLines(in: context)
        let console = context.console
        let report: @Sendable (DeliveryReport) -> Void = { report in
            lines.write(report)
            console.deliveryReports(report)
        }
        let dispatcher = try context.dispatcher(
            maxAge: options.maxAge ?? DeliveryDispatcher.usualMaxAge, report: report)
        _ = try await context.loadedReceivers()
        let conditions = options.filter.conditionText
        let watch = try await EventWatch(
            options.filter, on: context.server(), stateNamed: options.state?.text,
            purpose: conditions.isEmpty ? statePurpose : "\(statePurpose) \(conditions)",
            isService: true, in: context)
        let gates = try AlarmGates(options.alarms.cooldown, of: watch, in: context)
        let deliveries = DeliveryWatch(dispatcher, sleep: context.system.sleep)
        let end = await result { () async throws(Failure) in
            try await watch.run(for: nil, stop: { await deliveries.stop() }) {
                event, member throws(Failure) in
                try lines.expectOpen()
                let decision = gates.decide(event, of: member)
                let hold: AlarmHold? = if case .held(let hold) = decision { hold } else { nil }
                guard await deliveries.add(event, held: hold) else { return false }
                gates.accepted(event, of: member, decision)
                return true
            }
        }
        await deliveries.finish()
        gates.reportEndedMutes()
        try end.get().expectComplete()
    }
}

extension Context {
    /// The service that delivers events to the receivers.
    func dispatcher(
        maxAge: Duration?, report: @escaping @Sendable (DeliveryReport) -> Void
    ) throws(Failure) -> DeliveryDispatcher {
        let (system, settings) = (system, try PushSettings(of: self))
        // The rules of each zone are read once.
        let zones = Mutex<[String: TimeZoneRules?]>([:])
        let zone = { @Sendable (name: String) -> TimeZoneRules? in
            zones.withLock { zones in
                if let known = zones[name] { return known }
                let rules = system.zone(named: name)
                zones[name] = .some(rules)
                return rules
            }
        }
        // The server dates its events: by a wrong clock of this machine every alarm would be too old.
        let serverTime = { @Sendable [now, usedServers] in
            usedServers.all.first?.session.client.clock.now ?? now()
        }
        return DeliveryDispatcher(
            try receivers(), try deliveryLog(), try PushProviders(of: self, settings),
            DeliveryDispatcher.Setup(
                maxAge: maxAge, publicURL: settings.publicURL, now: serverTime,
                sleep: system.sleep, zone: zone, report: report))
    }
}

extension BatchResult {
    /// Records the verdicts about an event: what was sent or skipped is a success.
    fileprivate mutating func record(_ records: [DeliveryRecord]) {
        for verdict in records {
            let failure = verdict.cause.map { Failure($0, verdict) }
            record(failure, of: verdict.deviceName ?? String(verdict.tokenID.prefix(8)))
        }
    }
}

extension Failure {
    fileprivate init(_ cause: DeliveryRecord.Cause, _ record: DeliveryRecord) {
        let reason = record.reason ?? "it was not delivered"
        switch cause {
        case .unsent(let error): self.init(error)
        case .provider(let fault):
            self.init(ExitKind(fault), "\(record.service.name): \(reason)")
        case .token where record.outcome == .removed: self.init(.notFound, reason)
        case .token: self.init(ExitKind(ofReceiver: record.httpStatus), reason)
        }
        httpStatus = record.httpStatus
    }
}
