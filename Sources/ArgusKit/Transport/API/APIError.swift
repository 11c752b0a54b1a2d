import ArgusCore

/// The error of a failed API operation.
package struct APIError: Error, Sendable {
    /// The kinds of failure that callers distinguish; each has one exit status.
    package enum Kind: Sendable, Equatable {
        /// No usable answer came.
        case transport(TransportError)
        /// 401 in the form of an ArgusAI server: no credentials, or refused ones.
        case unauthorized
        /// 403, or a key where a user is needed.
        case forbidden
        /// 404 or 410 of an object, not of a route.
        case notFound
        /// Any other 4xx: the server understood and refused.
        case rejected
        /// 429.
        case rateLimited
        /// 5xx.
        case serverError
        /// A 2xx with JSON that the operation cannot use.
        case malformedAnswer
        /// The status of an answer that no ArgusAI server sends, but a proxy, a captive portal or
        /// another kind of server: it decides nothing, and another try may reach the server.
        case foreign(Int)
        /// The list changes too fast, or has too many rows of one instant, to be read without loss.
        case unsteady
        /// The sign-in has ended, and the server cannot renew it.
        case renewalBroken
        /// The credential store prevents the renewal of a sign-in; the error's `cause` says why.
        case storeFailed
        /// The server has none of the routes; the noun phrase names what it lacks.
        case unsupported(String)
    }

    /// One fault in a 422 answer, without the submitted value.
    package struct Field: Sendable, Equatable {
        /// The path of the field, joined by dots: `query.limit`.
        package var location: String
        package var message: String
    }

    package var kind: Kind
    /// The server's text, unsanitised, or argus's own; empty if there is neither.
    package var detail: String
    /// The failure of another part of argus that is behind this one.
    package var cause: (any Error)?
    /// The status of the server's own answer; nil if none came.
    package var status: Int?
    package var fields: [Field] = []
    /// The server's `X-Request-Id`, to find the request in its log.
    package var requestID: String?
    /// True if the answer was not JSON, as from a crashed server.
    package var isBareText = false
    /// Seconds, from `Retry-After` or the known limits of today's server.
    package var retryAfterSeconds: Int?

    package init(_ kind: Kind, _ detail: String = "", status: Int? = nil) {
        self.kind = kind
        self.detail = detail
        self.status = status
    }

    /// Reports a request without a usable answer.
    package init(transport error: TransportError) { self.init(.transport(error), error.detail) }

    /// Reads a failed answer: the status decides the kind if the body is the server's own.
    package init(answer: HTTPResponse, to method: HTTPRequest.Method = .get) {
        let body = ErrorBody(answer, to: method)
        self.init(Self.kind(of: answer.status, body), body.text, status: answer.status)
        if isForeign { status = nil }
        fields = body.fields
        isBareText = body.isBareText
        requestID = answer.requestID
        retryAfterSeconds = answer.retryAfter().map { Int($0.components.seconds) }
    }

    private static func kind(of status: Int, _ body: ErrorBody) -> Kind {
        switch status {
        // These concern the connection and the number of requests, nothing on the server, so a
        // proxy's are as good as its own.
        case 408: .transport(TransportError(.timedOut(.total), "the server gave up waiting (408)"))
        case 425: .transport(TransportError(.notConnected, "the server was not ready (425)"))
        case 429: .rateLimited
        case _ where !body.isOwn: .foreign(status)
        case 401: .unauthorized
        case 403: .forbidden
        case 404, 410: .notFound
        case 400..<500: .rejected
        case 500...: .serverError
        default: .foreign(status)
        }
    }

    /// Reports an answer in place of the server's own.
    static func foreign(_ what: String, _ answer: HTTPResponse) -> APIError {
        var error = APIError(.foreign(answer.status), what)
        error.requestID = answer.requestID
        return error
    }

    /// True if the server has none of the operation's routes.
    package var isUnsupported: Bool { if case .unsupported = kind { true } else { false } }

    /// True if today's server failed because a user signed in twice in one second: it answers with
    /// `Internal Server Error`, and succeeds a second later (docs/compatibility.md, trap 11).
    package var isCollision: Bool { status == 500 && isBareText }

    /// Reports an answer with a good status and a body that the operation cannot use.
    package static func malformed(_ what: String, _ answer: HTTPResponse) -> APIError {
        var error = APIError(.malformedAnswer, what, status: answer.status)
        error.requestID = answer.requestID
        return error
    }

    /// True if the server rejects the access token, in a text of ArgusAI's own: only these can end a
    /// stored sign-in.
    package var endsAccessToken: Bool {
        hasText("Invalid token", "Token has expired", "User not found", "Not authenticated")
    }

    /// True if the server rejects the refresh token for good.
    package var endsRefreshToken: Bool {
        hasText(
            "Invalid or expired refresh token", "Invalid or revoked refresh token",
            "Your session was terminated due to suspicious activity. Please log in again.")
    }

    /// True if the server rejects the name or the password.
    package var refusesPassword: Bool { hasText("Invalid credentials") }

    /// True if the server rejects the pairing code, or no user has confirmed it yet.
    package var refusesPairingCode: Bool {
        hasText(
            "Invalid, expired, or unconfirmed pairing code", "Invalid or expired pairing code")
    }

    private func hasText(_ words: String...) -> Bool {
        kind == .unauthorized && words.contains(detail)
    }

    /// True if the answer comes from a proxy, a captive portal or another kind of server.
    package var isForeign: Bool { if case .foreign = kind { true } else { false } }
}

extension Optional {
    /// Unwraps a required part of an answer.
    /// - Throws: `APIError.malformedAnswer` with these words if it is nil.
    package func orMalformed(_ words: String, in answer: HTTPResponse? = nil) throws(APIError)
        -> Wrapped
    {
        if let self { return self }
        throw answer.map { .malformed(words, $0) } ?? APIError(.malformedAnswer, words)
    }
}

/// The text of a failed answer, in any of the five shapes that servers use (docs/compatibility.md,
/// trap 12); all others are foreign.
///
///     {"detail":"Event 1 not found"}
///     {"detail":[{"loc":["query","limit"],"msg":"Input should be …","input":"501"}]}
///     {"detail":{"detail":"Insufficient permissions","error_code":"…"}}
///     {"error":"Rate limit exceeded: 5 per 15 minute"} (429)
///     Internal Server Error (500)
struct ErrorBody {
    /// The longest text to report, in characters.
    private static let longestText = 300

    private(set) var text = ""
    /// True if the body is no JSON object.
    private(set) var isBareText = false
    private(set) var fields: [APIError.Field] = []
    /// True if an ArgusAI server sends such a body.
    private(set) var isOwn = false

    init(_ answer: HTTPResponse, to method: HTTPRequest.Method = .get) {
        guard let body = try? JSONView.parse(answer.body), body.kind == .object else {
            text = Self.plainText(answer.body)
            isBareText = true
            // The answer to a HEAD has no body by which it could be known.
            isOwn =
                method == .head || answer.status == 500 && text.hasPrefix("Internal Server Error")
            return
        }
        switch body["detail"] {
        case let detail? where detail.kind == .array:
            // A 422 repeats submitted values, such as passwords: keep only location and message.
            fields = detail.elements.compactMap(Self.field)
            text = fields.map { "\($0.location): \($0.message)" }.joined(separator: "; ")
        case let detail? where detail.kind == .object:
            text =
                ["detail", "message", "error_code"].lazy.compactMap { detail[$0]?.string }.first
                ?? ""
        case let detail?:
            text = detail.string ?? ""
        case nil:
            text = body["error"]?.string ?? body["message"]?.string ?? ""
        }
        isOwn = body["detail"] != nil && !text.isEmpty
        text = text.cut(to: Self.longestText)
    }

    private static func field(_ view: JSONView) -> APIError.Field? {
        guard let message = view["msg"]?.string else { return nil }
        let location = (view["loc"]?.elements).map { elements in
            elements.compactMap { $0.string ?? $0.int.map(String.init) }.joined(separator: ".")
        }
        return APIError.Field(location: location ?? "", message: message)
    }

    /// Returns the body if it is a line of text; HTML and binary data are of no use to the user,
    /// and JSON of an unknown shape may repeat submitted values.
    private static func plainText(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.prefix(longestText * 4 + 1), as: UTF8.self)
        let first = text.first { !$0.isWhitespace }
        guard !text.contains("<"), !text.contains("\0"), first.map("{[\"".contains) != true else {
            return ""
        }
        return String(text.prefix { $0 != "\n" }).cut(to: longestText)
    }
}

/// Calls an operation; nil if the server has none of its routes.
///
///     let rows = try await ifSupported(try await subscriber.list())
package func ifSupported<Value>(
    _ work: @autoclosure () async throws(APIError) -> Value
) async throws(APIError) -> Value? {
    do throws(APIError) { return try await work() } catch  where error.isUnsupported { return nil }
}

extension HTTPResponse {
    /// The server's id of the request; nil for what is none, which may repeat anything.
    package var requestID: String? {
        guard let id = headers["x-request-id"], (1...64).contains(id.utf8.count),
            id.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "-_.:".utf8.contains($0) })
        else { return nil }
        return id
    }
}
