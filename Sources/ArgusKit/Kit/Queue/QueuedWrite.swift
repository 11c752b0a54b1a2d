package import ArgusAccount
package import ArgusCore

/// A write that waits for its server, was set aside, or conflicts with a change made there.
package struct QueuedWrite: Sendable, Equatable {
    /// The user who made the write, if the sign-in names one.
    package struct User: Hashable, Sendable {
        package var id: String?
        package var name: String?
        /// The beginning of the SHA-256 of an API key, whose owner no server names.
        package var keyDigest: String?

        /// True if both are certainly the same user.
        package func isSame(as other: User) -> Bool {
            if let id, let other = other.id { return id == other }
            if let name, let other = other.name { return name == other }
            if let keyDigest, let other = other.keyDigest { return keyDigest == other }
            return false
        }
    }

    package enum Status: String, Sendable {
        case waiting
        case setAside = "set_aside"
        /// Another client has changed the object.
        case conflict
    }

    /// 16 hexadecimal digits.
    package var id: String
    /// The place among the writes of its server.
    package var number: Int
    package var addedAt: Timestamp
    /// The id of the server's record.
    package var server: String
    package var user: User
    package var write: QueueableWrite
    /// The user's name for the object, such as that of a camera.
    package var label: String?
    /// The members that it replaces, as the user has last seen them; those never seen are absent.
    package var base: [String: JSONValue] = [:]
    /// The number of failed tries that the server answered.
    package var tries = 0
    /// The time of the next try; nil once it is set aside.
    package var nextTry: Timestamp?
    /// The reason why the last try failed.
    package var reason: String?
    /// The server's values that conflict with this write; nil without a conflict.
    package var found: [String: JSONValue]?

    /// Makes a record, to which the store gives an id, a number and a base.
    package init(
        _ write: QueueableWrite, of user: User, at server: ServerID, label: String? = nil,
        addedAt: Timestamp, nextTry: Timestamp, reason: String? = nil
    ) {
        (id, number) = ("", 0)
        (self.write, self.user, self.server) = (write, user, server.text)
        (self.label, self.reason) = (label, reason)
        (self.addedAt, self.nextTry) = (addedAt, nextTry)
    }

    /// The user's name for the object, such as `'Garage'`, or `the camera c1`.
    package var subject: String { label.map(\.inQuotes) ?? "the \(write.object)" }

    /// True if the user has never seen what it replaces, so that it can only become a conflict;
    /// feedback counts as not given then.
    package var isBlind: Bool {
        if case .feedback = write { return false }
        return !write.members.allSatisfy { base[$0] != nil }
    }

    package var status: Status {
        found != nil ? .conflict : nextTry == nil ? .setAside : .waiting
    }

    /// True if a try is due; so is one further away than any pause, for a clock was wrong then.
    package func isDue(at now: Timestamp) -> Bool {
        guard let nextTry else { return false }
        return nextTry <= now || nextTry > now + .seconds(Self.longestPause) + .seconds(300)
    }

    /// The tries before it is set aside.
    package static let tryLimit = 3
    /// The most seconds for which a server's `Retry-After` counts.
    private static let longestPause = 86_400
    /// The most characters of a server's text.
    private static let textLimit = 1000

    /// The pause before a try: 1, 2 and 4 minutes, times `jitter`, which is 0.75 to 1.25, or the
    /// `retryAfter` seconds of the server if those are more.
    package static func pause(
        beforeTry number: Int, retryAfter: Int? = nil, jitter: Double = .random(in: 0.75...1.25)
    ) -> Duration {
        let minutes = Double(1 << min(max(number - 1, 0), tryLimit - 1))
        return max(.seconds(60 * minutes * jitter), .seconds(min(retryAfter ?? 0, longestPause)))
    }

    /// Counts a try that the server answered without a verdict; after the last one it is set aside.
    mutating func fail(
        _ reason: String, at now: Timestamp, retryAfter: Int?, jitter: Double
    ) {
        tries += 1
        guard tries < Self.tryLimit else { return setAside(reason) }
        self.reason = reason
        nextTry = now + Self.pause(beforeTry: tries + 1, retryAfter: retryAfter, jitter: jitter)
    }

    /// Sets it aside after a verdict against it.
    mutating func setAside(_ reason: String) {
        self.reason = reason
        nextTry = nil
    }

    /// Keeps it as a conflict with the state of the server.
    mutating func conflict(with version: ObjectVersion) {
        setAside(isBlind ? "never seen before" : "changed on the server since")
        found = version.values.filter { write.members.contains($0.key) && $0.value.isShort }
    }

    /// Notes that an earlier write of the object was sent; its values become the ones to replace.
    mutating func follow(_ earlier: QueueableWrite, _ wanted: [String: JSONValue]) {
        for member in write.members where earlier.members.contains(member) {
            base[member] = wanted[member]
        }
    }

    /// Makes a new series of tries due; a conflict is then sent over the state that it was found
    /// to be in, and over no later one.
    package mutating func retry(at now: Timestamp) {
        tries = 0
        nextTry = now
        if let found { base = found }
        found = nil
    }
}

/// The document of a record.
///
///     {"version":1,"id":"0f3a…","added_at":"2026-11-22T18:00:00.000000Z","server":"sz6tejcs",
///      "user":{"name":"anna"},"write":{"operation":"cameras disable","camera":"83e8482b-…"},
///      "base":{"enabled":true},"tries":0,"next_try":"2026-11-22T18:00:00.000000Z"}
extension QueuedWrite: StateDocument {
    package init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(document: state)
        id = try object.text("id").required()
        number = Int(clamping: try object.integer("number").required())
        addedAt = try object.time("added_at").required()
        server = try object.text("server").required()
        var user = try JSONObject(try object.take("user").required())
        self.user = User(
            id: try user.text("id"), name: try user.text("name"),
            keyDigest: try user.text("key_digest"))
        write = try QueueableWrite(state: try object.take("write").required())
        label = try object.text("label")
        if case .object(let values) = object.take("base") { base = values }
        tries = Int(clamping: try object.integer("tries").required())
        nextTry = try object.time("next_try")
        reason = try object.text("reason")
        if let state = object.take("found") { found = try JSONObject(state).rest }
    }

    package var state: JSONValue {
        var user = JSONObject()
        user.put("id", self.user.id)
        user.put("name", self.user.name)
        user.put("key_digest", self.user.keyDigest)
        var object = JSONObject.document()
        object.put("id", id)
        object.put("number", .integer(Int64(number)))
        object.put("added_at", addedAt)
        object.put("server", server)
        object.put("user", user.value)
        object.put("write", write.state)
        object.put("label", label.map { String($0.prefix(Self.textLimit)) })
        object.put("base", .object(base))
        object.put("tries", .integer(Int64(tries)))
        object.put("next_try", nextTry)
        // A server's message may repeat a secret of the request.
        object.put("reason", reason.map { String($0.masked.prefix(Self.textLimit)) })
        object.put("found", found.map(JSONValue.object))
        return object.value
    }
}

extension JSONValue {
    /// False for a value that is too long to be kept and compared.
    var isShort: Bool { document(.compact).count <= 1 << 14 }
}

extension QueuedWrite.User {
    /// The user of a stored sign-in; nil if neither the record nor the credential names one.
    package init?(_ server: SignedInServer) {
        guard server.isStored, let account = server.record?.account else { return nil }
        self.init(id: account.userID, name: account.username)
        if id == nil, name == nil {
            switch server.credential {
            case .apiKey(let key):
                keyDigest = String(Checksum.sha256(Array(key.reveal().utf8)).prefix(16))
            case .session(let session): self = Self(session)
            }
        }
        if self == Self() { return nil }
    }

    /// The user whom the tokens of a sign-in name; renewed tokens name the same one.
    package init(_ session: StoredSession) {
        let claims = JWTClaims(session.accessToken)
        self.init(id: claims?.subject, name: claims?.username ?? session.username)
    }
}
