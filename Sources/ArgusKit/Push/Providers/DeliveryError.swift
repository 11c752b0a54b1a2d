/// The reason why no push can be sent: a setting, a credential or the payload.
package struct DeliveryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure, which determine the exit status.
    package enum Kind: Hashable, Sendable {
        /// A setting is missing or malformed (status 2).
        case settings
        /// A key or a service account is missing, unreadable or malformed (status 4).
        case credentials
        /// The payload or its address is not acceptable (status 10).
        case rejected
        /// The service that issues access tokens fails for a moment (status 7).
        case unavailable
        /// The state or the sealed store cannot be used (status 1).
        case failed
    }

    package var kind: Kind
    /// The failure and its cause, in lower case and safe to print.
    package var description: String
    /// The remedy; nil if none is known.
    package var hint: String?

    package init(_ kind: Kind, _ description: String, hint: String? = nil) {
        self.kind = kind
        self.description = description
        self.hint = hint
    }
}
