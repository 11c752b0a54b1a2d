/// The places for deliveries by one provider, so that few are in flight at a time.
///
/// A delivery that takes long gives its place to the next one, so that receivers that hang or are
/// throttled hold up no other.
actor DeliveryLane {
    /// The time after which a delivery loses its place.
    static let timeout = Duration.seconds(5)

    private let sleep: @Sendable (Duration) async throws -> Void
    private var free: Int
    /// The deliveries that have a place, by number.
    private var taken: Set<Int> = []
    private var last = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// The first of `waiting` that has no place yet.
    private var next = 0

    init(_ places: Int, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        (free, self.sleep) = (places, sleep)
    }

    /// Does work in a place, as soon as there is one.
    nonisolated func run(
        _ work: @Sendable () async -> DeliveryRecord?
    ) async -> DeliveryRecord? {
        let place = await enter()
        let limit = Task { [sleep] in
            do { try await sleep(Self.timeout) } catch { return }
            await leave(place)
        }
        let record = await work()
        limit.cancel()
        await leave(place)
        return record
    }

    private func enter() async -> Int {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        last += 1
        taken.insert(last)
        return last
    }

    private func leave(_ place: Int) {
        guard taken.remove(place) != nil else { return }
        guard next < waiting.count else {
            (waiting, next) = ([], 0)
            return free += 1
        }
        next += 1
        waiting[next - 1].resume()
    }
}
