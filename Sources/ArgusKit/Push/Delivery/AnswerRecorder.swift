import ArgusAccount
import ArgusCore

/// Records the answers of push services in the registry.
///
/// Failures, tokens that are gone and recoveries are written at once, so that the next event sees them;
/// other successes within two seconds. What comes during a write is in the next one together.
actor AnswerRecorder {
    /// The time for which a success may wait for others.
    static let delay = Duration.seconds(2)

    private struct Entry {
        var number: Int
        var token: DeliveryToken
        var answer: DeliveryAnswer
        var time: Timestamp

        /// True if the answer changes more than the time of the last success.
        var isUrgent: Bool { answer.verdict != .accepted || token.failureCount > 0 }
    }

    private let store: ReceiverStore
    private let setup: DeliveryDispatcher.Setup
    private var pending: [Entry] = []
    private var last = 0
    /// The entries that made a receiver inactive, until their callers have been notified.
    private var deactivations: Set<Int> = []
    /// The `revision` of the last write that changed a receiver, by the id of its token.
    private var changes: [String: Int] = [:]
    private var writing: Task<Void, Never>?
    private var timer: Task<Void, Never>?
    /// The number of writes, for `hasChanged`.
    private(set) var revision = 0

    init(_ store: ReceiverStore, _ setup: DeliveryDispatcher.Setup) {
        (self.store, self.setup) = (store, setup)
    }

    /// Returns true if a receiver may differ from the registry as it was at a revision.
    func hasChanged(_ token: String, since revision: Int) -> Bool {
        changes[token, default: 0] > revision
    }

    /// Records the answer to a push; true if it made the receiver inactive.
    func record(_ answer: DeliveryAnswer, of token: DeliveryToken, at now: Timestamp) async -> Bool
    {
        last += 1
        let entry = Entry(number: last, token: token, answer: answer, time: now)
        pending.append(entry)
        if entry.isUrgent {
            await flush()
        } else if timer == nil {
            timer = Task {
                do { try await setup.sleep(Self.delay) } catch { return }
                await flush()
            }
        }
        return deactivations.remove(entry.number) != nil
    }

    func flush() async {
        timer?.cancel()
        timer = nil
        while let writing { await writing.value }
        guard !pending.isEmpty else { return }
        let entries = pending
        pending = []
        // Of its own, so that the end of a delivery does not cut a write off.
        let task = Task {
            await write(entries)
            writing = nil
        }
        writing = task
        await task.value
    }

    private func write(_ entries: [Entry]) async {
        do throws(AccountError) {
            deactivations.formUnion(
                try await store.change { tokens in
                    entries.filter { entry in
                        let wasActive = tokens[entry.token.id]?.isActive == true
                        tokens.record(entry.answer, of: entry.token, at: entry.time)
                        return wasActive && tokens[entry.token.id]?.isActive == false
                    }.map(\.number)
                })
        } catch {
            setup.report(.notRecorded(error))
        }
        revision += 1
        for entry in entries where entry.isUrgent { changes[entry.token.id] = revision }
    }
}
