struct SimulatorFault: Sendable {
    /// Nil for all of them.
    var service: PushServiceKind?
    /// The beginning of the tokens it applies to.
    var token = ""
    /// An error of the service's own table.
    var reason: String?
    /// The seconds since when a token that is gone has been so.
    var age: Int64 = 0
    /// The connection ends with GOAWAY (RFC 9113, section 6.8).
    var goesAway = false
    /// Faults that any server can have.
    var base = Fault()

    /// Parses the value of `--provider-fault`, such as `provider=apns,reason=Unregistered,times=2`.
    init(parsing spec: String) throws(UsageError) {
        for (name, value) in try Fault.parts(of: spec) {
            switch (name, value) {
            case ("provider", let value?):
                guard let kind = PushServiceKind(rawValue: value) else {
                    throw UsageError("provider= is apns, fcm, oauth or webpush, not \(value)")
                }
                service = kind
            case ("token", let value?): token = value
            case ("reason", let value?): reason = value
            case ("age", let value?): age = try Fault.milliseconds(name, value) / 1000
            case ("goaway", nil): goesAway = true
            default: try base.apply(name, value)
            }
        }
        switch base.delivery {
        case .whole, .reset, .silent, .endless: break
        default: throw UsageError("a provider's fault cannot be truncate, drip or garbage")
        }
        if let status = base.status, base.body == nil {
            // In the form of Mozilla's service; those of Apple and Google have reasons.
            base.contentType = base.contentType ?? "application/json"
            base.body = #"{"code":\#(status),"message":"Injected fault"}"#
        }
        guard let reason else { return }
        guard let service else { throw UsageError("reason= needs provider=") }
        guard service.reasons.contains(reason) else {
            throw UsageError("\(service.rawValue) knows no reason \(reason)")
        }
    }

    func matches(_ request: SimulatorRequest, token: String) -> Bool {
        (service ?? request.service) == request.service && token.hasPrefix(self.token)
            && base.matches(request.request)
    }
}

/// The push services, and Google's service for access tokens.
enum PushServiceKind: String, Sendable, CaseIterable {
    case apns, fcm, oauth, webpush

    /// The names that a fault can give as a reason.
    var reasons: [String] {
        switch self {
        case .apns: APNsReason.allCases.map(\.name)
        case .fcm: FCMError.allCases.map(\.rawValue)
        case .oauth: OAuthError.allCases.map(\.rawValue)
        case .webpush: []
        }
    }
}
