/// A code to be confirmed and exchanged.
struct Pairing: Sendable {
    var code: String
    var hardwareID: String
    var name: String?
    var model: String?
    var platform: String
    var createdAt: Moment
    var expiresAt: Moment
    var confirmedBy: Identifier?

    var json: JSON {
        [
            "code": .text(code), "device_name": JSON(name), "device_model": JSON(model),
            "platform": .text(platform), "expires_at": .text(expiresAt.text),
            "created_at": .text(createdAt.text),
        ]
    }
}

/// A refresh token of a paired device.
struct MobileToken: Sendable {
    var token = Secrets.refreshToken()
    /// The row id, not the hardware id.
    var deviceID: Identifier
    var userID: Identifier
    var expiresAt: Moment
    var replacedAt: Moment?
}

/// Pairing codes and the refresh tokens issued for them.
struct Pairings: Sendable {
    var waiting: [Pairing] = []
    var tokens: [MobileToken] = []
    /// Used tokens, at which the default database fails.
    var spent: Set<String> = []
    /// The code that a dashboard shows, to be typed into a new device (design documents).
    var dashboardCode: (code: String, expiresAt: Moment)?

    func index(code: String, now: Moment) -> Int? {
        waiting.firstIndex { $0.code == code && $0.expiresAt > now }
    }

    /// The index of an unconfirmed pairing.
    func openIndex(code: String, now: Moment) -> Int? {
        index(code: code, now: now).flatMap { waiting[$0].confirmedBy == nil ? $0 : nil }
    }

    /// Issues a refresh token for a device, valid for 30 days.
    mutating func issueRefreshToken(
        for device: Identifier, user: Identifier, now: Moment
    ) -> String {
        let token = MobileToken(deviceID: device, userID: user, expiresAt: now + 30 * 86_400)
        tokens.append(token)
        return token.token
    }

    /// Shows a new code on the dashboard, valid for ten minutes.
    mutating func showDashboardCode(now: Moment) {
        dashboardCode = (Secrets.dashboardCode(), now + 600)
    }

    /// Revokes the tokens that meet `condition` and returns their number.
    mutating func revoke(where condition: (MobileToken) -> Bool) -> Int {
        let doomed = tokens.filter(condition)
        spent.formUnion(doomed.map(\.token))
        tokens.removeAll(where: condition)
        return doomed.count
    }
}
