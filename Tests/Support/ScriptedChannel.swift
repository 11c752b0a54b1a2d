package import ArgusTransport
import Synchronization

/// A channel that brings the bytes of a script, and records what is written.
package final class ScriptedChannel: ByteChannel {
    /// What a read brings.
    package enum Step: Sendable {
        /// Bytes; none is the end of the connection.
        case bytes([UInt8])
        case failure(TransportError)
        /// No byte until the deadline.
        case silence
    }

    private struct State {
        var steps: [Step]
        var written: [[UInt8]] = []
        var deadlines: [ContinuousClock.Instant] = []
        var farewell: [UInt8] = []
        var isClosed = false
    }

    private let state: Mutex<State>

    /// Reads beyond the script find silence.
    package init(_ steps: [Step]) {
        state = Mutex(State(steps: steps))
    }

    /// Every write so far.
    package var written: [[UInt8]] { state.withLock { $0.written } }
    /// The deadlines of all reads so far.
    package var deadlines: [ContinuousClock.Instant] { state.withLock { $0.deadlines } }
    /// The last bytes of a closed channel; nil while it is open.
    package var end: [UInt8]? { state.withLock { $0.isClosed ? $0.farewell : nil } }

    package func read(
        until deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> [UInt8] {
        let step = try state.withLock { state throws(TransportError) in
            try Self.check(state)
            state.deadlines.append(deadline)
            return state.steps.isEmpty ? .silence : state.steps.removeFirst()
        }
        switch step {
        case .bytes(let bytes): return bytes
        case .failure(let error): throw error
        case .silence: throw TransportError(.timedOut(.idle), "no byte in time")
        }
    }

    package func write(
        _ bytes: [UInt8], until deadline: ContinuousClock.Instant
    ) async throws(TransportError) {
        try state.withLock { state throws(TransportError) in
            try Self.check(state)
            state.written.append(bytes)
        }
    }

    package func setFarewell(_ bytes: [UInt8]) {
        state.withLock { $0.farewell = bytes }
    }

    package func close() {
        state.withLock { $0.isClosed = true }
    }

    private static func check(_ state: State) throws(TransportError) {
        if state.isClosed { throw TransportError(.cancelled, "the connection is closed") }
    }
}
