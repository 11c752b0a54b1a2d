internal import Synchronization

extension PushReceiver {
    /// The result of a test.
    package enum TestResult: Sendable {
        /// The push came this long after the server was asked for it.
        case arrived(PushNotification, after: Duration)
        /// A push came that is not to be trusted.
        case refused(PushRefusal)
        /// The server reports that it could not deliver, with its own words if it has any.
        case undelivered(String?)
        /// The server reports success, and nothing came.
        case nothing
        /// The server's answer has no result for this subscription.
        case omitted
        /// The server was still trying when the time was over.
        case late
    }

    /// The clocks of a test.
    package struct TestClock: Sendable {
        var monotonic: @Sendable () -> Duration
        var pause: @Sendable (Duration) async -> Void

        package init(
            monotonic: @escaping @Sendable () -> Duration,
            pause: @escaping @Sendable (Duration) async -> Void
        ) {
            (self.monotonic, self.pause) = (monotonic, pause)
        }
    }

    /// The time that a push may take after the server has reported its delivery.
    private static let grace = Duration.seconds(2)

    private struct TestState {
        var arrival: (notification: PushNotification, after: Duration)?
        var refusal: PushRefusal?
        var answer: Result<PushTestReport, APIError>?
    }

    private final class TestRun: Sendable {
        let state = Mutex(TestState())
    }

    /// Asks the server for a test push, and waits for it; the receiver is subscribed, and can only be
    /// closed then.
    ///
    /// - Throws: `APIError` if the server refuses to test.
    package func test(
        within limit: Duration, _ clock: TestClock
    ) async throws(APIError) -> TestResult {
        let run = TestRun()
        let start = clock.monotonic()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await self.run { notification in
                    let after = clock.monotonic() - start
                    guard notification.isTest else { return true }
                    run.state.withLock { $0.arrival = $0.arrival ?? (notification, after) }
                    self.stop()
                    return true
                } refused: { refusal in
                    run.state.withLock { $0.refusal = $0.refusal ?? refusal }
                }
            }
            group.addTask {
                do throws(APIError) {
                    let report = try await self.subscriber.test().report
                    run.state.withLock { $0.answer = .success(report) }
                    await clock.pause(Self.grace)
                } catch {
                    // The request is cancelled once the time is over.
                    if !Task.isCancelled { run.state.withLock { $0.answer = .failure(error) } }
                }
                self.stop()
            }
            group.addTask {
                await clock.pause(limit)
                self.stop()
            }
            await group.next()
            group.cancelAll()
        }
        let end = run.state.withLock { $0 }
        if let arrival = end.arrival { return .arrived(arrival.notification, after: arrival.after) }
        if let refusal = end.refusal { return .refused(refusal) }
        switch end.answer {
        case .failure(let error): throw error
        case .success(let report):
            guard let id = subscriptionID, let own = report.deliveries.first(where: { $0.id == id })
            else { return .omitted }
            return own.isDelivered ? .nothing : .undelivered(own.error.map(endpoint.hidden))
        case nil: return .late
        }
    }
}
