/// The feeds of several servers as one sequence, whose items come in the order of each feed.
///
/// One task at a time takes steps with `next`, and confirms the event of the last one with `accept`. A
/// feed asks its server for more once its steps are taken.
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

    /// A feed whose item is at hand, or the end of one.
    private struct Arrival: Sendable {
        var step: Step
        var loan: Loan?
    }

    /// A feed that belongs to the group until it is returned: a burst is taken without a change of
    /// tasks for each event.
    private struct Loan: @unchecked Sendable {
        var feed: EventFeed
        var index: Int
        var owner: CheckedContinuation<Void, Never>

        func step(_ item: EventFeed.Item) -> Step {
            Step(index: index, content: .item(item, isLast: !feed.hasEventAtHand))
        }
    }

    private let arrivals: AsyncStream<Arrival>
    /// The number of feeds that have not ended.
    private var open: Int
    /// The last step, and its feed.
    private var step: Step?
    private var loan: Loan?

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
        step = await takeStep()
        return step
    }

    private func takeStep() async -> Step? {
        if let loan {
            if let item = loan.feed.takeItemAtHand() { return loan.step(item) }
            loan.owner.resume()
            self.loan = nil
        }
        guard open > 0, let arrival = await arrivals.first(where: { _ in true }) else { return nil }
        loan = arrival.loan
        if loan == nil { open -= 1 }
        return arrival.step
    }

    /// Records that the event of the last step was handed over.
    package func accept() async {
        guard let loan, case .item(.event(let event, _), _)? = step?.content else { return }
        await loan.feed.accept(event)
    }

    private static func follow(
        _ feed: EventFeed, _ index: Int, to inbox: AsyncStream<Arrival>.Continuation
    ) async {
        var failure: FilterError?
        do throws(FilterError) {
            while let item = try await feed.next() {
                await withCheckedContinuation { owner in
                    let loan = Loan(feed: feed, index: index, owner: owner)
                    _ = inbox.yield(Arrival(step: loan.step(item), loan: loan))
                }
            }
        } catch {
            failure = error
        }
        let end = Content.end(failure, hasGap: feed.hasGap, isCurrent: feed.isCurrent)
        inbox.yield(Arrival(step: Step(index: index, content: end), loan: nil))
    }
}
