internal import CProcess
import Glibc
import Synchronization

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
