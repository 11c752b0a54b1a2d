import ArgusTestSupport
import Glibc
import Synchronization
import Testing

/// Threads for tests that wait for programs, which would otherwise hold up the few of Swift's pool.
///
/// There are more of them than processors: most of the time a program waits, too.
final class ProgramThreads: TaskExecutor {
    static let shared = ProgramThreads(count: TestPlaces.count)

    private struct Waiting {
        var jobs: [UnownedJob] = []
        var first = 0
    }

    private let waiting = Mutex(Waiting())
    nonisolated(unsafe) private let available: UnsafeMutablePointer<sem_t>

    private init(count: Int) {
        available = .allocate(capacity: 1)
        sem_init(available, 0, 0)
        for _ in 0..<count { detach() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        waiting.withLock { $0.jobs.append(job) }
        sem_post(available)
    }

    private func next() -> UnownedJob {
        while sem_wait(available) != 0 {}
        return waiting.withLock { waiting in
            defer { waiting.first += 1 }
            return waiting.jobs[waiting.first]
        }
    }

    /// Starts a thread that lives as long as the process.
    private func detach() {
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, runJobs, Unmanaged.passRetained(self).toOpaque())
        precondition(code == 0, "no thread for tests")
        pthread_detach(thread)
    }

    fileprivate func run() -> Never {
        while true { next().runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

private func runJobs(_ threads: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let threads else { return nil }
    Unmanaged<ProgramThreads>.fromOpaque(threads).takeUnretainedValue().run()
}

/// Has the tests of a suite run on `ProgramThreads`, some at once.
///
/// Swift Testing begins all tests together, so that its durations contain the wait for a place and a
/// limit of its own would end tests that have not begun. Each program has a deadline instead, and
/// `TestDurations` has the times that tests took.
struct WaitingForPrograms: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil ? nil : self
    }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await TestPlaces.shared.take()
        defer { TestPlaces.shared.giveBack() }
        let start = ContinuousClock.now
        defer { TestDurations.note(test, start.duration(to: .now)) }
        try await withTaskExecutorPreference(ProgramThreads.shared) { try await function() }
    }
}

extension Trait where Self == WaitingForPrograms {
    /// The suite's tests wait for programs.
    static var waitsForPrograms: Self { Self() }
}
