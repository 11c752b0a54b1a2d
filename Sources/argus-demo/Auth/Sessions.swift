/// A sign-in that can be renewed.
struct Session: Sendable {
    var id = Identifier.random()
    var userID: Identifier
    var accessToken: String
    var refreshToken: String
    var deviceInfo: String
    var address: String
    var createdAt: Moment
    var lastActiveAt: Moment
    /// Renewals do not move it (backend-facts 2).
    var expiresAt: Moment
}

/// The sign-ins of all users.
struct Sessions: Sendable {
    /// A sixth login of a user removes the oldest.
    static let maximumPerUser = 5

    private(set) var all: [Session] = []
    /// Refresh tokens that were good once, and the sign-ins that they belonged to.
    private var spent: [String: Identifier] = [:]

    func of(_ user: Identifier) -> [Session] { all.filter { $0.userID == user } }

    mutating func add(_ session: Session) {
        let own = of(session.userID)
        if own.count >= Sessions.maximumPerUser, let oldest = own.first {
            remove { $0.id == oldest.id }
        }
        all.append(session)
    }

    func index(refreshToken: String, now: Moment) -> Int? {
        all.firstIndex { $0.refreshToken == refreshToken && $0.expiresAt > now }
    }

    /// Gives the sign-in at `index` other tokens.
    mutating func rotate(at index: Int, accessToken: String, now: Moment) {
        spent[all[index].refreshToken] = all[index].id
        all[index].accessToken = accessToken
        all[index].refreshToken = Secrets.refreshToken()
        all[index].lastActiveAt = now
    }

    /// Ends the sign-in that a spent refresh token belonged to; whether there was one.
    mutating func end(bySpent token: String) -> Bool {
        guard let id = spent[token], all.contains(where: { $0.id == id }) else { return false }
        remove { $0.id == id }
        return true
    }

    mutating func remove(where condition: (Session) -> Bool) { all.removeAll(where: condition) }
}

/// The server's guess at the program behind a `User-Agent`.
func deviceInfo(of userAgent: String) -> String {
    let systems = [
        ("iPhone", "iOS"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS", "macOS"),
        ("Linux", "Linux"),
    ]
    let browsers = ["Firefox", "Edg", "Chrome", "Safari"]
    let browser = browsers.first { userAgent.contains($0) } ?? "Unknown Browser"
    let system = systems.first { userAgent.contains($0.0) }?.1 ?? "Unknown OS"
    return "\(browser) on \(system)"
}
