import ArgusAccount
import ArgusCore
import ArgusPush
import ArgusTestSupport
import ArgusTransport
import Synchronization

@testable import ArgusEvents
@testable import ArgusKit

/// A server of a drill that reacts as a test says.
final class ScriptedDrillServer: DrillServer {
    struct Script {
        /// The failure of the request to store.
        var refusal: APIError?
        /// True if the event is stored although its answer was lost.
        var storesAnyway = false
        var listFailure: APIError?
        var isListed = true
        /// The reason why the stream is closed.
        var streamEnd: String?
        var isAnnounced = true
        var deletionFailure: APIError?
        /// What happens on this machine once the event is stored.
        var whenStored: @Sendable (Event) -> Void = { _ in }
    }

    private struct State {
        var stored: [NewEvent] = []
        var deleted: [String] = []
        var announced: (@Sendable (String) -> Void)?
    }

    private let script: Script
    private let state = Mutex(State())

    init(_ script: Script = Script()) { self.script = script }

    static let id = "81811397-0814-4ddc-ab22-177b9b7249f7"

    var stored: [NewEvent] { state.withLock(\.stored) }
    var deleted: [String] { state.withLock(\.deleted) }

    func followAnnouncements(
        whenOpen: @Sendable () -> Void, _ announced: @Sendable (String) -> Void
    ) async -> String {
        if let end = script.streamEnd { return end }
        whenOpen()
        while !Task.isCancelled {
            if script.isAnnounced, !stored.isEmpty { announced(Self.id) }
            await Task.yield()
        }
        return "cancelled"
    }

    func store(_ new: NewEvent) async throws(APIError) -> Event {
        if let refusal = script.refusal {
            if script.storesAnyway { state.withLock { $0.stored.append(new) } }
            throw refusal
        }
        state.withLock { $0.stored.append(new) }
        var event = Event(id: Self.id)
        (event.cameraID, event.timestamp) = (new.cameraID, new.timestamp)
        (event.description, event.objects) = (new.description, new.objects)
        (event.confidence, event.alertTriggered) = (new.confidence, false)
        script.whenStored(event)
        return event
    }

    func lists(_ event: Event) async throws(APIError) -> Bool {
        if let failure = script.listFailure { throw failure }
        return script.isListed
    }

    func find(_ event: NewEvent) async throws(APIError) -> String? {
        stored.contains(event) ? Self.id : nil
    }

    func delete(_ id: String) async throws(APIError) {
        if let failure = script.deletionFailure { throw failure }
        state.withLock { $0.deleted.append(id) }
    }
}

/// A clock whose short pauses pass at once, and whose long ones last until others have taken them up.
final class SteppingClock: Sendable {
    private let time = Mutex(Duration.zero)

    var clock: RunClock {
        RunClock(
            now: { ManualClock.origin + self.now }, monotonic: { self.now },
            sleep: { try await self.sleep($0) })
    }

    private var now: Duration { time.withLock(\.self) }

    private func sleep(_ duration: Duration) async throws {
        let isShort = duration < .seconds(1)
        let due = now + duration
        if isShort { time.withLock { $0 += duration } }
        await Task.yield()
        while now < due {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
