import Glibc

/// A thread of a test's own server, to be joined before the test ends (pthread_create(3)).
package struct TestThread {
    private final class Work {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let thread: pthread_t

    /// Starts a thread.
    ///
    /// - Throws: `errno` as an `Int32` error when the system grants none.
    package init(_ run: @escaping @Sendable () -> Void) throws {
        let work = Unmanaged.passRetained(Work(run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            throw SystemCallFailure(call: "pthread_create", code: code)
        }
        self.thread = thread
    }

    /// Waits for the thread's end.
    package func join() {
        pthread_join(thread, nil)
    }
}

/// A call of the C library that failed in a test's set-up.
package struct SystemCallFailure: Error, CustomStringConvertible {
    package var call: String
    package var code: Int32

    package init(call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    package var description: String {
        "\(call): \(strerror(code).map { String(cString: $0) } ?? "")"
    }
}
