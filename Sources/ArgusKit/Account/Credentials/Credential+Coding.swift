package import ArgusCore

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
            object.put("type", "api_key")
            object.put("api_key", key.reveal())
        case .session(let session):
            object.put("type", "session")
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
            expiresAt: try object.time(microseconds: "expires_at_us"),
            issuedAt: try object.time(microseconds: "issued_at_us"))
        hardwareID = try object.text("hardware_id")
        cookie = try object.text("cookie")
        renewableUntil = try object.time(microseconds: "renewable_until_us")
        renewedAt = try object.time(microseconds: "renewed_at_us")
        crashes.count = Int(clamping: try object.integer("renewal_crashes") ?? 0)
        crashes.firstAt = try object.time(microseconds: "renewal_crashed_first_us")
        crashes.lastAt = try object.time(microseconds: "renewal_crashed_last_us")
    }

    fileprivate func put(into object: inout JSONObject) {
        object.put("kind", kind.rawValue)
        object.put("access_token", accessToken.reveal())
        object.put("refresh_token", refreshToken?.reveal())
        object.put("device_row_id", deviceRowID)
        object.put("hardware_id", hardwareID)
        object.put("username", username)
        object.put("expires_at_us", microseconds: expiresAt)
        object.put("issued_at_us", microseconds: issuedAt)
        object.put("cookie", cookie)
        object.put("renewable_until_us", microseconds: renewableUntil)
        object.put("renewed_at_us", microseconds: renewedAt)
        guard crashes.count > 0 else { return }
        object.put("renewal_crashes", .integer(Int64(crashes.count)))
        object.put("renewal_crashed_first_us", microseconds: crashes.firstAt)
        object.put("renewal_crashed_last_us", microseconds: crashes.lastAt)
    }
}
