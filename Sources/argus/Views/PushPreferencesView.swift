import ArgusCore
import ArgusPush

/// Push preferences, their owner and their present effect.
struct PushPreferencesRow: Sendable {
    /// The owner at a server; nil for a receiver of argus's own deliveries.
    var target: PushPreferencesTarget?
    /// The receiver of argus's own deliveries.
    var token: DeliveryToken?
    var preferences: PushPreferences
    var cameraNames: [String]?
    var now: PushPreferencesEffect
}

enum PushPreferencesView {
    static let fields: [Field<PushPreferencesRow>] = [
        .column("id", "the server's id for them") { $0.preferences.id },
        .column("device_id", "the device; null for a subscription") { row -> String? in
            if case .device(let id) = row.target { id } else { row.token?.device.id }
        },
        .column("endpoint", "the endpoint of the subscription, without its secret") {
            row -> String? in
            if case .endpoint(let endpoint) = row.target { endpoint.shown } else { nil }
        },
        .hidden("token_id", "the receiver of 'notify receivers list'; null at a server") {
            $0.token?.id
        },
        .column("cameras", "the ids of the cameras; null means all, an empty list none") {
            $0.preferences.cameras
        },
        .column("camera_names", "the cameras' names, where known") { $0.cameraNames },
        .column("types", "person, vehicle, package, animal; null means all, an empty list none") {
            $0.preferences.objects
        },
        .column("quiet_hours_enabled", "whether there are quiet hours") {
            $0.preferences.isQuietEnabled
        },
        .column("quiet_hours_start", "when they begin, HH:MM") { $0.preferences.quietStart },
        .column("quiet_hours_end", "when they end, HH:MM") { $0.preferences.quietEnd },
        .column("quiet_hours_timezone", "the time zone of the quiet hours") {
            $0.preferences.timezone
        },
        .column(
            "quiet_hours_override_critical", "whether critical alerts come through; null if unknown"
        ) { $0.preferences.overridesCritical },
        .column("sound", "whether pushes make a sound") { $0.preferences.hasSound },
        .column("updated_at", "when they were last changed") { $0.preferences.updatedAt },
        .column("quiet_now", "whether it is quiet now") { $0.now.isQuiet },
        .column("changes_at", "when that next changes") { $0.now.changesAt },
        .column("summary", "what comes through now, in words") { $0.now.sentence },
    ]

    /// The fields for a table, with words for all (null) and none (an empty list), else both `-`.
    static let tableFields: [Field<PushPreferencesRow>] = fields.map { field in
        guard ["cameras", "camera_names", "types"].contains(field.name) else { return field }
        var inWords = field
        inWords.value = { row in
            switch field.value(row) {
            case .null: .text("all")
            case .list(let values) where values.isEmpty: .text("none")
            case let value: value
            }
        }
        return inWords
    }
}
