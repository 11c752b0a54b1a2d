import Synchronization

/// The sentences that a subject told, in order.
final class Notebook: Sendable {
    private let state = Mutex<[String]>([])

    var sentences: [String] { state.withLock { $0 } }

    func write(_ sentence: String) {
        state.withLock { $0.append(sentence) }
    }
}
