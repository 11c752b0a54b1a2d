// The encoding of a credential, the same in every store.
//
// ```json
// {"version": 1, "type": "session", "kind": "web", "access_token": "…", "refresh_token": "…",
//  "username": "admin", "expires_at_us": 1795212000000000, "issued_at_us": 1795125600000000}
// {"version": 1, "type": "api_key", "api_key": "…"}
// ```

extension Credential: StateDocument {
    package var state: JSONValue {
        var object = JSONObject.document()
        switch self {
        case .apiKey(let key):
            object.put("type", .text("api_key"))
            object.put("api_key", .text(key.reveal()))
        case .session(let session):
            object.put("type", .text("session"))
            session.put(into: &object)
        }
        return object.value
    }

    package init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(document: state)
        switch try object.text("type") {
        case "api_key": self = .apiKey(Redacted(try object.text("api_key").required()))
        case "session": self = .session(try StoredSession(&object))
        default: throw StateUnreadable()
        }
    }

    /// The encoded credential.
    package func encoded() -> Redacted<[UInt8]> { Redacted(state.document(.compact)) }
}

extension StoredSession {
    fileprivate init(_ object: inout JSONObject) throws(StateUnreadable) {
        self.init(
            kind: try Kind(rawValue: object.text("kind").required()).required(),
            accessToken: Redacted(try object.text("access_token").required()),
            refreshToken: try object.text("refresh_token").map { Redacted($0) },
            deviceRowID: try object.text("device_row_id"),
            username: try object.text("username"),
            expiresAt: try object.integer("expires_at_us").map(Timestamp.init(microseconds:)),
            issuedAt: try object.integer("issued_at_us").map(Timestamp.init(microseconds:)))
        cookie = try object.text("cookie")
        func time(_ member: String) throws(StateUnreadable) -> Timestamp? {
            try object.integer(member).map(Timestamp.init(microseconds:))
        }
        renewableUntil = try time("renewable_until_us")
        renewedAt = try time("renewed_at_us")
        crashes.count = Int(clamping: try object.integer("renewal_crashes") ?? 0)
        crashes.firstAt = try time("renewal_crashed_first_us")
        crashes.lastAt = try time("renewal_crashed_last_us")
    }

    fileprivate func put(into object: inout JSONObject) {
        func time(_ moment: Timestamp?) -> JSONValue? { moment.map { .integer($0.microseconds) } }
        object.put("kind", .text(kind.rawValue))
        object.put("access_token", .text(accessToken.reveal()))
        object.put("refresh_token", refreshToken.map { .text($0.reveal()) })
        object.put("device_row_id", deviceRowID.map(JSONValue.text))
        object.put("username", username.map(JSONValue.text))
        object.put("expires_at_us", time(expiresAt))
        object.put("issued_at_us", time(issuedAt))
        object.put("cookie", cookie.map(JSONValue.text))
        object.put("renewable_until_us", time(renewableUntil))
        object.put("renewed_at_us", time(renewedAt))
        guard crashes.count > 0 else { return }
        object.put("renewal_crashes", .integer(Int64(crashes.count)))
        object.put("renewal_crashed_first_us", time(crashes.firstAt))
        object.put("renewal_crashed_last_us", time(crashes.lastAt))
    }
}
