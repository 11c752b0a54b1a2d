import ArgusCore
import ArgusPush

/// The canonical fields of native push registrations (docs/scripting.md, "Fields").
enum PushRegistrationView {
    static let fields: [Field<PushRegistration>] = [
        .hidden("id", "the server's id for it") { $0.id }.shortened,
        .column("device_id", "the id that the device chose") { $0.deviceID }.shortened,
        .column("platform", "the platform that the server stored") { $0.platform },
        .column("service", "apns or fcm") { $0.service?.rawValue },
        .column("token_type", "production or sandbox") { $0.tokenType?.rawValue },
        .hidden("model", "the device's model") { $0.model },
        .hidden("os_version", "its system's version") { $0.osVersion },
        .hidden("app_version", "its app's version") { $0.appVersion },
        .hidden("bundle_id", "its app's id") { $0.bundleID },
        .hidden("created_at", "when it was registered") { $0.createdAt },
        .hidden("updated_at", "when its token last changed") { $0.updatedAt },
        .hidden("last_used_at", "when a push last reached it") { $0.lastUsedAt },
        .hidden("active", "whether pushes are tried") { $0.isActive },
        .hidden("failure_count", "how many pushes have failed since") { $0.failureCount },
        .hidden("last_failure_at", "when one last failed") { $0.lastFailureAt },
        .hidden("last_failure_reason", "why") { $0.lastFailureReason },
        .hidden("preferences_created", "whether preferences were created with it") {
            $0.preferencesCreated
        },
        .column("result", "created, updated or unchanged; null where nothing was sent") {
            $0.result?.rawValue
        },
    ]
}

/// A Web Push subscription, marked if this machine made it.
struct SubscriptionRow: Sendable {
    var subscription: PushSubscription
    var isMine: Bool
    var result: PushRegistration.Result?
}

enum SubscriptionView {
    static let fields: [Field<SubscriptionRow>] = [
        .column("id", "the server's id for it") { $0.subscription.id }.shortened,
        .column("mine", "whether this machine made it") { $0.isMine }.coloringYes(.green),
        .column("endpoint", "the URL that gets pushes, without its secret") {
            $0.subscription.endpoint.map(PushEndpoint.shown)
        }.shrinking(0).headed("url"),
        .column("user_agent", "what subscribed") { $0.subscription.userAgent }.shrinking(0)
            .headed("from").leading,
        .column("created_at", "when it was made") { $0.subscription.createdAt },
        .column("last_used_at", "when a push was last sent to it") { $0.subscription.lastUsedAt },
    ]

    static let madeFields: [Field<SubscriptionRow>] =
        fields + [
            .column("result", "created, updated or unchanged") { $0.result?.rawValue }
        ]
}

/// The result of a test push for this machine.
struct PushTestRow: Sendable {
    var report: PushTestReport
    var own: PushTestReport.Delivery
    /// Its endpoint, without the secret part.
    var endpoint: String
}

enum PushTestView {
    static let fields: [Field<PushTestRow>] = [
        .column("id", "this machine's subscription") { $0.own.id },
        .column("delivered", "whether its push service took the test") { $0.own.isDelivered },
        .column("error", "why not") { $0.own.error },
        .column("endpoint", "the URL that gets pushes, without its secret") { $0.endpoint },
        .column("subscriptions", "how many subscriptions were tried") {
            $0.report.deliveries.count
        },
        .column("failures", "how many of these failed") {
            $0.report.deliveries.count { !$0.isDelivered }
        },
    ]
}

/// The canonical fields of the VAPID key; its private half is never printed.
enum VAPIDKeyView {
    static let fields: [Field<StoredVAPIDKey>] = [
        .column("public_key", "the applicationServerKey, in base64url") { $0.key.publicKey },
        .column("created_at", "when it was made") { $0.createdAt },
    ]
}
