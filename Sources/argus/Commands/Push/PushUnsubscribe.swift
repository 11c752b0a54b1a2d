import ArgusAccount
import ArgusPush
import CommandLineKit

enum PushUnsubscribe: ArgusCommand {
    struct Options: VerbOptions {
        var subscription: String?
        var endpoint: PushEndpoint?
        var assumesYes = false
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "unsubscribe", summary: "End a Web Push subscription", effect: .deletes,
        description: """
            Without an id or \(flag: "endpoint"), it is the subscription of this machine. To end
            another one, type \(code: "yes") or pass \(flag: "yes"); if the server lists only a
            part of its endpoint, give the whole one.
            """,
        examples: [
            "argus push unsubscribe": "The one of this machine",
            "argus push unsubscribe 846d1c4d": "By the start of its id",
        ],
        exitStatuses: .requests(3), prints: .objects(SubscriptionView.fields))

    static let flags: [Flag<Options>] = [
        .option("endpoint", value: "URL", sets: \.endpoint, "The endpoint of the subscription")
            .sensitive(), .yes(\.assumesYes), .dryRun(\.isDryRun, "ended"),
    ]

    static let arguments: [Argument<Options>] = [
        .optional("SUBSCRIPTION", sets: \.subscription, "A subscription's id, or the start of it")
            .completing(.dynamic("subscriptions"))
    ]

    static func validate(_ options: Options) throws(UsageError) {
        try UsageError.rejectBoth(
            "an id", options.subscription != nil, "--endpoint", options.endpoint != nil)
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: SubscriptionView.fields, .operands(1))
        let stored = try await attempt(awaiting: await context.secrets.storedPush(of: server))
        let endpoint =
            if let given = options.endpoint { given } else {
                try await server.endpoint(ofSubscription: options.subscription, among: stored)
            }
        let own = stored.subscriptions.first { $0.endpoint == endpoint }
        var subscription = PushSubscription(id: own?.subscriptionID, endpoint: endpoint.shown)
        subscription.userAgent = own?.userAgent
        let row = SubscriptionRow(subscription: subscription, isMine: own != nil)
        if options.isDryRun { return try context.preview([row], with: printer) }
        if own == nil, !options.assumesYes {
            try context.console.confirm(
                "End it?", below: ["\(endpoint.shown) was not subscribed from here."],
                otherwise: "no subscription was ended")
        }
        let wasThere = try await server.attempt(
            "unsubscribe from pushes", await server.subscriber.unsubscribe(endpoint))
        try await attempt(
            awaiting: await context.secrets.changePush(of: server) { push in
                push.subscriptions.removeAll { $0.endpoint == endpoint }
            })
        let outcome = wasThere ? "gets no more pushes from" : "was not subscribed to pushes of"
        try context.report(row, with: printer, "\(endpoint.shown) \(outcome) '\(server.name)'")
    }
}
