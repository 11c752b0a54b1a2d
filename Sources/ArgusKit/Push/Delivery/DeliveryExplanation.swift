package import ArgusCore
package import ArgusEvents

/// The reason why an event reached a receiver, or did not.
package struct DeliveryExplanation: Sendable {
    package enum Source: String, Sendable {
        /// The verdict of a dispatch.
        case recorded
        /// The verdict that the preferences of today give for the time of the event.
        case predicted
        /// The known facts about the server's own pushes to the device.
        case server
    }

    /// The reason why the server itself sends no push to one of its devices.
    package enum ServerReason: String, Sendable {
        /// The server has no push token of the device.
        case noToken = "no_push_token"
        /// Today's server sends pushes only for a VIP.
        case silent = "server_silent"
        case quietHours = "quiet_hours"
    }

    /// The reason why the service of a receiver cannot be used.
    package enum ServiceReason: String, Sendable {
        /// The key or the service account is missing or unusable.
        case noKey = "no_key"
        /// Another setting is missing or unusable.
        case settings
    }

    package var source: Source
    /// True for an event that might happen, which no dispatch can have had.
    package var isHypothetical = false
    /// Nil for a device of the server.
    package var tokenID: String?
    package var deviceID: String?
    package var deviceName: String?
    package var service: DeliveryService?
    package var outcome: DeliveryRecord.Outcome
    /// The first rule or fact that prevents the delivery.
    package var reason: String?
    /// The receiver's setting that the rule applied.
    package var value: String?
    /// The names of the cameras in `value`; nil if the rule is about something else.
    package var cameraNames: [String]?
    /// The fault of the service, in words; nil if it can be used.
    package var fault: String?
    /// The time of the verdict, or the time for which it is predicted.
    package var at: Timestamp
    /// The names of the alert rules that match the event; nil if they are unknown.
    package var rules: [String]?
    /// The time at which the rule stops applying; nil if only a change of settings ends it.
    package var passesAt: Timestamp?

    /// Makes a hypothetical event of a camera.
    package static func event(camera: String?, type: String?, at time: Timestamp) -> Event {
        var event = Event(id: "")
        event.cameraID = camera
        event.timestamp = time
        event.smartDetectionType = type
        event.isDoorbellRing = type == "ring" ? true : nil
        return event
    }

    /// Explains an event for a receiver of the registry: by the last record of it, else by the
    /// preferences of today at the time of the event.
    package init(
        _ event: Event, for token: DeliveryToken, records: [DeliveryRecord], at now: Timestamp,
        zone: TimeZoneRules?
    ) {
        if let record = records.last(where: { $0.tokenID == token.id }) {
            self.init(record, token)
        } else {
            let time = event.timestamp ?? now
            self.init(DeliveryRecord(deciding: event, for: token, at: time, in: zone), token)
            source = .predicted
            isHypothetical = event.id.isEmpty
        }
    }

    /// The ids of the receiver's cameras, if these keep the event from it.
    package var chosenCameras: [String]? {
        guard reason == DeliveryFilter.Rule.camera.rawValue else { return nil }
        return value.map { DeliveryToken.list(inWords: $0) }
    }

    /// Predicts that a mute keeps the event from the receiver.
    package mutating func predict(_ mute: Mute) {
        guard source == .predicted, [.sent, .silent].contains(outcome) else { return }
        (outcome, reason) = (.skipped, AlarmHold.Reason.muted.rawValue)
        (value, passesAt) = (mute.title, mute.until)
    }

    /// Predicts a failure in place of a delivery, since the service cannot be used.
    package mutating func predictFailure(_ error: DeliveryError) {
        guard source == .predicted, [.sent, .silent].contains(outcome) else { return }
        let cause: ServiceReason = error.kind == .credentials ? .noKey : .settings
        (outcome, reason, fault) = (.failed, cause.rawValue, error.description)
    }

    /// Explains a record; a nil token is no longer in the registry.
    package init(_ record: DeliveryRecord, _ token: DeliveryToken?) {
        source = .recorded
        (tokenID, deviceID) = (record.tokenID, token?.device.id)
        (deviceName, service) = (record.deviceName, record.service)
        (outcome, reason, at) = (record.outcome, record.reason, record.at)
        (value, passesAt) = (record.value, record.passesAt)
    }

    /// Explains the server's own pushes to one of its devices, at a time.
    package init(server device: Device, at time: Timestamp, zone: TimeZoneRules?) {
        source = .server
        deviceID = device.hardwareID ?? device.id
        deviceName = device.name
        (outcome, at) = (.skipped, time)
        let preferences = PushPreferences(device)
        if device.hasPushToken == false {
            reason = ServerReason.noToken.rawValue
        } else if let zone, let span = preferences.quietSpan, span.contains(zone.fields(of: time)) {
            reason = ServerReason.quietHours.rawValue
            value = "\(span.text) \(preferences.timezone)"
            passesAt = span.nextChange(after: time, in: zone)
        } else {
            reason = ServerReason.silent.rawValue
        }
    }
}
