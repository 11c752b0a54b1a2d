/// A sign-in that can be renewed.
struct Session: Sendable {
    var id = Identifier.random()
    var userID: Identifier
    var accessToken: String
    var refreshToken: String
    var address: String
    var createdAt: Moment
    var lastActiveAt: Moment
    /// The end, which renewals do not extend.
    var expiresAt: Moment
}

struct Sessions: Sendable {
    private(set) var all: [Session] = []
    /// The used refresh tokens and their sign-ins.
    private var spent: [String: Identifier] = [:]

    func of(_ user: Identifier) -> [Session] { all.filter { $0.userID == user } }

    /// Adds a sign-in; a user's sixth removes the oldest.
    mutating func add(_ session: Session) {
        let own = of(session.userID)
        if own.count >= 5 { remove { $0.id == own[0].id } }
        all.append(session)
    }

    func index(refreshToken: String, now: Moment) -> Int? {
        all.firstIndex { $0.refreshToken == refreshToken && $0.expiresAt > now }
    }

    mutating func rotate(at index: Int, accessToken: String, now: Moment) {
        spent[all[index].refreshToken] = all[index].id
        all[index].accessToken = accessToken
        all[index].refreshToken = Secrets.refreshToken()
        all[index].lastActiveAt = now
    }

    /// Ends the sign-in of a used refresh token; false if there is none.
    mutating func end(bySpent token: String) -> Bool {
        guard let id = spent[token], all.contains(where: { $0.id == id }) else { return false }
        remove { $0.id == id }
        return true
    }

    mutating func remove(where condition: (Session) -> Bool) { all.removeAll(where: condition) }
}
