import ArgusKit

/// Preferences, whose they are, and what they mean now.
struct PushPreferencesRow: Sendable {
    var target: PushPreferencesTarget
    var preferences: PushPreferences
    var cameraNames: [String]?
    var now: PushPreferencesNow
}

/// The canonical fields of push preferences.
enum PushPreferencesView {
    static let fields: [Field<PushPreferencesRow>] = [
        Field("id", "the server's id of them") { FieldValue($0.preferences.id) },
        Field("device_id", "the device that they are for; null for a subscription") {
            if case .device(let id) = $0.target { .text(id) } else { .null }
        },
        Field("endpoint", "the subscription that they are for, its secret left out") {
            if case .endpoint(let endpoint) = $0.target { .text(endpoint.shown) } else { .null }
        },
        Field("cameras", "the ids of the cameras; null means all, an empty list none") {
            FieldValue($0.preferences.cameras)
        },
        Field("camera_names", "their names, as far as they are known") {
            FieldValue($0.cameraNames)
        },
        Field("types", "person, vehicle, package, animal; null means all, an empty list none") {
            FieldValue($0.preferences.objects)
        },
        Field("quiet_hours_enabled", "whether there are quiet hours") {
            .bool($0.preferences.isQuietEnabled)
        },
        Field("quiet_hours_start", "when they begin, HH:MM") {
            FieldValue($0.preferences.quietStart)
        },
        Field("quiet_hours_end", "when they end, HH:MM") { FieldValue($0.preferences.quietEnd) },
        Field("quiet_hours_timezone", "the zone of these times") {
            .text($0.preferences.timezone)
        },
        Field(
            "quiet_hours_override_critical", "whether critical alerts come through; null: unknown"
        ) {
            FieldValue($0.preferences.overridesCritical)
        },
        Field("sound", "whether pushes make a sound") { .bool($0.preferences.hasSound) },
        Field("updated_at", "when they were last changed") {
            FieldValue($0.preferences.updatedAt)
        },
        Field("quiet_now", "whether quiet hours keep pushes back now") { .bool($0.now.isQuiet) },
        Field("changes_at", "when that changes next") { FieldValue($0.now.changesAt) },
        Field("summary", "what comes through now, in words") { .text($0.now.sentence) },
    ]

    /// The same for a table, where all (null) and none (an empty list) would both be `-`.
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
