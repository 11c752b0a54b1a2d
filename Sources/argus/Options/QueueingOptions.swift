import ArgusAccount
import ArgusCore
import ArgusKit
import CommandLineKit

/// The option of writes that may wait for their server.
struct QueueingOptions: OptionGroup, Equatable {
    var queuesIfDown = false

    static let own: [Flag<QueueingOptions>] = [
        .toggle(
            "queue", sets: \.queuesIfDown,
            "Send the change later if the server is down")
    ]
}

/// The result of a write that may wait.
struct QueueableRow<Record: Sendable>: Sendable {
    /// The changed object; nil if the write waits and its result cannot be foreseen.
    var record: Record?
    /// The id of the write in the queue; nil once it was made.
    var queueID: String?
}

extension Array {
    func queueable<Record: Sendable>() -> [Field<QueueableRow<Record>>]
    where Element == Field<Record> {
        let own: [Field<QueueableRow<Record>>] = [
            .hidden("queued", "whether it waits, to be sent later") { $0.queueID != nil },
            .hidden("queue_id", "its id for 'argus queue'; null if it does not wait") {
                $0.queueID
            },
        ]
        let fields = map { field in
            Field<QueueableRow<Record>>(field.name, field.summary, isColumn: field.isColumn) {
                row in row.record.map { field.value($0) } ?? .null
            }.styled(like: field)
        }
        return fields + own
    }
}

/// A write that a verb is about to make.
struct WriteDraft<Record: Sendable>: Sendable {
    var write: QueueableWrite
    /// The user's name for the object.
    var label: String?
    var record: Record?
}

/// The changed object, the server's own object and a sentence, as `reportEach` takes them.
typealias WriteResult<Record: Sendable> = (Record, raw: JSONView?, sentence: String)

extension Context {
    /// Makes a write; with `--queue`, adds it to the queue if the server gives no usable answer.
    ///
    /// `offline` makes the draft without the server; it returns nil if the names are not known
    /// here. `work` makes the write, and passes its draft to the function before anything is sent.
    /// - Throws: `Failure` of the work, 10 if the write would overtake one that waits, or 1 if it
    ///   cannot be kept.
    func write<Record>(
        _ options: QueueingOptions, on server: SignedInServer,
        offline: () async throws(Failure) -> WriteDraft<Record>?,
        _ work: ((WriteDraft<Record>) throws(Failure) -> Void) async throws(Failure) -> WriteResult<
            Record
        >
    ) async throws(Failure) -> WriteResult<QueueableRow<Record>> {
        let queue = options.queuesIfDown ? try ServerQueue(server, in: self) : nil
        let own = queue ?? (holdsWrites(for: server) ? try? ServerQueue(server, in: self) : nil)
        var draft: WriteDraft<Record>?
        do throws(Failure) {
            let (record, raw, sentence) = try await work { (new) throws(Failure) in
                draft = new
                try own?.expectNoEarlier(than: new.write, isQueueing: options.queuesIfDown)
            }
            return (QueueableRow(record: record), raw, sentence)
        } catch  where queue != nil && error.isWithoutVerdict {
            var known = draft
            if known == nil { known = try await offline() }
            guard let queue, let draft = known else {
                var failure = error
                failure.hint =
                    "without the server argus cannot know which one that is, so the change cannot "
                    + "wait; name one that a list has shown before, or try again later"
                throw failure
            }
            let added = try await queue.add(draft, after: error)
            if added.isBlind {
                console.warn(
                    "argus has not seen \(added.subject) yet: unless the server has the change "
                        + "already, it becomes a conflict; show it once before you change it offline"
                )
            }
            let cause =
                error.reason == ServerQueue.reason
                ? error.message : "'\(server.name)' gave no usable answer"
            return (
                QueueableRow(record: draft.record, queueID: added.id), nil,
                "\(cause); '\(added.write.operation)' waits as \(added.id)"
            )
        }
    }
}

/// The queue of a server, as a verb with `--queue` uses it.
private struct ServerQueue {
    static let reason = "earlier_write_waits"

    let store: WriteStore
    let record: ServerRecord
    let user: QueuedWrite.User
    let now: @Sendable () -> Timestamp

    /// - Throws: `Failure` 2 without a stored sign-in, 1 without a folder.
    init(_ server: SignedInServer, in context: Context) throws(Failure) {
        guard let record = server.record, let user = QueuedWrite.User(server) else {
            throw Failure(
                .usage, "--queue needs a stored sign-in, with which the change is sent later",
                hint: "sign in with '\(server.renewingCommand)'")
        }
        guard let store = WriteStore(in: context.system.paths.state) else {
            throw Failure(.failed, "there is no folder for waiting changes")
        }
        (self.store, self.record, self.user, now) = (store, record, user, context.now)
    }

    /// Checks that the write would not overtake an earlier one of its object that waits.
    ///
    /// - Throws: `Failure` 10, or one without a verdict if the write can wait as well.
    func expectNoEarlier(than write: QueueableWrite, isQueueing: Bool) throws(Failure) {
        guard let earlier = earlier(than: write, where: { $0 == .waiting }) else { return }
        throw Failure(
            isQueueing ? .unreachable : .rejected, "an earlier change of \(earlier.subject) waits",
            hint: "with --queue this one is sent after it; 'argus queue drop \(earlier.id)' "
                + "removes it", reason: Self.reason)
    }

    private func earlier(
        than write: QueueableWrite, where condition: (QueuedWrite.Status) -> Bool
    ) -> QueuedWrite? {
        store.writes(of: record.id.text).writes.first {
            $0.write.object == write.object && condition($0.status)
        }
    }

    /// - Throws: `Failure` 10 behind an earlier write that the user has to decide about: it would hold
    ///   this one for good.
    func add<Record>(
        _ draft: WriteDraft<Record>, after failure: Failure
    ) async throws(Failure) -> QueuedWrite {
        if let earlier = earlier(than: draft.write, where: { $0 != .waiting }) {
            throw Failure(
                .rejected,
                "an earlier change of \(earlier.subject) "
                    + (earlier.status == .conflict ? "is a conflict" : "was set aside")
                    + ", so this one cannot wait",
                hint: "'argus queue retry \(earlier.id)' sends that one, 'queue drop' removes it",
                reason: "earlier_write_set_aside")
        }
        let now = now()
        let isAnswered = failure.httpStatus != nil && failure.reason != Failure.foreignReason
        let pause =
            isAnswered
            ? QueuedWrite.pause(beforeTry: 1, retryAfter: failure.retryAfterSeconds) : .zero
        let write = QueuedWrite(
            draft.write, of: user, at: record.id, label: draft.label,
            addedAt: now, nextTry: now + pause, reason: failure.message)
        do throws(FileSystemError) {
            return try await store.add(write)
        } catch {
            var lost = Failure(error)
            lost.message = "cannot keep the change for later: \(lost.message)"
            throw lost
        }
    }
}

extension Failure {
    /// True if the server did not decide, so that the same write may succeed later.
    fileprivate var isWithoutVerdict: Bool {
        switch kind {
        case .unreachable, .rateLimited: true
        case .serverError:
            reason == Self.foreignReason || httpStatus.map { $0 >= 500 } ?? false
        default: false
        }
    }
}
