import ArgusCore
import ArgusEvents
import ArgusPush

/// The canonical fields of the reasons why an event reached receivers, or did not.
enum ExplanationView {
    static func fields(in zone: TimeZoneRules, now: Timestamp) -> [Field<DeliveryExplanation>] {
        [
            .column("device_name", "the name of the device") { $0.deviceName }.shrinking(1)
                .headed("device"),
            .hidden("device_id", "the id that the device chose") { $0.deviceID }.shortened,
            .hidden("token_id", "the receiver of 'notify receivers list'; null for the server's") {
                $0.tokenID
            }.shortened,
            .column("service", "apns, fcm or webpush; null for the server's") {
                $0.service?.rawValue
            },
            .column(
                "source",
                "recorded (notify run decided), predicted (it did not), or server (its own pushes)"
            ) { $0.source.rawValue },
            .column(
                "outcome", "sent, silent (without sound), skipped, failed, removed or deactivated"
            ) { $0.outcome.rawValue }.withOutcomeColors,
            .hidden("reason", "the first rule that kept it, or why it failed") { $0.reason },
            .hidden("value", "the receiver's setting to which the rule owes that") { $0.value },
            .hidden("rules", "the alert rules that match the event; null if they are unknown") {
                $0.rules
            },
            .hidden("at", "when that was decided, or for when it is predicted") { $0.at },
            .hidden("passes_at", "when the rule would let it pass; null if that takes a change") {
                $0.passesAt
            },
            .column("explanation", "all of it in words") { sentence($0, in: zone, now: now) }
                .shrinking(0, to: 24).continuing,
        ]
    }

    static func sentence(
        _ row: DeliveryExplanation, in zone: TimeZoneRules, now: Timestamp
    ) -> String {
        guard row.source != .server else { return serverSentence(row, in: zone, now: now) }
        let isRecorded = row.source == .recorded
        let time = row.at.displayText(in: zone)
        let isUnknown = !isRecorded && !row.isHypothetical
        let unknown = "no 'notify run' has had it"
        switch row.outcome {
        case .sent, .silent:
            let sound = row.outcome == .silent ? " without sound" : ""
            return isRecorded
                ? "delivered\(sound) at \(time)"
                : "would be delivered\(sound)" + (isUnknown ? ", but \(unknown)" : "")
        case .skipped:
            return skipWords(row, in: zone, now: now) + (isUnknown ? "; \(unknown)" : "")
        case .failed:
            let reason = row.fault ?? row.reason ?? "it failed"
            return isRecorded ? "not delivered: \(reason)" : "could not be delivered: \(reason)"
        case .removed: return "the receiver is gone, and was removed: \(row.reason ?? "")"
        case .deactivated: return "failed too often, inactive now: \(row.reason ?? "")"
        }
    }

    private static func skipWords(
        _ row: DeliveryExplanation, in zone: TimeZoneRules, now: Timestamp
    ) -> String {
        let value = row.cameraNames?.joined(separator: ", ") ?? row.value ?? "?"
        return switch row.reason.flatMap(DeliveryFilter.Rule.init(rawValue:)) {
        case .inactive: "the receiver is inactive: \(value)"
        case .camera: "its cameras are \(value)"
        case .type: "its types are \(value)"
        case .quietHours: quiet(row, in: zone, now: now)
        case nil where row.reason == AlarmHold.Reason.muted.rawValue:
            "muted\(end(row, in: zone)): \(value)"
        case nil where row.reason == AlarmHold.Reason.cooldown.rawValue:
            "it came in the cooldown of an earlier event: \(value)"
        case nil:
            row.reason == DeliveryRecord.tooOld
                ? "the event was too old when it became known" : "\(row.reason ?? "skipped")"
        }
    }

    private static func serverSentence(
        _ row: DeliveryExplanation, in zone: TimeZoneRules, now: Timestamp
    ) -> String {
        let silence = "today's server sends pushes only for a VIP"
        return switch row.reason.flatMap(DeliveryExplanation.ServerReason.init(rawValue:)) {
        case .noToken: "the server has no push token of it"
        case .quietHours: "\(quiet(row, in: zone, now: now)); \(silence)"
        case .silent, nil: silence
        }
    }

    private static func quiet(
        _ row: DeliveryExplanation, in zone: TimeZoneRules, now: Timestamp
    ) -> String {
        "it \(row.at > now ? "will be" : "was") quiet: \(row.value ?? "?")"
            + (row.passesAt == nil ? "" : ",") + end(row, in: zone)
    }

    private static func end(_ row: DeliveryExplanation, in zone: TimeZoneRules) -> String {
        row.passesAt.map { " until \($0.displayText(in: zone).dropLast(3))" } ?? ""
    }
}

enum DeliveryRecordView {
    static let fields: [Field<DeliveryRecord>] = [
        .hidden("at", "when it was decided") { $0.at },
        .column("event_id", "the event") { $0.eventID }.shortened,
        .column("token_id", "the receiver, as 'notify receivers list' shows it") { $0.tokenID }
            .shortened,
        .column("device_name", "the name of its device") { $0.deviceName }.shrinking(1)
            .headed("device"),
        .hidden("platform", "the device's system") { $0.platform },
        .column("service", "apns, fcm or webpush") { $0.service.rawValue },
        .column(
            "outcome", "sent, silent (without sound), skipped, failed, removed or deactivated"
        ) { $0.outcome.rawValue }.withOutcomeColors,
        .column(
            "reason",
            "what kept it: too_old, inactive, camera, type, quiet_hours, already_dispatched, "
                + "muted or cooldown; why it failed"
        ) { $0.reason }.shrinking(0),
        .column("http_status", "the status of the push service's last answer") { $0.httpStatus }
            .headed("status"),
        .hidden("attempts", "how often it was tried") { $0.attempts },
        .hidden("duration_ms", "how many milliseconds all tries took") { $0.milliseconds },
    ]
}
