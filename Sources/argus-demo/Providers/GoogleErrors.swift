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

    var status: Int {
        switch self {
        case .invalidToken, .badRequest: 400
        case .unregistered: 404
        case .senderMismatch, .permissionDenied: 403
        case .quotaExceeded: 429
        case .thirdPartyAuth, .unauthenticated: 401
        case .unavailable: 503
        case .internalError: 500
        }
    }

    /// Google's code for all its services (google.rpc.Code), and the sentence.
    private var words: (code: String, message: String) {
        switch self {
        case .invalidToken:
            (
                "INVALID_ARGUMENT",
                "The registration token is not a valid FCM registration token"
            )
        case .badRequest: ("INVALID_ARGUMENT", "Request contains an invalid argument.")
        case .unregistered: ("NOT_FOUND", "Requested entity was not found.")
        case .senderMismatch: ("PERMISSION_DENIED", "SenderId mismatch")
        case .quotaExceeded:
            ("RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Send requests'.")
        case .thirdPartyAuth: ("UNAUTHENTICATED", "Auth error from APNS or Web Push Service")
        case .unavailable: ("UNAVAILABLE", "The service is currently unavailable.")
        case .internalError: ("INTERNAL", "Internal error encountered.")
        case .unauthenticated:
            (
                "UNAUTHENTICATED",
                "Request had invalid authentication credentials. Expected OAuth 2 access token, "
                    + "login cookie or other valid authentication credential."
            )
        case .permissionDenied:
            (
                "PERMISSION_DENIED",
                "Permission 'cloudmessaging.messages.create' denied on resource "
                    + "'//cloudresourcemanager.googleapis.com/projects/' (or it may not exist)."
            )
        }
    }

    private var details: [JSON] {
        switch self {
        case .badRequest: []
        case .unauthenticated, .permissionDenied:
            [
                [
                    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                    "reason": self == .unauthenticated
                        ? "ACCESS_TOKEN_TYPE_UNSUPPORTED" : "IAM_PERMISSION_DENIED",
                    "domain": "googleapis.com",
                ]
            ]
        default:
            [
                [
                    "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                    "errorCode": .text(rawValue),
                ]
            ]
        }
    }

    /// The answer; `violation` is the field of a bad request and what is wrong with it.
    func answer(violation: FCMViolation? = nil) -> SimulatorAnswer {
        var details = details
        if self == .badRequest {
            let violation = violation ?? FCMViolation(field: "message", words: words.message)
            details = [
                [
                    "@type": "type.googleapis.com/google.rpc.BadRequest",
                    "fieldViolations": [
                        ["field": .text(violation.field), "description": .text(violation.words)]
                    ],
                ]
            ]
        }
        let error: JSON = [
            "code": .integer(status), "message": .text(violation?.words ?? words.message),
            "status": .text(words.code), "details": .list(details),
        ]
        var headers = [("content-type", "application/json; charset=UTF-8")]
        if self == .quotaExceeded { headers.append(("retry-after", "1")) }
        return SimulatorAnswer(status, headers: headers, body: ["error": error])
    }
}

/// A field of a message that FCM refuses.
struct FCMViolation: Error, Equatable {
    var field: String
    var words: String
}

/// The errors of Google's token service (RFC 6749, section 5.2).
enum OAuthError: String, Error, CaseIterable {
    case invalidRequest = "invalid_request"
    case invalidGrant = "invalid_grant"
    case invalidScope = "invalid_scope"
    case invalidClient = "invalid_client"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"

    func answer(_ words: String) -> SimulatorAnswer {
        let status = self == .invalidClient || self == .unauthorizedClient ? 401 : 400
        return SimulatorAnswer(
            status, headers: [("content-type", "application/json; charset=utf-8")],
            body: ["error": .text(rawValue), "error_description": .text(words)])
    }
}
