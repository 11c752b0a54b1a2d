import Synchronization

/// The messages of a test's subject, in order.
package final class MessageLog: Sendable {
    private let state = Mutex<[String]>([])

    package init() {}

    /// Everything so far.
    package var all: [String] { state.withLock { $0 } }

    /// Keeps a sentence.
    package func add(_ sentence: String) {
        state.withLock { $0.append(sentence) }
    }
}
