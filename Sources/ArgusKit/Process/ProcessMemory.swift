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
