/// A connection to a server that has proved its identity, for a protocol other than HTTP.
///
/// One task reads and writes, one call at a time. A channel closes when it is released.
package protocol ByteChannel: Sendable {
    /// Waits for bytes until an instant, and returns those that are there even if it has passed; none
    /// mean that the server has closed.
    /// - Throws: `.timedOut(.idle)`, `.connectionLost`, or `.cancelled` if the task is cancelled,
    ///   which closes the channel, or the channel is closed.
    func read(until deadline: ContinuousClock.Instant) async throws(TransportError) -> [UInt8]

    /// Sends bytes; returns when the kernel has all of them.
    /// - Throws: As `read`.
    func write(
        _ bytes: [UInt8], until deadline: ContinuousClock.Instant
    ) async throws(TransportError)

    /// Sets the last bytes, which are sent when the channel closes for any reason, if the connection
    /// takes them without waiting.
    func setFarewell(_ bytes: [UInt8])

    /// Closes the connection at once.
    func close()
}

/// A read or a write that a task leaves for the thread of a channel.
struct ChannelOperation: Sendable {
    /// The bytes to write; none to read.
    var bytes: [UInt8] = []
    let deadline: ContinuousClock.Instant
    /// Receives the bytes that were read, exactly once.
    let answer: @Sendable (Result<[UInt8], TransportError>) -> Void

    func refuse() { answer(.failure(TransportError(.cancelled, "the connection is closed"))) }
}

/// A connection of libcurl on its own thread.
final class CurlChannel: ByteChannel {
    private let thread: CurlThread

    /// Makes a channel on a thread with a connected transfer.
    init(_ thread: CurlThread) { self.thread = thread }

    func read(until deadline: ContinuousClock.Instant) async throws(TransportError) -> [UInt8] {
        try await perform([], until: deadline)
    }

    func write(
        _ bytes: [UInt8], until deadline: ContinuousClock.Instant
    ) async throws(TransportError) {
        if !bytes.isEmpty { _ = try await perform(bytes, until: deadline) }
    }

    func setFarewell(_ bytes: [UInt8]) { thread.inbox.setFarewell(bytes) }

    func close() { thread.inbox.close() }

    private func perform(
        _ bytes: [UInt8], until deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> [UInt8] {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let operation = ChannelOperation(bytes: bytes, deadline: deadline) {
                    waiter.resume(returning: $0)
                }
                if !thread.inbox.submit(operation) { operation.refuse() }
            }
        } onCancel: {
            thread.inbox.close()
        }
        return try result.get()
    }
}
