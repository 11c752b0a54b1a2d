import ArgusKit
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
            CoreDumps.forbid()
            CoreDumps.forbid()
            #expect(limit() == 0)
            #expect(CoreDumps.allowedAsUsual { limit() } == some.rlim_cur)
            #expect(limit() == 0)
        }
    }
}
