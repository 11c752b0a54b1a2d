import ArgusKit

/// The canonical fields of the verdicts about deliveries.
enum DeliveryRecordView {
    static let fields: [Field<DeliveryRecord>] = [
        .hidden("at", "when it was decided") { $0.at },
        .column("event_id", "the event") { $0.eventID }.shortened,
        .column("token_id", "the receiver, as 'push tokens list' shows it") { $0.tokenID }
            .shortened,
        .column("device_name", "the name of its device") { $0.deviceName }.shrinking(1)
            .headed("device"),
        .hidden("platform", "the device's system") { $0.platform },
        .column("service", "apns, fcm or webpush") { $0.service.rawValue },
        .column(
            "outcome", "sent, silent (without sound), skipped, failed, removed or deactivated"
        ) { $0.outcome.rawValue }.colored { DeliveryColors.color(of: $0) },
        .column(
            "reason",
            "what kept it: too_old, inactive, camera, type, quiet_hours or already_dispatched; "
                + "why it failed"
        ) { $0.reason }.shrinking(0),
        .column("http_status", "the status of the push service's last answer") { $0.httpStatus }
            .headed("status"),
        .hidden("attempts", "how often it was tried") { $0.attempts },
        .hidden("duration_ms", "how many milliseconds all tries took") { $0.milliseconds },
    ]
}

/// The colours of outcomes.
enum DeliveryColors {
    static func color(of value: FieldValue) -> TextColor? {
        switch value {
        case .text("sent"), .text("silent"): .green
        case .text("failed"), .text("removed"), .text("deactivated"): .red
        default: nil
        }
    }
}
