import Synchronization

/// Reuses the buffers of long answers for the next ones, during a long listing.
///
/// The kernel has to clear each page of a new block, which took a twentieth of a first sync.
final class BufferPool: Sendable {
    static let shared = BufferPool()

    /// The sizes of buffers that are worth keeping, in bytes: smaller ones stay in the heap anyway, and
    /// no answer has a longer one, since the rest of it is in a file.
    private static let sizes = (1 << 20)...(5 << 20)
    /// Enough for the pages of a listing: one is received while others wait to be written.
    private static let maxCount = 4

    private struct State {
        var isOpen = false
        var buffers: [[UInt8]] = []
    }

    private let state = Mutex(State())

    /// Keeps buffers from now on, until `close`.
    func open() { state.withLock { $0.isOpen = true } }

    /// Gives all buffers back, and keeps no more.
    func close() { state.withLock { $0 = State() } }

    /// Keeps a buffer for a later answer, though others may still read it.
    func keep(_ buffer: [UInt8]) {
        guard Self.sizes.contains(buffer.capacity) else { return }
        state.withLock { state in
            if state.isOpen, state.buffers.count < Self.maxCount { state.buffers.append(buffer) }
        }
    }

    /// Returns the oldest buffer, emptied, or a new one.
    func take() -> [UInt8] {
        var buffer = state.withLock { $0.buffers.isEmpty ? [] : $0.buffers.removeFirst() }
        // Makes a new one if others still read this one.
        buffer.removeAll(keepingCapacity: true)
        return buffer
    }
}
