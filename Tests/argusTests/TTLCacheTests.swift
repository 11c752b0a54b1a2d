import Synchronization
import Testing

@testable import argus

@Suite("What is read again after a second")
struct RecentTests {
    @Test("a value is read once within a second, and again after it")
    func again() {
        let reads = Mutex(0)
        let moment = Mutex(ContinuousClock.now)
        let recent = TTLCache(now: { moment.withLock { $0 } }) {
            reads.withLock { count in
                count += 1
                return count
            }
        }
        #expect(recent.value == 1)
        moment.withLock { $0 += .milliseconds(999) }
        #expect(recent.value == 1)
        moment.withLock { $0 += .milliseconds(1) }
        #expect(recent.value == 2)
    }

    @Test("the second begins when the value has been read, however long that took")
    func slow() {
        let reads = Mutex(0)
        let moment = Mutex(ContinuousClock.now)
        let recent = TTLCache(now: { moment.withLock { $0 } }) {
            moment.withLock { $0 += .seconds(2) }
            return reads.withLock { count in
                count += 1
                return count
            }
        }
        #expect(recent.value == 1)
        #expect(recent.value == 1)
        moment.withLock { $0 += .seconds(1) }
        #expect(recent.value == 2)
    }
}
