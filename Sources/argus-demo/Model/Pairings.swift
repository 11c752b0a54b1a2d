/// A code to be confirmed and exchanged.
struct Pairing: Sendable {
    var code: String
    var hardwareID: String
    var name: String?
    var model: String?
    var platform: String
    var createdAt: Moment
    var expiresAt: Moment
    /// The user who confirmed it.
    var confirmedBy: Identifier?
}

/// A code that a dashboard shows, to be typed into a new device (design documents).
struct DashboardCode: Sendable {
    var code: String
    var expiresAt: Moment
}

/// A refresh token of a paired device.
struct MobileToken: Sendable {
    var token: String
    /// The row id, not the hardware id.
    var deviceID: Identifier
    var userID: Identifier
    var expiresAt: Moment
    /// The time of its replacement.
    var replacedAt: Moment?
}

/// Pairing codes and the refresh tokens issued for them.
struct Pairings: Sendable {
    var waiting: [Pairing] = []
    var tokens: [MobileToken] = []
    /// Used tokens, at which the default database fails.
    var spent: Set<String> = []
    var dashboardCode: DashboardCode?

    func index(code: String, now: Moment) -> Int? {
        waiting.firstIndex { $0.code == code && $0.expiresAt > now }
    }

    /// Issues a refresh token for a device, valid for 30 days.
    mutating func issueRefreshToken(for device: Identifier, user: Identifier, now: Moment) -> String
    {
        let token = Secrets.refreshToken()
        tokens.append(
            MobileToken(
                token: token, deviceID: device, userID: user, expiresAt: now + 30 * 86_400))
        return token
    }

    /// Shows a new code on the dashboard, valid for ten minutes.
    mutating func showDashboardCode(now: Moment) {
        dashboardCode = DashboardCode(code: Secrets.dashboardCode(), expiresAt: now + 600)
    }

    /// Revokes the tokens that meet `condition` and returns their number.
    mutating func revoke(where condition: (MobileToken) -> Bool) -> Int {
        let doomed = tokens.filter(condition)
        spent.formUnion(doomed.map(\.token))
        tokens.removeAll(where: condition)
        return doomed.count
    }
}
