import ArgusCore
import Glibc
import Synchronization

/// Limits all runs of a user to four requests in flight to one server; others wait.
///
/// Servers have few connections to their database: 30 runs at once would wait for each other there
/// for minutes. Each request locks a byte of a file that all runs share, and the kernel drops the lock
/// with its process. A request waits at most `longestWait`, one that renews a sign-in never, and
/// none waits for those of its own run alone.
package final class RequestLimiter: Sendable {
    /// The maximum number of requests in flight.
    package static let maxRequests = 4
    /// The wait after which a request is sent all the same.
    static let longestWait = Duration.seconds(30)

    private let path: String
    private let sleep: @Sendable (Duration) async throws -> Void
    /// The number of slots that this run has.
    private let slotsHeld = Atomic(0)

    /// Limits requests by a file, which is made in a folder that exists.
    package init(by path: String, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.path = path
        self.sleep = sleep
    }

    /// Waits for the slot of a request; nil where none is needed, or the folder has no locks.
    func acquire(for request: HTTPRequest) async throws(TransportError) -> RequestSlot? {
        // A renewal must not wait: other runs wait for it.
        guard request.hold == nil else { return nil }
        guard let file = try? SharedDescriptor(FileLock.open(path)) else { return nil }
        var waited = Duration.zero
        while waited < Self.longestWait {
            let first = Int.random(in: 0..<Self.maxRequests)
            for number in first..<first + Self.maxRequests {
                guard
                    let isFree = try? FileLock.tryLocking(
                        file.descriptor.rawValue, path, byte: number % Self.maxRequests)
                else { return nil }
                guard isFree else { continue }
                slotsHeld.add(1, ordering: .relaxed)
                return RequestSlot(file) { [self] in slotsHeld.subtract(1, ordering: .relaxed) }
            }
            if slotsHeld.load(ordering: .relaxed) == Self.maxRequests { return nil }
            let pause = Duration.milliseconds(Int.random(in: 10...30))
            do {
                try await sleep(pause)
            } catch {
                throw TransportError(
                    .cancelled, "cancelled while waiting for other runs", nothingSent: true)
            }
            waited += pause
        }
        return nil
    }
}

/// The permission to have a request in flight, released once.
final class RequestSlot: Sendable {
    private let file: Mutex<SharedDescriptor?>
    private let onRelease: @Sendable () -> Void

    fileprivate init(_ file: SharedDescriptor, onRelease: @escaping @Sendable () -> Void) {
        self.file = Mutex(file)
        self.onRelease = onRelease
    }

    deinit { release() }

    func release() {
        if file.withLock({ $0.take() }) != nil { onRelease() }
    }
}
