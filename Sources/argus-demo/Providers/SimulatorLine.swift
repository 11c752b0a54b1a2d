import NIOConcurrencyHelpers

/// A client's connection, as the services remember it.
final class SimulatorLine: Sendable {
    /// The number in the order of arrival, from 1.
    let number: Int
    let listener: SimulatorListener
    private let state = NIOLockedValueBox(State())

    struct State: Sendable {
        /// The team and key of the first provider token.
        var team: String?
        var keyID: String?
        /// The provider tokens that were accepted, by their ids, and when the last one came.
        var tokens: [String] = []
        var newestToken: Int64 = 0
        /// True once more than one stream at a time is allowed.
        var isOpened = false
        /// The highest HTTP/2 stream that was processed.
        var lastStream = 0
    }

    init(number: Int, listener: SimulatorListener) {
        (self.number, self.listener) = (number, listener)
    }

    /// Takes back that a provider token was accepted.
    func forget(_ token: WebToken?) {
        withState { state in state.tokens.removeAll { $0 == token?.id } }
    }

    func withState<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outcome: Swift.Result<Result, Failure> = state.withLockedValue { state in
            do throws(Failure) {
                return .success(try body(&state))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}

/// A port of the services.
enum SimulatorListener: Int, Sendable, CaseIterable {
    case apns, fcm, webPush, plainFCM, plainWebPush

    var isSecure: Bool { self != .plainFCM && self != .plainWebPush }

    /// The protocols it offers (RFC 7301), in its own order; none without TLS.
    var protocols: [String] { self == .apns ? ["h2"] : ["h2", "http/1.1"] }

    /// The streams that a connection may have at once, before it has proved who it is.
    ///
    /// Apple's service allows one, and many after the first request with a valid provider token.
    var firstStreams: Int { self == .apns ? 1 : 100 }
}
