import CommandLineKit

/// The kinds of results of a run; the table of docs/scripting.md, "Exit statuses".
enum ExitKind: Int32, CaseIterable, Sendable {
    case done = 0
    case failed
    case usage
    case notFound
    case notSignedIn
    case forbidden
    case unreachable
    case serverError
    case rateLimited
    case identity
    case rejected
    case partial
    case gap
    case timeout
    case unsupported

    /// The word in the JSON error line; success has none.
    var name: String? { row.name }

    /// True if the same command can succeed later without intervention.
    var isRetryable: Bool {
        switch self {
        case .unreachable, .serverError, .rateLimited: true
        default: false
        }
    }

    /// The row that help and the manual page show.
    var row: ExitStatusInfo {
        switch self {
        case .done:
            ExitStatusInfo(
                0, "Success; for a list also if nothing matched, or the reader closed the pipe")
        case .failed: row("failed", "Any other failure", retry: nil)
        case .usage:
            row(
                "usage",
                "Usage error: unknown, ambiguous or missing arguments, or a question that could "
                    + "not be asked")
        case .notFound: row("not_found", "No such event, camera, device or server")
        case .notSignedIn:
            row(
                "not_signed_in",
                "Credentials are missing, rejected or expired, or the account is disabled")
        case .forbidden:
            row("forbidden", "Signed in, but not allowed; or an API key where a user is needed")
        case .unreachable:
            row(
                "unreachable",
                "Cannot reach the server: DNS, connection, TLS handshake or time-out",
                retry: "yes")
        case .serverError:
            row(
                "server_error",
                "The server failed, sent an invalid response, or redirected to a forbidden address",
                retry: "yes")
        case .rateLimited:
            row(
                "rate_limited", "The server refuses more requests for now",
                retry: "yes, after retry_after_seconds")
        case .identity:
            row(
                "identity",
                "The server did not prove its identity, or plain http is not allowed; no credential "
                    + "was sent")
        case .rejected:
            row(
                "rejected",
                "The server refused the content of the request, or a pairing was rejected")
        case .partial:
            row("partial", "Some of several failed; the others are done", retry: "maybe")
        case .gap:
            row(
                "gap", "A gap: something was lost before argus could read it, or a row is invalid",
                retry: nil)
        case .timeout:
            row("timeout", "It did not happen in time", retry: "maybe")
        case .unsupported:
            row("unsupported", "This server cannot do it; the message names what it lacks")
        }
    }

    private func row(_ name: String, _ meaning: String, retry: String? = "no") -> ExitStatusInfo {
        ExitStatusInfo(Int(rawValue), name: name, meaning, retry: retry)
    }
}

extension ExitStatus {
    static var malformedRow: ExitStatus { ExitStatus(12, "A row of the list was malformed") }
}

extension [ExitStatus] {
    /// The statuses of every command that sends requests, and others.
    static func requests(_ more: ExitStatus...) -> Self {
        ([0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 14] + more).sorted { $0.code < $1.code }
    }
}
