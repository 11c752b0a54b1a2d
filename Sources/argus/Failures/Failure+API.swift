import ArgusAccount
import ArgusCore
import ArgusTransport

extension Failure {
    /// Reports the failure of an operation on a server.
    ///
    /// `doing` follows `cannot`, such as `list events`; `server` is the user's name for it;
    /// `remedy` is the hint for refused credentials.
    init(_ error: APIError, doing: String, on server: String, remedy: String) {
        let because = error.because
        let httpStatus = error.status.map { " (HTTP \($0))" } ?? ""
        switch error.kind {
        case .transport(let cause):
            self.init(cause, doing: doing, on: server)
        case .unauthorized:
            self = Self.refused(error, by: server, remedy: remedy)
        case .forbidden:
            self.init(.forbidden, "'\(server)' does not allow this account to \(doing)\(because)")
        case .notFound:
            let status = because.isEmpty ? httpStatus : ""
            self.init(.notFound, "cannot \(doing) on '\(server)'\(status)\(because)")
        case .rejected:
            self.init(.rejected, "'\(server)' refused to \(doing)\(because)")
        case .rateLimited:
            self.init(
                .rateLimited, "'\(server)' refuses more requests for now\(because)",
                hint: error.retryAfterSeconds.flatMap { seconds in
                    seconds > 0 ? "wait up to \(DurationText.short(.seconds(seconds)))" : nil
                })
        case .serverError:
            self.init(.serverError, "'\(server)' failed to \(doing)\(httpStatus)\(because)")
        case .foreign(let status):
            self.init(
                .serverError,
                "'\(server)' does not answer as an ArgusAI server does "
                    + "(HTTP \(status))\(because)",
                hint: Self.hint(forForeign: status), reason: Self.foreignReason)
        case .malformedAnswer:
            self.init(
                .serverError,
                "'\(server)' sent an invalid response when asked to \(doing)"
                    + "\(httpStatus)\(because)",
                reason: error.status.map { _ in Self.foreignReason })
        case .renewalBroken:
            self.init(
                .notSignedIn,
                "the sign-in to '\(server)' has ended and cannot be renewed\(because)",
                hint: remedy, reason: "renewal_broken")
        case .storeFailed:
            self = (error.cause as? AccountError).map(Failure.init) ?? Failure(.failed, "")
            message = "cannot \(doing) on '\(server)'\(because)"
        case .unsteady:
            self.init(.gap, "cannot \(doing) on '\(server)'\(because)")
        case .unsupported(let what):
            self.init(.unsupported, "cannot \(doing): '\(server)' does not offer \(what)")
        }
        fields = error.fields
        retryAfterSeconds = error.retryAfterSeconds
        self.httpStatus = error.httpStatus
        requestID = error.requestID
    }

    /// The reason of an answer that is not an ArgusAI server's.
    static let foreignReason = "not_argusai"

    private static func hint(forForeign status: Int) -> String {
        switch status {
        case 200..<300, 401, 403, 407, 511:
            "something in front of the server may require a sign-in: a proxy, "
                + "or the network's sign-in page"
        case 500...: "a proxy in front of the server may answer for it: check that the server runs"
        default: "check the address, with its port and path"
        }
    }

    private static func refused(_ error: APIError, by server: String, remedy: String) -> Failure {
        let (reason, hint) =
            switch error.detail {
            case "Invalid credentials":
                ("invalid_credentials", "check the user name and the password")
            case "Token has expired": ("session_expired", remedy)
            case "Account disabled":
                ("account_disabled", "ask an administrator of the server to enable the account")
            case let words where words.hasPrefix("Temporary password has expired"):
                ("password_expired", "ask an administrator of the server for a new password")
            default: ("credentials_refused", remedy)
            }
        return Failure(
            .notSignedIn, "'\(server)' refused the credentials\(error.because)", hint: hint,
            reason: reason)
    }

    private init(_ error: TransportError, doing: String, on server: String) {
        let other = error.redirectedTo.map { "\($0), to which '\(server)' redirects" }
        // A clause ends with a comma if the sentence continues.
        let who = other.map { $0 + "," } ?? "'\(server)'"
        switch error.kind {
        case .identityRefused where error.isByDates:
            self.init(
                .identity, "\(who) did not prove its identity: \(error.detail)",
                hint: "nothing secret was sent; 'date -u' prints the clock",
                reason: Self.clockReason)
        case .identityRefused:
            self.init(
                .identity, "\(who) did not prove its identity: \(error.detail)",
                hint: "nothing secret was sent; see 'argus help servers'",
                reason: "identity_refused")
        case .redirectRefused:
            self.init(
                .serverError,
                "'\(server)' sent an invalid response when asked to \(doing): \(error.detail)",
                hint: "if it has moved, sign in at its new address with 'argus login URL'",
                reason: Self.foreignReason)
        case .tooLarge, .malformedAnswer, .truncatedBody, .upgradeRefused:
            self.init(
                .serverError,
                "\(who) sent an invalid response when asked to \(doing): \(error.detail)")
        case .unusableFile, .invalidRequest: self.init(.usage, error.detail)
        case .libraryMissing:
            self.init(.failed, error.detail)
        case .noResources, .receiverStopped, .cancelled:
            self.init(.failed, "cannot \(doing): \(error.detail)")
        case .unknownNetwork:
            self.init(
                .unreachable, "cannot reach \(other ?? "'\(server)'"): \(error.detail)",
                reason: Self.unknownNetworkReason)
        case .noEndpoint, .unresolvedHost, .notConnected, .timedOut, .handshakeFailed,
            .connectionLost, .proxyFailed:
            self.init(.unreachable, "cannot reach \(other ?? "'\(server)'"): \(error.detail)")
        }
    }
}

extension APIError {
    /// The HTTP status, also of a foreign answer; nil if no answer came.
    fileprivate var httpStatus: Int? {
        if case .foreign(let foreign) = kind { foreign } else { status }
    }

    /// The server's words, after a colon; empty if there are none.
    var because: String { detail.isEmpty ? "" : ": \(detail)" }
}
