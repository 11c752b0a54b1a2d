import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusPush
import ArgusTransport
import CommandLineKit

enum NotifyWhy: ArgusCommand {
    struct Options: VerbOptions {
        var event: String?
        var camera: String?
        var type: String?
        var time: TimeArgument?
        var device: String?
        var token: String?
    }

    static let about = CommandInfo(
        name: "why", summary: "Explain why an event reached a device, or did not", effect: .reads,
        description: """
            For each receiver of argus: what \(command: "notify run") decided in the last 7 days,
            else what today's preferences would have done then. argus names the first rule that
            stopped the event, and when it would have passed.

            For each device of the server: why the server itself sent nothing. Today's server
            pushes hardly anything but matches of a VIP, whatever the preferences are.

            \(flag: "camera"), \(flag: "type") and \(flag: "at") describe an event that might
            happen.
            """,
        examples: [
            "argus notify why latest": "Why was I not notified?",
            "argus notify why --camera 'Front Door' --type person --at 'today 23:30'":
                "Would I be notified tonight?",
            "argus notify why latest --device \"Ann's phone\" --json | jq -r '.[].explanation'":
                "One device, in words",
        ],
        exitStatuses: .requests(3),
        prints: .lists(ExplanationView.fields(in: .utc, now: .earliestText)))

    static let flags: [Flag<Options>] = [
        .option("camera", value: "CAMERA", sets: \.camera, "Explain an event of CAMERA")
            .completing(.dynamic("cameras")),
        .option("type", value: "TYPE", sets: \.type, "The type of that event")
            .completing(.dynamic("types")),
        .option("at", value: "TIME", sets: \.time, "The time of that event, instead of now")
            .completing(.dynamic("times")),
        .option("device", value: "DEVICE", sets: \.device, "Only this device, by name or id")
            .completing(.dynamic("devices")),
        .option(
            "receiver", value: "ID", sets: \.token, "Only this receiver of 'notify receivers list'"
        ).formerly("token"),
    ]

    static let arguments: [Argument<Options>] = [
        .optional("EVENT", sets: \.event, "An event's id, the start of one, or latest")
            .completing(.dynamic("events"))
    ]

    static func validate(_ options: Options) throws(UsageError) {
        let isDescribed = options.camera != nil || options.type != nil || options.time != nil
        try UsageError.rejectBoth(
            "an event", options.event != nil, "--camera, --type and --at", isDescribed)
        guard options.event != nil || isDescribed else {
            throw UsageError("no event given", hint: "name one, or describe one with --camera")
        }
        try UsageError.rejectBoth(
            "--device", options.device != nil, "--receiver", options.token != nil)
    }

    static let tool = VerbTool(
        name: "explain_notification",
        summary: "Explains why an event, or one of camera, type and at, notified devices or not.",
        server: "notify why", results: .list("explanations"), operand: "event",
        options: ["camera", "type", "at", "device"])

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let fields = ExplanationView.fields(in: try context.displayZone(), now: context.now())
        let printer = try context.printer(of: fields, .list)
        let server = try await context.server()
        let event = try await event(options, on: server, in: context)
        let rows = try await explanations(of: event, options, on: server, in: context)
        if rows.isEmpty, let word = options.device {
            throw Failure(
                .notFound, "there is no device \(word.inQuotes)",
                hint: "'argus devices list' and 'argus notify receivers list' list them")
        }
        // The names of cameras only help: without them their ids are shown.
        if rows.contains(where: { $0.chosenCameras != nil }) {
            _ = try? await context.cameras(of: server)
        }
        for var row in rows {
            row.cameraNames = row.chosenCameras.map(context.seenCameraNames)
            try printer.write(row)
        }
        try printer.finish()
    }

    private static func event(
        _ options: Options, on server: SignedInServer, in context: Context
    ) async throws(Failure) -> Event {
        if let name = options.event { return try await recorded(name, on: server, in: context) }
        var camera: String?
        if let name = options.camera {
            camera = try await context.cameras(of: server).values.named(name).id
        }
        let calendar = try LocalCalendar(of: context)
        let time = options.time?.expression.resolve(asEnd: false, on: calendar) ?? calendar.now
        return DeliveryExplanation.event(camera: camera, type: options.type?.lowercased(), at: time)
    }

    /// An event of the server; one that is gone there is known by its id, if a dispatch has had it.
    private static func recorded(
        _ name: String, on server: SignedInServer, in context: Context
    ) async throws(Failure) -> Event {
        do throws(Failure) {
            return try await server.event(named: name, to: "explain", in: context).detail.event
        } catch {
            guard error.kind == .notFound,
                try !attempt(context.deliveryLog().records(of: name)).isEmpty
            else { throw error }
            context.console.notice("the server no longer has the event")
            var event = DeliveryExplanation.event(camera: nil, type: nil, at: context.now())
            event.id = name
            return event
        }
    }

    private static func explanations(
        of event: Event, _ options: Options, on server: SignedInServer, in context: Context
    ) async throws(Failure) -> [DeliveryExplanation] {
        let tokens = try await context.loadedReceivers()
        let chosen = try options.token.map { (word) throws(Failure) in [try tokens.named(word)] }
        let records =
            event.id.isEmpty ? [] : try attempt(context.deliveryLog().records(of: event.id))
        let now = context.now()
        let mutes = try context.mutes(of: server)()
        let printsRules =
            !tokens.tokens.isEmpty && context.globals.fields?.values.contains("rules") ?? true
        let rules = printsRules ? await matchingRules(event, on: server, in: context) : nil
        if let rules, !rules.isEmpty, try !context.isForMachines() {
            let names = rules.map(\.inQuotes).joined(separator: ", ")
            context.console.notice(
                "the event matches the alert rule\(rules.count == 1 ? "" : "s") \(names)")
        }
        let providers = try PushProviders(of: context, PushSettings(of: context))
        var rows = (chosen ?? tokens.tokens).map { token in
            var row = DeliveryExplanation(
                event, for: token, records: records, at: now,
                zone: context.system.zone(named: token.preferences.timezone))
            row.rules = rules
            if let mute = mutes.first(where: { $0.covers(event, at: event.timestamp ?? now) }) {
                row.predict(mute)
            }
            do throws(DeliveryError) {
                _ = try providers.provider(for: token.service)
            } catch {
                row.predictFailure(error)
            }
            return row
        }
        guard chosen == nil else { return rows }
        // Of tokens that are no longer in the registry there are records only.
        rows += records.map(\.tokenID).distinct.filter { tokens[$0] == nil }.compactMap { id in
            records.last { $0.tokenID == id }.map { DeliveryExplanation($0, nil) }
        }
        rows += try await devices(of: server, in: context).map { device in
            DeliveryExplanation(
                server: device, at: event.timestamp ?? now,
                zone: context.system.zone(named: device.quietHours.timezone ?? "UTC"))
        }
        guard let word = options.device?.caseFolded else { return rows }
        return rows.filter {
            $0.deviceName?.caseFolded == word || $0.deviceID?.caseFolded == word
        }
    }

    /// The names of the enabled alert rules that match an event; nil if the server does not list them.
    private static func matchingRules(
        _ event: Event, on server: SignedInServer, in context: Context
    ) async -> [String]? {
        guard let rules = try? await server.rules.list().values else { return nil }
        return RuleSet(rules, in: context.timeZone).matching(event)
            .map(\.name)
    }

    /// The devices of the server; none if it does not list them to this user, such as to an API key.
    private static func devices(
        of server: SignedInServer, in context: Context
    ) async throws(Failure) -> [Device] {
        do throws(Failure) {
            return try await server.attempt("list devices", await server.devices.list()).values
        } catch  where [.forbidden, .unsupported].contains(error.kind) {
            context.console.notice("the server's own devices are left out: \(error.message)")
            return []
        }
    }
}
