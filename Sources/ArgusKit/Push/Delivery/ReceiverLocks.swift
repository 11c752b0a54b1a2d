/// A lock for each receiver: pushes to it go out one at a time, so that one that hangs or is throttled
/// has only one push in progress.
actor ReceiverLocks {
    /// The pushes that may wait for a receiver.
    static let limit = 16

    /// The tasks that wait for each receiver with a push in progress.
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Takes the lock of a receiver; false if too many wait for it already.
    func lock(_ receiver: String) async -> Bool {
        guard let others = waiting[receiver] else {
            waiting[receiver] = []
            return true
        }
        guard others.count < Self.limit else { return false }
        await withCheckedContinuation { waiting[receiver, default: []].append($0) }
        return true
    }

    /// Releases the lock, and gives it to the push that has waited longest.
    func unlock(_ receiver: String) {
        guard waiting[receiver]?.isEmpty == false else { return waiting[receiver] = nil }
        waiting[receiver]?.removeFirst().resume()
    }
}
