/// A code that waits to be confirmed and exchanged.
struct Pairing: Sendable {
    var code: String
    var hardwareID: String
    var name: String?
    var model: String?
    var platform: String
    var createdAt: Moment
    var expiresAt: Moment
    /// Who confirmed it.
    var confirmedBy: Identifier?
}

/// A code that a dashboard shows, to be typed into a new device (the relay document's way).
struct DashboardCode: Sendable {
    var code: String
    var expiresAt: Moment
}

/// A refresh token of a paired device.
struct MobileToken: Sendable {
    var token: String
    /// The row, not the hardware id.
    var deviceID: Identifier
    var userID: Identifier
    var expiresAt: Moment
    /// When another took its place.
    var replacedAt: Moment?
}

/// Pairing codes and the refresh tokens that came of them (backend-facts 3).
struct Pairings: Sendable {
    var waiting: [Pairing] = []
    var tokens: [MobileToken] = []
    /// Tokens that were good once; the default database fails on them.
    var spent: Set<String> = []
    var dashboardCode: DashboardCode?

    func index(code: String, now: Moment) -> Int? {
        waiting.firstIndex { $0.code == code && $0.expiresAt > now }
    }

    /// A new refresh token for a device, for 30 days.
    mutating func issue(to device: Identifier, _ user: Identifier, now: Moment) -> String {
        let token = Secrets.refreshToken()
        tokens.append(
            MobileToken(
                token: token, deviceID: device, userID: user, expiresAt: now + 30 * 86_400))
        return token
    }

    /// Puts another code on the dashboard, good for ten minutes.
    mutating func showDashboardCode(now: Moment) {
        dashboardCode = DashboardCode(code: Secrets.dashboardCode(), expiresAt: now + 600)
    }

    /// Ends the tokens for which `condition` holds and returns how many there were.
    mutating func revoke(where condition: (MobileToken) -> Bool) -> Int {
        let doomed = tokens.filter(condition)
        spent.formUnion(doomed.map(\.token))
        tokens.removeAll(where: condition)
        return doomed.count
    }
}
