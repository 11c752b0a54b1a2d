import ArgusKit

/// The canonical fields of native push registrations (contract section 2).
enum PushRegistrationView {
    static let fields: [Field<PushRegistration>] = [
        Field("id", "the server's id of it", isColumn: false) { FieldValue($0.id) },
        Field("device_id", "the id that the device gave itself") { .text($0.deviceID) },
        Field("platform", "as the server keeps it") { FieldValue($0.platform) },
        Field("service", "apns or fcm") { FieldValue($0.service?.rawValue) },
        Field("token_type", "production or sandbox") { FieldValue($0.tokenType?.rawValue) },
        Field("model", "the device's model", isColumn: false) { FieldValue($0.model) },
        Field("os_version", "its system's version", isColumn: false) {
            FieldValue($0.osVersion)
        },
        Field("app_version", "its app's version", isColumn: false) { FieldValue($0.appVersion) },
        Field("bundle_id", "its app's id", isColumn: false) { FieldValue($0.bundleID) },
        Field("created_at", "when it was registered", isColumn: false) {
            FieldValue($0.createdAt)
        },
        Field("updated_at", "when its token last changed", isColumn: false) {
            FieldValue($0.updatedAt)
        },
        Field("last_used_at", "when a push last reached it", isColumn: false) {
            FieldValue($0.lastUsedAt)
        },
        Field("active", "whether pushes are tried", isColumn: false) { FieldValue($0.isActive) },
        Field("failure_count", "how many pushes failed since", isColumn: false) {
            FieldValue($0.failureCount)
        },
        Field("last_failure_at", "when one last failed", isColumn: false) {
            FieldValue($0.lastFailureAt)
        },
        Field("last_failure_reason", "why", isColumn: false) { FieldValue($0.lastFailureReason) },
        Field("preferences_created", "whether preferences were made with it", isColumn: false) {
            FieldValue($0.preferencesCreated)
        },
        Field("result", "created, updated or unchanged; null where nothing was sent") {
            FieldValue($0.result?.rawValue)
        },
    ]
}

/// A Web Push subscription, and whether this machine made it.
struct SubscriptionRow: Sendable {
    var subscription: PushSubscription
    var isMine: Bool
    var result: PushRegistration.Result?
}

/// The canonical fields of Web Push subscriptions.
enum SubscriptionView {
    static let fields: [Field<SubscriptionRow>] = [
        Field("id", "the server's id of it") { FieldValue($0.subscription.id) },
        Field("mine", "whether this machine made it") { .bool($0.isMine) },
        Field("endpoint", "where pushes go, without what is secret of it") {
            FieldValue($0.subscription.endpoint.map(PushEndpoint.shown))
        },
        Field("user_agent", "what subscribed") { FieldValue($0.subscription.userAgent) },
        Field("created_at", "when it was made") { FieldValue($0.subscription.createdAt) },
        Field("last_used_at", "when a push was last sent to it") {
            FieldValue($0.subscription.lastUsedAt)
        },
    ]

    static let madeFields: [Field<SubscriptionRow>] =
        fields + [
            Field("result", "created, updated or unchanged") { FieldValue($0.result?.rawValue) }
        ]
}

/// The result of a test push for this machine.
struct PushTestRow: Sendable {
    var report: PushTestReport
    var own: PushTestReport.Delivery
}

/// The fields of a test push.
enum PushTestView {
    static let fields: [Field<PushTestRow>] = [
        Field("id", "this machine's subscription") { .text($0.own.id) },
        Field("delivered", "whether its push service took the test") {
            .bool($0.own.isDelivered)
        },
        Field("error", "why not") { FieldValue($0.own.error) },
        Field("subscriptions", "how many subscriptions were tried in all") {
            .integer(Int64($0.report.deliveries.count))
        },
        Field("failures", "how many of these failed") {
            .integer(Int64($0.report.deliveries.count { !$0.isDelivered }))
        },
    ]
}
