import ArgusCore
import ArgusPush

/// A token of the registry, and what a command did with it.
struct DeliveryTokenRow: Sendable {
    var token: DeliveryToken
    var result: String?
}

enum DeliveryTokenView {
    static let fields: [Field<DeliveryToken>] = [
        .column("id", "the token's id here") { $0.id }.shortened,
        .hidden("device_id", "the id that the device chose") { $0.device.id }.shortened,
        .column("device_name", "the name of the device") { $0.device.name }.shrinking(1)
            .headed("device"),
        .hidden("device_model", "its model") { $0.device.model },
        .hidden("os_version", "its system's version") { $0.device.osVersion },
        .hidden("app_version", "its app's version") { $0.device.appVersion },
        .hidden("user", "the owner of the device") { $0.device.user },
        .hidden("platform", "its system: ios, ipados, watchos, tvos or android") {
            $0.device.platform?.rawValue
        },
        .column("service", "apns, fcm or webpush") { $0.service.rawValue },
        .hidden("token_type", "production or sandbox; null except for APNs") { $0.tokenType },
        .hidden("bundle_id", "its app's id; null except for APNs") { $0.bundleID },
        .column("address", "the token or endpoint, without its secret part") { $0.shownAddress }
            .shrinking(0),
        .column("active", "whether pushes are tried") { $0.isActive },
        .column("failure_count", "how many deliveries have failed since the last success") {
            $0.failureCount
        }.headed("failures"),
        .hidden("last_failure_at", "when one last failed") { $0.lastFailureAt },
        .hidden("last_failure_reason", "why") { $0.lastFailureReason },
        .column("last_used_at", "when a push was last delivered") { $0.lastUsedAt },
        .hidden("inactive_since", "since when pushes are not tried") { $0.inactiveSince },
        .hidden("created_at", "when it was added") { $0.createdAt },
        .hidden("updated_at", "when its token or device last changed") { $0.updatedAt },
        .hidden("cameras", "the ids of the cameras; null means all") { $0.preferences.cameras },
        .hidden("types", "the types of events; null means all") { $0.preferences.objects },
        .hidden("quiet_hours_enabled", "whether there are quiet hours") {
            $0.preferences.isQuietEnabled
        },
        .hidden("quiet_hours_start", "when they begin, HH:MM") { $0.preferences.quietStart },
        .hidden("quiet_hours_end", "when they end, HH:MM") { $0.preferences.quietEnd },
        .hidden("timezone", "the time zone of the quiet hours") { $0.preferences.timezone },
        .hidden("sound", "whether pushes make a sound") { $0.preferences.hasSound },
    ]

    /// The fields of verbs that change tokens; `summary` is that of the result.
    static func changedFields(_ summary: String) -> [Field<DeliveryTokenRow>] {
        fields.reading { (row: DeliveryTokenRow) in row.token } + [
            .column("result", summary) { $0.result }
        ]
    }

    static let addedFields = changedFields("created, updated or unchanged")
    static let cleanedFields = changedFields("why it was removed: inactive, failing or unused")
}

extension DeliveryToken {
    fileprivate var tokenType: String? {
        if case .apns(_, let type, _) = address { type.rawValue } else { nil }
    }

    fileprivate var bundleID: String? {
        if case .apns(_, _, let bundleID) = address { bundleID } else { nil }
    }

    /// The address without what lets its holder push: `…a1b2`, `https://push.example/…a1b2`.
    fileprivate var shownAddress: String {
        switch address {
        case .apns(let token, _, _), .fcm(let token): "…" + token.text.reveal().suffix(4)
        case .webPush(let endpoint, _): endpoint.shown
        }
    }
}
