import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusPush

/// Receivers and events of tests.
enum Deliveries {
    /// 2026-11-21, 12:00:00 UTC.
    static let now = Timestamp(seconds: 1_795_262_400)
    static let p256dh =
        "BEwAuJfTyzr8mb63rf2fkqJaMQhXveQMaG0DPZrZPz9wSYiS5_JYt13M01Q-M7Oo-Z2LAhWPjJI6-8XmhO1X1do"

    static func apns(
        _ id: String, letter: String = "a", device: String? = nil, name: String? = nil
    ) throws -> DeliveryToken {
        let token = try PushToken(String(repeating: letter, count: 64), for: .apns)
        return DeliveryToken(
            id: id, address: .apns(token: token, type: .production, bundleID: "org.example.app"),
            device: DeviceDescription(id: device, name: name), createdAt: now)
    }

    static func fcm(_ id: String, letter: String = "f", device: String? = nil) throws
        -> DeliveryToken
    {
        let token = try PushToken(String(repeating: letter, count: 140), for: .fcm)
        return DeliveryToken(
            id: id, address: .fcm(token: token), device: DeviceDescription(id: device),
            createdAt: now)
    }

    static func web(_ id: String, path: String = "a") throws -> DeliveryToken {
        DeliveryToken(
            id: id,
            address: .webPush(
                endpoint: try PushEndpoint("https://push.example/send/\(path)"),
                keys: try PushKeys(p256dh: p256dh, auth: "AAAAAAAAAAAAAAAAAAAAAA")),
            createdAt: now)
    }

    static func event(
        _ id: String = "e1", camera: String? = "c1", type: String? = "person",
        at time: Timestamp? = now
    ) -> Event {
        var event = Event(id: id)
        (event.cameraID, event.cameraName) = (camera, "Front Door")
        (event.smartDetectionType, event.timestamp) = (type, time)
        return event
    }
}

/// A store of secrets in memory.
final class MemoryStore: CredentialStore {
    private struct State {
        var values: [CredentialKey: Redacted<[UInt8]>] = [:]
        var failure: AccountError?
        var writes = 0
    }

    let name = "memory"
    private let state = Mutex(State())

    /// The number of values written.
    var writes: Int { state.withLock { $0.writes } }

    /// Lets every call fail from now on; nil ends that.
    func fail(_ failure: AccountError?) { state.withLock { $0.failure = failure } }

    func read(_ key: CredentialKey) async throws(AccountError) -> Redacted<[UInt8]>? {
        let (value, failure) = state.withLock { ($0.values[key], $0.failure) }
        if let failure { throw failure }
        return value
    }

    func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(AccountError) {
        let failure = state.withLock { state in
            if state.failure == nil {
                state.values[key] = value
                state.writes += 1
            }
            return state.failure
        }
        if let failure { throw failure }
    }

    func erase(_ key: CredentialKey) async throws(AccountError) {
        state.withLock { $0.values[key] = nil }
    }
}

/// A provider that answers as a test says, and records an issue for a token without an answer.
final class ScriptedProvider: PushProvider {
    private struct State {
        var answers: [String: [DeliveryAnswer]] = [:]
        var sent: [(token: String, payload: PushPayload, isSilent: Bool)] = []
        var inFlight = 0
        var most = 0
        var holds = false
        /// The one receiver that hangs; nil for all.
        var holding: String?
        var held: [CheckedContinuation<Void, Never>] = []
        var sentWatchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let service: DeliveryService
    private let state = Mutex(State())

    init(_ service: DeliveryService = .apns) { self.service = service }

    /// The tokens in the order of the sends.
    var sent: [String] { state.withLock { $0.sent.map(\.token) } }
    var silent: [String] { state.withLock { $0.sent.filter(\.isSilent).map(\.token) } }
    var payloads: [PushPayload] { state.withLock { $0.sent.map(\.payload) } }
    /// The most sends at a time.
    var most: Int { state.withLock { $0.most } }

    func answer(_ token: String, _ verdicts: DeliveryAnswer.Verdict..., status: Int? = 200) {
        state.withLock { state in
            state.answers[token] = verdicts.map {
                DeliveryAnswer(
                    verdict: $0, reason: $0 == .accepted ? nil : "\($0)", httpStatus: status,
                    duration: .milliseconds(48))
            }
        }
    }

    /// Accepts so many pushes to a token.
    func answers(_ token: String, _ count: Int) {
        state.withLock {
            $0.answers[token] = Array(repeating: DeliveryAnswer(verdict: .accepted), count: count)
        }
    }

    /// Keeps sends in flight until `release`, or only those to one receiver.
    func hold(_ token: String? = nil) { state.withLock { ($0.holds, $0.holding) = (true, token) } }

    /// Waits until so many sends have begun.
    func waitForSent(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sent.count >= count { return true }
                state.sentWatchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func release() {
        let held = state.withLock { state in
            state.holds = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Holds a send; the end of its task releases all.
    private func hold(
        cancelled: @escaping @Sendable () -> Void,
        _ body: (CheckedContinuation<Void, Never>) -> Void
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { body($0) }
        } onCancel: {
            cancelled()
        }
    }

    /// Waits until so many sends are held.
    func waitForHeld(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.held.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func prepare(
        _ payload: PushPayload, for token: DeliveryToken, isSilent: Bool
    ) async throws(DeliveryError) -> PreparedPush {
        let watchers = state.withLock { state in
            state.sent.append((token.id, payload, isSilent))
            let woken = state.sentWatchers.filter { $0.count <= state.sent.count }
            state.sentWatchers.removeAll { $0.count <= state.sent.count }
            return woken.map(\.continuation)
        }
        for watcher in watchers { watcher.resume() }
        return PreparedPush(
            service: service, origin: Origin(scheme: .https, host: "push.example", port: 443),
            target: Redacted("/", masking: []), headers: [], document: [],
            body: Redacted([UInt8](), masking: []), size: 0, limit: 4096, payload: payload,
            isSilent: isSilent, wasShortened: false)
    }

    func send(_ push: PreparedPush, to token: DeliveryToken) async -> DeliveryAnswer {
        state.withLock { state in
            state.inFlight += 1
            state.most = max(state.most, state.inFlight)
        }
        if state.withLock({ $0.holds && ($0.holding ?? token.id) == token.id }) {
            await hold(cancelled: { self.release() }) { continuation in
                let watchers = state.withLock { state in
                    state.held.append(continuation)
                    let woken = state.watchers.filter { $0.count <= state.held.count }
                    state.watchers.removeAll { $0.count <= state.held.count }
                    return woken.map(\.continuation)
                }
                for watcher in watchers { watcher.resume() }
            }
        }
        let answer = state.withLock { state in
            state.inFlight -= 1
            guard var answers = state.answers[token.id], !answers.isEmpty else {
                return nil as DeliveryAnswer?
            }
            let answer = answers.removeFirst()
            state.answers[token.id] = answers
            return answer
        }
        if let answer { return answer }
        Issue.record("nothing was to be sent to \(token.id)")
        return DeliveryAnswer(verdict: .accepted)
    }
}
