/// The feeds of several servers as one sequence, whose items come in the order of each feed.
///
/// One task at a time takes steps with `next`. A feed goes on once the step after its own is taken, and
/// its event counts as handed over if `accept` was called before.
package final class WatchGroup {
    /// An item of a feed, or its end.
    package enum Content: Sendable {
        /// An item; `isLast` if no other event of the feed is at hand.
        case item(EventFeed.Item, isLast: Bool)
        /// The end of the feed: a stop, or an error that no retry can help.
        case end(FilterError?, hasGap: Bool, isCurrent: Bool)
    }

    /// A feed, by its place among all, and what came from it.
    package struct Step: Sendable {
        package var index: Int
        package var content: Content
    }

    private struct Arrival: Sendable {
        var step: Step
        /// Lets the feed go on; true if its event was handed over.
        var reply: CheckedContinuation<Bool, Never>?
    }

    private let arrivals: AsyncStream<Arrival>
    /// The number of feeds that have not ended.
    private var open: Int
    private var reply: CheckedContinuation<Bool, Never>?

    /// Starts the feeds, each of which its closure makes; take steps until there are none.
    package init(_ feeds: [@concurrent @Sendable () async -> sending EventFeed]) {
        let (stream, inbox) = AsyncStream.makeStream(of: Arrival.self)
        arrivals = stream
        open = feeds.count
        for (index, makeFeed) in feeds.enumerated() {
            let work: @Sendable () async -> Void = {
                await Self.follow(await makeFeed(), index, to: inbox)
            }
            Task { await work() }
        }
    }

    /// Returns the next step; nil once all feeds have ended.
    package func next() async -> Step? {
        answer(false)
        guard open > 0, let arrival = await arrivals.first(where: { _ in true }) else { return nil }
        reply = arrival.reply
        if case .end = arrival.step.content { open -= 1 }
        return arrival.step
    }

    /// Records that the event of the last step was handed over.
    package func accept() { answer(true) }

    private func answer(_ isAccepted: Bool) { reply.take()?.resume(returning: isAccepted) }

    private static func follow(
        _ feed: EventFeed, _ index: Int, to inbox: AsyncStream<Arrival>.Continuation
    ) async {
        var failure: FilterError?
        do throws(FilterError) {
            while let item = try await feed.next() {
                let step = Step(
                    index: index, content: .item(item, isLast: !feed.hasEventAtHand))
                let isAccepted = await withCheckedContinuation { reply in
                    _ = inbox.yield(Arrival(step: step, reply: reply))
                }
                if isAccepted, case .event(let event, _) = item { await feed.accept(event) }
            }
        } catch {
            failure = error
        }
        let end = Content.end(failure, hasGap: feed.hasGap, isCurrent: feed.isCurrent)
        inbox.yield(Arrival(step: Step(index: index, content: end), reply: nil))
    }
}
