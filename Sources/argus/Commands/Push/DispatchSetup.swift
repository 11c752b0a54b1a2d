import ArgusKit
import Synchronization

// The setup of a dispatch, and the exit status of its verdicts.
extension Context {
    /// The service that delivers events to the receivers.
    ///
    /// - Throws: `Failure` of a setting.
    func dispatcher(
        maxAge: Duration?, report: @escaping @Sendable (DeliveryReport) -> Void
    ) throws(Failure) -> DeliveryDispatcher {
        let (system, settings) = (system, try PushSettings(of: self))
        let zones = TimeZoneMemory { system.zone(named: $0) }
        return DeliveryDispatcher(
            try deliveryTokens(), try deliveryLog(), try PushProviders(of: self, settings),
            DeliveryDispatcher.Setup(
                maxAge: maxAge, publicURL: settings.publicURL, now: now,
                sleep: system.sleep, zone: { zones[$0] }, report: report))
    }
}

/// The rules of time zones, each read once.
final class TimeZoneMemory: Sendable {
    private let read: @Sendable (String) -> TimeZoneRules?
    private let known = Mutex<[String: TimeZoneRules?]>([:])

    init(_ read: @escaping @Sendable (String) -> TimeZoneRules?) { self.read = read }

    subscript(name: String) -> TimeZoneRules? {
        known.withLock { known in
            if let rules = known[name] { return rules }
            let rules = read(name)
            known[name] = .some(rules)
            return rules
        }
    }
}

extension BatchResult {
    /// Records the verdicts about an event: what was sent or skipped is a success.
    mutating func record(_ records: [DeliveryRecord]) {
        for verdict in records {
            let failure = verdict.cause.map { cause in
                Failure(cause, verdict)
            }
            record(failure, of: verdict.deviceName ?? String(verdict.tokenID.prefix(8)))
        }
    }
}

extension Failure {
    /// The failure of a delivery.
    fileprivate init(_ cause: DeliveryRecord.Cause, _ record: DeliveryRecord) {
        let reason = record.reason ?? "it was not delivered"
        switch cause {
        case .unsent(let error): self.init(error)
        case .provider(let fault):
            self.init(ExitKind(fault), "\(record.service.name): \(reason)")
        case .token where record.outcome == .removed: self.init(.notFound, reason)
        case .token: self.init(ExitKind(ofReceiver: record.httpStatus), reason)
        }
        httpStatus = record.httpStatus
    }
}
