import Glibc

/// Runs the tasks of a command on one thread.
///
/// Swift's own pool starts three threads for the first task, which delays a short run; the work
/// between requests is too little to share among threads.
final class SingleThreadExecutor: TaskExecutor, @unchecked Sendable {
    // Unchecked because the jobs are plain memory: the mutex guards them.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [UnownedJob] = []

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(arrival, nil)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pthread_mutex_lock(mutex)
        jobs.append(job)
        pthread_cond_signal(arrival)
        pthread_mutex_unlock(mutex)
    }

    /// Runs jobs on the calling thread until the process exits.
    func run() -> Never {
        while true {
            for job in take() { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Waits for jobs and removes them in order of arrival.
    private func take() -> [UnownedJob] {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while jobs.isEmpty { pthread_cond_wait(arrival, mutex) }
        let taken = jobs
        jobs = []
        return taken
    }
}
