import ArgusAccount
import ArgusTransport

extension Failure {
    init(_ error: PairingError, with server: UnverifiedServer) async {
        switch error {
        case .request(let error): self = await Self.request(error, doing: "pair", server)
        case .unstored(let cause): self.init(cause)
        case .unanswered(let error):
            self = await Self.request(error, doing: "wait for the confirmation", server)
            hint = hint ?? "continue with 'argus pair resume' until the code ends"
        case .expired:
            self.init(
                .timeout, "the pairing code expired before it was confirmed",
                hint: Self.again(server), reason: "code_expired")
        case .vanished:
            self.init(
                .rejected,
                "the pairing was rejected, or forgotten by the server '\(server.title)'",
                hint: Self.again(server), reason: "pairing_rejected")
        case .answerLost:
            self.init(
                .unreachable, "the answer of '\(server.title)' with the tokens was lost",
                hint: Self.again(server), reason: "tokens_lost")
        case .refused(let error):
            self = await Self.request(error, doing: "pair", server)
            switch error.kind {
            case .unauthorized, .notFound, .rejected:
                kind = .rejected
                message = "'\(server.title)' does not take the code\(error.because)"
                hint = "look at the code again, or let the dashboard make another one"
                reason = "code_refused"
            default: break
            }
        case .unused(let cause):
            self.init(cause)
            hint = hint ?? "the code was not used and is still valid"
        case .notStored(let cause, let tokensWait):
            self.init(cause)
            hint =
                tokensWait
                ? "the tokens are set aside: try 'argus pair resume'"
                : "the tokens are lost: pair again"
        }
    }

    private static func again(_ server: UnverifiedServer) -> String {
        "start again with 'argus pair \(server.client.address)'"
    }

    private static func request(
        _ error: APIError, doing: String, _ server: UnverifiedServer
    ) async -> Failure {
        var error = error
        if error.kind == .rateLimited {
            // Today's server sends no `Retry-After`; it allows 5 codes a minute.
            error.retryAfterSeconds = error.retryAfterSeconds ?? 60
        }
        var failure = await server.failure(error, doing: doing)
        if error.kind == .unsupported(PairingRoutes.start.feature) {
            failure.hint =
                "take the code that its dashboard shows: "
                + "argus pair \(server.client.address) --code"
        }
        return failure
    }
}
