import ArgusCore
package import ArgusTransport

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

    /// The time that a push may take after the server has reported its delivery.
    private static let grace = Duration.seconds(2)

    private enum TestPart: Sendable {
        case pushes(TestResult?)
        /// Nil if the request was cancelled, since the time is over.
        case answer(Result<PushTestReport, APIError>?)
        case time
    }

    /// Asks the server for a test push, and waits for it; the receiver is subscribed, and can only be
    /// closed then.
    /// - Throws: `APIError` if the server refuses to test.
    package func test(
        within limit: Duration, monotonic: @escaping @Sendable () -> Duration,
        pause: @escaping @Sendable (Duration) async -> Void
    ) async throws(APIError) -> TestResult {
        let start = monotonic()
        var pushes: TestResult?
        var answer: Result<PushTestReport, APIError>?
        await withTaskGroup(of: TestPart.self) { group in
            group.addTask {
                var arrival: TestResult?
                var refusal: TestResult?
                await self.run { notification in
                    guard notification.isTest else { return true }
                    arrival = arrival ?? .arrived(notification, after: monotonic() - start)
                    self.stop()
                    return true
                } refused: {
                    refusal = refusal ?? .refused($0)
                }
                return .pushes(arrival ?? refusal)
            }
            group.addTask { () async -> TestPart in
                defer { self.stop() }
                let result: Result<PushTestReport, APIError> = await Result(
                    awaiting: try await self.subscriber.test().report)
                guard case .success = result else {
                    return .answer(Task.isCancelled ? nil : result)
                }
                await pause(Self.grace)
                return .answer(result)
            }
            group.addTask {
                await pause(limit)
                self.stop()
                return .time
            }
            for await part in group {
                group.cancelAll()
                switch part {
                case .pushes(let result): pushes = result
                case .answer(let result): answer = result
                case .time: break
                }
            }
        }
        if let pushes { return pushes }
        switch answer {
        case .failure(let error): throw error
        case .success(let report):
            guard let id = subscriptionID, let own = report.deliveries.first(where: { $0.id == id })
            else { return .omitted }
            return own.isDelivered ? .nothing : .undelivered(own.error.map(endpoint.hidden))
        case nil: return .late
        }
    }
}
