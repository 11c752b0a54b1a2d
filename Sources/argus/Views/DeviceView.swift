import ArgusCore
import ArgusEvents

/// A device, marked if it is this machine.
struct DeviceRow: Sendable {
    var device: Device
    var isThisDevice: Bool
    /// True if argus signed in as this device, by pairing.
    var holdsSignIn = false
    /// True if it gets pushes; nil if neither the server nor this machine knows.
    var getsPushes: Bool?
}

enum DeviceView {
    static let fields: [Field<DeviceRow>] = [
        .column("id", "the server's id for it") { $0.device.id }.shortened,
        .hidden("hardware_id", "the id that the device chose") { $0.device.hardwareID }.shortened,
        .column("name", "its name") { $0.device.name }.shrinking(1).asHeadline,
        .column("platform", "ios, android, web and others") { $0.device.platform }
            .headed("os", label: "platform"),
        .column("model", "its model, as it claims") { $0.device.model }.shrinking(0),
        .column("last_seen_at", "when it last sent a request") { $0.device.lastSeenAt },
        .hidden("paired", "whether it was paired by a code") { $0.device.isPaired },
        .hidden("inactive", "whether it has not been seen for a long time") { $0.device.isInactive }
            .coloringYes(.yellow),
        .column("this_device", "whether it is this machine") { $0.isThisDevice }
            .coloringYes(.green).headed("this", label: "this device"),
        .hidden("created_at", "when it was first registered") { $0.device.createdAt },
        .hidden("quiet_hours_enabled", "whether it has quiet hours") {
            $0.device.quietHours.isEnabled
        },
        .hidden("quiet_hours_start", "when they begin, HH:MM") { $0.device.quietHours.start },
        .hidden("quiet_hours_end", "when they end, HH:MM") { $0.device.quietHours.end },
        .hidden("quiet_hours_timezone", "the time zone of the quiet hours") {
            $0.device.quietHours.timezone
        },
        .hidden(
            "quiet_hours_override_critical", "whether critical alerts come through anyway"
        ) { $0.device.quietHours.overridesCritical },
        .column(
            "gets_pushes",
            "whether it gets pushes; null if neither the server nor argus knows"
        ) { $0.getsPushes }.headed("push", label: "gets pushes"),
    ]

    static let detailFields: [Field<DeviceRow>] = fields.reading(asColumns: true) { $0 }
}
