/// The errors of `messages:send`, by the names of FCM's own codes where it has one.
///
/// Firebase, "FCM Error Codes" and "ErrorCode".
enum FCMError: String, Error, CaseIterable {
    /// The token is not one of FCM's.
    case invalidToken = "INVALID_ARGUMENT"
    /// The message is wrong.
    case badRequest = "BAD_REQUEST"
    case unregistered = "UNREGISTERED"
    case senderMismatch = "SENDER_ID_MISMATCH"
    case quotaExceeded = "QUOTA_EXCEEDED"
    case thirdPartyAuth = "THIRD_PARTY_AUTH_ERROR"
    case unavailable = "UNAVAILABLE"
    case internalError = "INTERNAL"
    case unauthenticated = "UNAUTHENTICATED"
    case permissionDenied = "PERMISSION_DENIED"

    var status: Int { row.status }

    /// The status, Google's code for all its services (google.rpc.Code), and the sentence.
    private var row: (status: Int, code: String, message: String) {
        switch self {
        case .invalidToken:
            (
                400, "INVALID_ARGUMENT",
                "The registration token is not a valid FCM registration token"
            )
        case .badRequest: (400, "INVALID_ARGUMENT", "Request contains an invalid argument.")
        case .unregistered: (404, "NOT_FOUND", "Requested entity was not found.")
        case .senderMismatch: (403, "PERMISSION_DENIED", "SenderId mismatch")
        case .quotaExceeded:
            (429, "RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Send requests'.")
        case .thirdPartyAuth:
            (401, "UNAUTHENTICATED", "Auth error from APNS or Web Push Service")
        case .unavailable: (503, "UNAVAILABLE", "The service is currently unavailable.")
        case .internalError: (500, "INTERNAL", "Internal error encountered.")
        case .unauthenticated:
            (
                401, "UNAUTHENTICATED",
                "Request had invalid authentication credentials. Expected OAuth 2 access token, "
                    + "login cookie or other valid authentication credential."
            )
        case .permissionDenied:
            (
                403, "PERMISSION_DENIED",
                "Permission 'cloudmessaging.messages.create' denied on resource "
                    + "'//cloudresourcemanager.googleapis.com/projects/' (or it may not exist)."
            )
        }
    }

    /// The refusal; a bad request has a field, and words about what is wrong with it.
    func refusal(field: String = "message", _ words: String? = nil) -> SimulatorRefusal {
        let words = words ?? row.message
        let detail: JSON
        switch self {
        case .badRequest:
            detail = [
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [["field": .text(field), "description": .text(words)]],
            ]
        case .unauthenticated, .permissionDenied:
            detail = [
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": self == .unauthenticated
                    ? "ACCESS_TOKEN_TYPE_UNSUPPORTED" : "IAM_PERMISSION_DENIED",
                "domain": "googleapis.com",
            ]
        default:
            detail = [
                "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                "errorCode": .text(rawValue),
            ]
        }
        let error: JSON = [
            "code": .integer(status), "message": .text(words),
            "status": .text(row.code), "details": [detail],
        ]
        return SimulatorRefusal(
            reason: rawValue,
            answer: .json(
                ["error": error], status: status, type: "application/json; charset=UTF-8",
                headers: self == .quotaExceeded ? [("retry-after", "1")] : []))
    }
}

/// The errors of Google's token service (RFC 6749, section 5.2).
enum OAuthError: String, Error, CaseIterable {
    case invalidRequest = "invalid_request"
    case invalidGrant = "invalid_grant"
    case invalidScope = "invalid_scope"
    case invalidClient = "invalid_client"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"

    func refusal(_ words: String) -> SimulatorRefusal {
        let status = self == .invalidClient || self == .unauthorizedClient ? 401 : 400
        return SimulatorRefusal(
            reason: rawValue,
            answer: .json(
                ["error": .text(rawValue), "error_description": .text(words)], status: status,
                type: "application/json; charset=utf-8"))
    }
}
