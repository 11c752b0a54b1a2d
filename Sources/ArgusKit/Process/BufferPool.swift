import Synchronization

/// Buffers of long answers that the next answers use again, while a long listing wants it.
///
/// The kernel has to clear each page of a new block, which took a twentieth of a first sync.
enum BufferPool {
    /// The size from which a buffer is worth keeping, in bytes; `ProcessMemory.returnLargeBlocks` has
    /// smaller ones stay in the heap.
    static let smallest = 1 << 20
    /// One is received while others wait to be written.
    private static let longest = 4

    private static let spare = Mutex<[[UInt8]]?>(nil)

    /// Keeps buffers from now on, until `close`.
    static func open() { spare.withLock { $0 = $0 ?? [] } }

    /// Gives all buffers back, and keeps no more.
    static func close() { spare.withLock { $0 = nil } }

    /// Keeps a buffer for a later answer, though others may still read it.
    static func keep(_ buffer: [UInt8]) {
        guard buffer.capacity >= smallest else { return }
        spare.withLock { spare in
            if let count = spare?.count, count < longest { spare?.append(buffer) }
        }
    }

    /// An empty buffer with room for an answer, or at least a part of it.
    static func take() -> [UInt8] {
        var buffer = spare.withLock { $0?.popLast() } ?? []
        // Makes a new one if others still read this one.
        buffer.removeAll(keepingCapacity: true)
        return buffer
    }
}
