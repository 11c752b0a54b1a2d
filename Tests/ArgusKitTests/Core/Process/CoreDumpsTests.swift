import ArgusCore
import Glibc
import Testing

@Suite("CoreDumps")
struct CoreDumpsTests {
    @Test("dumps are forbidden here, and what is started has the limit of the user")
    func forbidden() async {
        await #expect(processExitsWith: .success) {
            let core = __rlimit_resource_t(RLIMIT_CORE.rawValue)
            func limit() -> rlim_t {
                var limit = rlimit()
                getrlimit(core, &limit)
                return limit.rlim_cur
            }
            var some = rlimit()
            getrlimit(core, &some)
            some.rlim_cur = min(4096, some.rlim_max)
            setrlimit(core, &some)
            #expect(Self.isDumpable() == 1)
            CoreDumps.forbid()
            CoreDumps.forbid()
            #expect(Self.isDumpable() == 0)
            #expect(limit() == 0)
            #expect(CoreDumps.allowedAsUsual { limit() } == some.rlim_cur)
            #expect(limit() == 0)
        }
    }

    /// What the kernel says of the process (PR_GET_DUMPABLE of prctl(2), which Swift cannot name).
    private static func isDumpable() -> Int32? {
        typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        return dlsym(nil, "prctl").map { unsafeBitCast($0, to: Control.self)(3, 0, 0, 0, 0) }
    }
}
