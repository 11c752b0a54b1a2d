internal import CProcess
import Glibc
import Synchronization

/// Settings of this process's own memory.
package enum ProcessMemory {
    private static let isSmall = Atomic(false)

    /// Returns free memory (malloc_trim(3)) and the pages of code and constants, also of libraries
    /// (madvise(2)), to the kernel, and from now on all free memory beyond 64 KiB (mallopt(3)).
    ///
    /// Pages still in use come back from the page cache.
    ///
    /// For programs that wait for months, after work that used much of the code or memory.
    package static func shrinkForWaiting() {
        isSmall.store(true, ordering: .relaxed)
        argus_return_blocks()
        argus_release_code()
    }

    /// Returns large blocks to the kernel as soon as they are free (mallopt(3)).
    ///
    /// By default the C library keeps blocks of a size that was freed once, which doubles the memory
    /// for long answers.
    package static func returnLargeBlocks() {
        if !isSmall.load(ordering: .relaxed) { argus_return_large_blocks() }
    }
}

/// Keeps the memory of this process, which holds secrets, out of core dumps (core(5)).
package enum CoreDumps {
    /// The limit at the start of the process; nil while dumps are allowed.
    private static let usual = Mutex<rlimit?>(nil)
    private static let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)

    /// Forbids core dumps of this process for good.
    ///
    /// PR_SET_DUMPABLE also hides the memory from pipes of core_pattern and from other processes of
    /// the user; exec(2) resets it.
    package static func forbid() {
        argus_forbid_dumps()
        usual.withLock { usual in
            var limit = rlimit()
            guard usual == nil, getrlimit(resource, &limit) == 0 else { return }
            usual = limit
            var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
            setrlimit(resource, &none)
        }
    }

    /// Starts another program under the limit that the user gave this one.
    package static func allowedAsUsual<Result>(_ start: () -> Result) -> Result {
        usual.withLock { usual in
            guard var limit = usual else { return start() }
            var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
            setrlimit(resource, &limit)
            defer { setrlimit(resource, &none) }
            return start()
        }
    }
}

/// Reuses the buffers of long answers for the next ones, during a long listing.
///
/// The kernel has to clear each page of a new block, which took a twentieth of a first sync.
final class BufferPool: Sendable {
    static let shared = BufferPool()

    /// The sizes of buffers that are worth keeping, in bytes: smaller ones stay in the heap anyway, and
    /// no answer has a longer one, since the rest of it is in a file.
    private static let sizes = (1 << 20)...(5 << 20)
    /// One is received while others wait to be written.
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
