import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusPush
import ArgusTransport
import CommandLineKit

enum NotifySend: ArgusCommand {
    struct Options: VerbOptions {
        var receiver = ReceiverOptions()
        var title: String?
        var body: String?
        var data: [APITextField] = []
        var event: String?
        var isSilent = false
        var withNotification = false
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "send", summary: "Push one notification to a receiver", effect: .sends,
        description: """
            Sends a notification from this machine by APNs, FCM or Web Push, without a server. The
            receiver is one of \(command: "notify receivers list"), or is given by its address.
            With \(flag: "event") it is the notification of that event; \(flag: "title"),
            \(flag: "body") and \(flag: "data") replace parts of it, or make one of their own.
            argus shortens a text that is too long for the service.

            \(flag: "dry-run") prints the request with its payload, header fields and size, and
            sends nothing. APNs and FCM need keys: see
            \(code: "share/doc/argus/docs/push.md").
            """,
        examples: [
            "argus notify send --device \"Ann's phone\" --title Hello --body 'From the shell'":
                "A test of one device",
            "argus notify send --apns-token @token --bundle-id com.example.app --event latest "
                + "--dry-run --json | jq .payload": "What an app would get for the last event",
        ],
        exitStatuses: .requests(3, 11), prints: .objects(NotifySendView.fields))

    static let flags: [Flag<Options>] =
        ReceiverOptions.flags(at: \Options.receiver) + [
            .option("title", value: "TEXT", sets: \.title, "The title"),
            .option("body", value: "TEXT", sets: \.body, "The text"),
            .repeatable(
                "data", value: "KEY=VALUE", appends: \.data,
                "A member for the app, such as camera_id=…"),
            .option("event", value: "EVENT", sets: \.event, "The notification of an event")
                .completing(.dynamic("events")),
            .toggle("silent", sets: \.isSilent, "Without a sound"),
            .toggle(
                "with-notification", sets: \.withNotification,
                "Let Android show it, not the app (FCM)"),
            .toggle("dry-run", sets: \.isDryRun, "Print the request, and send nothing"),
        ]

    static func validate(_ options: Options) throws(UsageError) {
        try options.receiver.validate()
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        var settings = try PushSettings(of: context)
        settings.fcmWithNotification = options.withNotification
        let providers = try PushProviders(of: context, settings)
        let tokens = try await options.receiver.tokens(in: context)
        let printer = try context.printer(of: NotifySendView.fields, .operands(tokens.count))
        let payload = try await payload(options, settings, in: context)
        let isForMachines = try context.isForMachines()
        var outcome = BatchResult()
        for token in tokens {
            try await outcome.collect(token.shownReceiver) { () async throws(Failure) in
                let row = try await push(payload, to: token, options, providers, in: context)
                if isForMachines || options.isDryRun { try printer.write(row) }
                if let failure = row.answer?.failure(to: token.shownReceiver) { throw failure }
                if let answer = row.answer, !isForMachines { notice(answer, of: row, in: context) }
            }
        }
        if isForMachines || options.isDryRun { try printer.finish() }
        try outcome.finish()
    }

    /// Prepares a push; except in a dry run, sends it, and counts the result for a token of the
    /// registry.
    private static func push(
        _ payload: PushPayload, to token: DeliveryToken, _ options: Options,
        _ providers: PushProviders, in context: Context
    ) async throws(Failure) -> NotifySendRow {
        let provider = try attempt(providers.provider(for: token.service))
        let push = try await attempt(
            awaiting: await provider.prepare(payload, for: token, isSilent: options.isSilent))
        guard !options.isDryRun else { return NotifySendRow(token: token, push: push) }
        let answer = await provider.send(push, to: token)
        if !token.id.isEmpty {
            let (now, store) = (context.now(), try context.receivers())
            do throws(AccountError) {
                try await store.change { $0.record(answer, of: token, at: now) }
            } catch {
                // The push is done: a failure would have it sent again.
                context.console.warn("the result cannot be recorded for the receiver: \(error)")
            }
        }
        return NotifySendRow(token: token, push: push, answer: answer)
    }

    private static func notice(_ answer: DeliveryAnswer, of row: NotifySendRow, in context: Context)
    {
        let shortened = row.push.wasShortened ? ", with a shorter text" : ""
        context.console.notice(
            "\(row.push.service.name) accepted the push to \(row.token.shownReceiver) after "
                + "\(answer.duration.words)\(shortened)")
    }

    private static func payload(
        _ options: Options, _ settings: PushSettings, in context: Context
    ) async throws(Failure) -> PushPayload {
        var payload = PushPayload(
            title: "Test notification", body: "argus notify send reached this device")
        payload.sound = "default"
        if let name = options.event {
            let server = try await context.server()
            let detail = try await server.event(named: name, to: "push", in: context).detail
            payload = PushPayload(event: detail.event, publicURL: settings.publicURL)
        } else {
            payload.timestamp = context.now()
        }
        if let title = options.title { payload.title = title }
        if let body = options.body { payload.body = body }
        for field in options.data {
            guard case .text(let text) = field.field.value else { continue }
            payload.set(field.field.name, text)
        }
        return payload
    }
}

extension DeliveryToken {
    fileprivate var shownReceiver: String {
        if let name = device.name { return "'\(name)'" }
        guard id.isEmpty else { return String(id.prefix(8)) }
        return switch address {
        case .webPush(let endpoint, _): endpoint.shown
        case .apns: "the token of APNs"
        case .fcm: "the token of FCM"
        }
    }
}
