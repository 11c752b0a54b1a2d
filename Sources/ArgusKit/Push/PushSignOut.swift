/// Takes back what this machine registered for pushes, before it signs out of a server.
package struct PushSignOut: Sendable {
    /// A thing that was registered, in words that follow `take`.
    package enum Item: String, Sendable {
        case subscription = "the push subscription"
        case registration = "the push registration"
    }

    private let session: Session

    /// Prepares the requests to a server that is still signed in to.
    package init(session: Session) {
        self.session = session
    }

    /// Takes everything back, and reports the result of each; a failure keeps nothing else back.
    package func takeBack(
        _ push: StoredPush,
        report: (Item, Result<PushRegistrar.Ended, APIError>) async -> Void
    ) async {
        for subscription in push.subscriptions {
            await report(
                .subscription,
                await Self.result { () async throws(APIError) in
                    try await PushSubscriber(session: session)
                        .unsubscribe(subscription.endpoint) ? .registration : .nothing
                })
        }
        for registration in push.registrations {
            let device = registration.device
            let hasBoth = push.registrations(of: device.id).count > 1
            await report(
                .registration,
                await Self.result { () async throws(APIError) in
                    try await PushRegistrar(session: session).unregister(
                        device.id, hasBoth ? device.service : nil, mayEndAll: true)
                })
        }
    }

    private static func result(
        _ work: () async throws(APIError) -> PushRegistrar.Ended
    ) async -> Result<PushRegistrar.Ended, APIError> {
        do throws(APIError) { return .success(try await work()) } catch { return .failure(error) }
    }
}
