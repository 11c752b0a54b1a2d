/// Why an operation of a server did not give its result.
package struct APIError: Error, Sendable {
    /// The kinds of failure that callers tell apart; each has one exit status (contract section 4).
    package enum Kind: Sendable, Equatable {
        /// No usable answer came.
        case transport(TransportError)
        /// 401 in the form of an ArgusAI server: no credentials, or refused ones.
        case unauthorized
        /// 403, or a key where a user is needed.
        case forbidden
        /// 404 or 410 of a thing, not of a route.
        case notFound
        /// Any other 4xx: the server understood and refused.
        case rejected
        /// 429.
        case rateLimited
        /// 5xx.
        case serverError
        /// A 2xx whose body makes no sense, or a 401 or 404 that no ArgusAI server gives.
        case malformedAnswer
        /// The list changed too fast, or has too many rows of one instant, to be read without loss.
        case unsteady
        /// The credential store keeps a sign-in from being renewed.
        case storeFailed(CredentialStoreError)
        /// No candidate route exists on this server; what it lacks, as a noun phrase.
        case unsupported(String)
    }

    /// One complaint of a 422 answer; the submitted value is never kept.
    package struct Field: Sendable, Equatable {
        /// Where, joined by dots: `query.limit`.
        package var location: String
        package var message: String
    }

    package var kind: Kind
    /// The server's words, unsanitised; empty when it gave none.
    package var detail: String
    package var status: Int?
    package var fields: [Field] = []
    /// The server's `X-Request-Id`, to find the request in its log.
    package var requestID: String?
    /// Whether the answer was a mere line of text, as of a server that fell over.
    package var isBareText = false
    /// Seconds, from `Retry-After` or the known limits of today's server.
    package var retryAfterSeconds: Int?

    package init(_ kind: Kind, _ detail: String = "", status: Int? = nil) {
        self.kind = kind
        self.detail = detail
        self.status = status
    }
}

extension APIError {
    /// Reads a failed answer: the status decides the kind, the body the words.
    package init(answer: HTTPResponse) {
        let body = ErrorBody(answer.body)
        self.init(Self.kind(of: answer.status, body), body.text, status: answer.status)
        fields = body.fields
        isBareText = body.isBareText
        requestID = answer.headers["x-request-id"]
        retryAfterSeconds = answer.retryAfter().map { Int($0.components.seconds) }
        if kind == .malformedAnswer, !isForeign, detail.isEmpty {
            detail = "the status \(answer.status) is none that was to be expected"
        }
    }

    private static func kind(of status: Int, _ body: ErrorBody) -> Kind {
        switch status {
        // ArgusAI servers have their words in `detail`: any other 401 is that of a proxy, a portal
        // or a stranger, and no reason to renew or to forget anything.
        case 401: body.hasDetail ? .unauthorized : .malformedAnswer
        case 403: .forbidden
        case 404, 410: .notFound
        case 408: .transport(TransportError(.timedOut(.total), "the server gave up waiting (408)"))
        case 425: .transport(TransportError(.notConnected, "the server was not ready (425)"))
        case 429: .rateLimited
        case 400..<500: .rejected
        case 500...: .serverError
        default: .malformedAnswer
        }
    }

    /// Whether today's server could not do two things of one user in one second: it answers with
    /// the text `Internal Server Error`, and does it a second later (backend-facts 1).
    var isCollision: Bool { status == 500 && isBareText }

    /// Reads a 404 that tells of another kind of server, by a page or a text; nil for every other
    /// answer: those of ArgusAI servers are JSON or empty (backend-facts 0.1).
    init?(foreign answer: HTTPResponse) {
        guard answer.status == 404, !answer.body.isEmpty,
            (try? JSONView.parse(answer.body)) == nil
        else { return nil }
        self = .malformed("", answer)
    }

    /// An answer with a good status and a body that is not what the operation returns.
    package static func malformed(_ what: String, _ answer: HTTPResponse) -> APIError {
        var error = APIError(.malformedAnswer, what, status: answer.status)
        error.requestID = answer.headers["x-request-id"]
        return error
    }
}
