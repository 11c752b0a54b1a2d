import ArgusKit

/// A device, and whether it is the one that argus runs on.
struct DeviceRow: Sendable {
    var device: Device
    var isThisDevice: Bool
}

/// The canonical fields of a device (contract section 2).
enum DeviceView {
    static let fields: [Field<DeviceRow>] = [
        Field("id", "the server's id of it") { .text($0.device.id) },
        Field("hardware_id", "the id that it gave itself", isColumn: false) {
            FieldValue($0.device.hardwareID)
        },
        Field("name", "what it is called") { FieldValue($0.device.name) },
        Field("platform", "ios, android, web and others") { FieldValue($0.device.platform) },
        Field("model", "what it says it is") { FieldValue($0.device.model) },
        Field("last_seen_at", "when it last asked for something") {
            FieldValue($0.device.lastSeenAt)
        },
        Field("paired", "whether it was let in by a code", isColumn: false) {
            FieldValue($0.device.isPaired)
        },
        Field("inactive", "whether it has not been seen for long", isColumn: false) {
            FieldValue($0.device.isInactive)
        },
        Field("this_device", "whether argus runs on it now") { .bool($0.isThisDevice) },
        Field("created_at", "when it was registered first", isColumn: false) {
            FieldValue($0.device.createdAt)
        },
        Field("quiet_hours_enabled", "whether it has quiet hours", isColumn: false) {
            FieldValue($0.device.quietHours.isEnabled)
        },
        Field("quiet_hours_start", "when they begin, HH:MM", isColumn: false) {
            FieldValue($0.device.quietHours.start)
        },
        Field("quiet_hours_end", "when they end, HH:MM", isColumn: false) {
            FieldValue($0.device.quietHours.end)
        },
        Field("quiet_hours_timezone", "the zone of these times", isColumn: false) {
            FieldValue($0.device.quietHours.timezone)
        },
        Field(
            "quiet_hours_override_critical", "whether critical alerts come through all the same",
            isColumn: false
        ) { FieldValue($0.device.quietHours.overridesCritical) },
    ]

    /// All of them as columns, for commands that show one device.
    static let detailFields: [Field<DeviceRow>] = fields.map { field in
        Field(field.name, field.summary) { field.value($0) }
    }
}
