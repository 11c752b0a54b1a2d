package import ArgusCore
package import ArgusTransport

/// Delivers pushes by one push service.
package protocol PushProvider: Sendable {
    /// Makes the request for a token, without using the network.
    /// - Throws: `DeliveryError`.
    func prepare(
        _ payload: PushPayload, for token: DeliveryToken, isSilent: Bool
    ) async throws(DeliveryError) -> PreparedPush

    /// Sends a push, again if the service asks for it or fails for a moment.
    func send(_ push: PreparedPush, to token: DeliveryToken) async -> DeliveryAnswer
}

/// A push as it would leave, without the credentials that are added when it does.
package struct PreparedPush: Sendable {
    package var service: DeliveryService
    package var origin: Origin
    /// Path and query, in which APNs and Web Push name the receiver.
    package var target: Redacted<String>
    /// The header fields; secret values are shown as `<redacted>`.
    package var headers: [HTTPHeader]
    /// The document in the form of the service, without the receiver's token.
    package var document: [UInt8]
    /// The bytes of the request.
    package var body: Redacted<[UInt8]>
    /// The bytes that count against the limit of the service.
    package var size: Int
    /// The limit of the service in bytes.
    package var limit: Int
    /// The payload as it was shortened.
    package var payload: PushPayload
    package var isSilent: Bool
    /// True if the body, the subtitle or the picture of the notification was cut.
    package var wasShortened: Bool
}

/// The result of a delivery to one token.
package struct DeliveryAnswer: Hashable, Sendable {
    /// The effect of the result on the token.
    package enum Verdict: Hashable, Sendable {
        case accepted
        /// The token is dead and is removed.
        case gone
        /// The result counts as a failure of the token.
        case tokenFailure
        /// The result is the same for all tokens of the service, and no failure of this one.
        case providerFailure(Fault)
    }

    /// The kinds of failure that are not the token's.
    package enum Fault: Hashable, Sendable {
        /// The service rejects the credentials (status 4).
        case credentials
        /// The service cannot be reached, or this machine has no network (status 6).
        case unreachable
        /// The service fails, or rejects the request (status 7).
        case service
        /// The service takes no more pushes for now (status 8).
        case rateLimited
        /// The certificate of the service is not trusted (status 9).
        case identity
        /// The push is too large for the service (status 10).
        case tooLarge
    }

    package var verdict: Verdict
    /// One clause, safe to print; nil if accepted.
    package var reason: String?
    /// The status of the last try; nil if there was no answer.
    package var httpStatus: Int?
    /// The tries, from 1.
    package var attempts = 1
    /// The time of all tries and the waits between them.
    package var duration = Duration.zero
}
