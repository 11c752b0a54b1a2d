/// Lets pushes to the same receiver go out one at a time, so that one that hangs or is throttled
/// has only one push in progress.
actor DeliveryTurns {
    /// The pushes that may wait for a receiver.
    static let limit = 16

    /// The tasks that wait for each receiver with a push in progress.
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Waits for the turn of a push; false if too many wait already.
    func enter(_ receiver: String) async -> Bool {
        guard let others = waiting[receiver] else {
            waiting[receiver] = []
            return true
        }
        guard others.count < Self.limit else { return false }
        await withCheckedContinuation { waiting[receiver, default: []].append($0) }
        return true
    }

    /// Ends a turn, and gives it to the one who has waited longest.
    func leave(_ receiver: String) {
        guard let others = waiting[receiver], let next = others.first else {
            waiting[receiver] = nil
            return
        }
        waiting[receiver] = Array(others.dropFirst())
        next.resume()
    }
}
