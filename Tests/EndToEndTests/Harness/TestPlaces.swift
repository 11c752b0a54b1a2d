import Foundation
import Glibc
import Synchronization
import Testing

/// The places of tests that run at once; the others wait in the order in which they came.
///
/// A test that has begun thus ends soon, and gives up its servers and files.
final class TestPlaces: Sendable {
    static let count = 3 * Int(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    static let shared = TestPlaces()

    private struct State {
        var free = TestPlaces.count
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Waits for a place.
    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives the place to the test that has waited longest.
    func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}

/// The times that tests took, each from its first line to its last, for `scripts/run-tests`.
enum TestDurations {
    private static let file = ProcessInfo.processInfo.environment["ARGUS_TEST_DURATIONS"]

    /// Appends seconds, a tab and the test's name to the file that the environment names.
    static func note(_ test: Test, _ duration: Duration) {
        guard let file, let output = fopen(file, "a") else { return }
        fputs("\(duration / .seconds(1))\t\(test.displayName ?? test.name)\n", output)
        fclose(output)
    }
}
