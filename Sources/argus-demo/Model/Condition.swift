/// What the server says about itself: its machine, its AI, and its connection to Protect.
struct Condition: Sendable {
    /// The connection to a Protect controller.
    enum Protect: String, Sendable, CaseIterable {
        /// No controller is configured.
        case none
        case connected
        /// Lost 20 minutes before the server started.
        case disconnected
        /// Said to be connected, but without a message for as long.
        case silent
    }

    enum CostCap: String, Sendable, CaseIterable {
        case daily, monthly
    }

    var protect = Protect.none
    /// The events that wait for a description; the server drops more than 50.
    var queue = 0
    /// The used part of the disk in percent.
    var disk = 24
    /// The percentage of events for which the AI failed.
    var undescribed = 0
    /// The cap that pauses descriptions.
    var costCap: CostCap?
    /// The number of other paths that clients asked for, each of which stays in `/metrics`.
    var askedPaths = 0
    var cameraFaults: [CameraFault] = []

    /// True if the server no longer calls the AI because it failed too often.
    var isBreakerOpen: Bool { undescribed >= 50 }

    /// What the server stores instead of a description; nil if there is one.
    ///
    /// The cap pauses the descriptions of recent events only.
    func excuse(for event: Event, isRecent: Bool) -> String? {
        if let costCap, isRecent { return "AI analysis paused - cost cap \(costCap.rawValue)" }
        let isLost = event.id.low % 100 < UInt64(undescribed)
        return isLost ? "AI analysis unavailable" : nil
    }
}

extension Condition {
    /// The failure of a camera; the last one that names it, or all cameras, counts.
    func fault(ofCamera name: String) -> CameraFault.Kind? {
        cameraFaults.last { $0.camera == nil || $0.camera == name }?.kind
    }
}

extension State {
    /// The seconds since the last message of Protect; nil without a controller.
    func protectAge(now: Moment) -> Double? {
        switch settings.condition.protect {
        case .none: nil
        case .connected: 2
        case .disconnected, .silent:
            1200 + Double(now.microseconds - startedAt.microseconds) / 1_000_000
        }
    }

    /// Takes the descriptions of past events away as the condition says.
    mutating func loseDescriptions() {
        let condition = settings.condition
        guard condition.undescribed > 0 || condition.costCap != nil else { return }
        for index in events.rows.indices {
            let isRecent = index >= events.rows.count - 20
            let event = events.rows[index]
            guard let excuse = condition.excuse(for: event, isRecent: isRecent) else { continue }
            let number = events.number(ofDescription: excuse)
            events.change(at: index) { $0.loseDescription(number) }
        }
    }

    /// Takes the description of a new event away if the condition says so.
    mutating func loseDescription(of event: inout Event) {
        guard let excuse = settings.condition.excuse(for: event, isRecent: true) else { return }
        event.loseDescription(events.number(ofDescription: excuse))
    }
}

extension Event {
    /// Replaces the description by another text of the store, without an analysis.
    fileprivate mutating func loseDescription(_ number: Int32) {
        description = number
        analysis = 0
        confidence = 0
    }
}
