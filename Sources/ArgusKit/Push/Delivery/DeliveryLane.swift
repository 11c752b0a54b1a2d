/// The places for deliveries by one provider, so that at most so many are in flight.
actor DeliveryLane {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// The first of `waiting` that has no place yet.
    private var next = 0

    init(_ places: Int) { free = places }

    /// Does work in a place, as soon as there is one.
    nonisolated func run<Value: Sendable>(
        _ work: @Sendable () async -> Value
    ) async -> Value {
        await enter()
        let value = await work()
        await leave()
        return value
    }

    private func enter() async {
        guard free == 0 else { return free -= 1 }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        guard next < waiting.count else {
            (waiting, next) = ([], 0)
            return free += 1
        }
        next += 1
        waiting[next - 1].resume()
    }
}
