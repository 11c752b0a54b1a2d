struct APIKey: Sendable {
    var id = Identifier.random()
    var name: String
    var key: String
    var scopes: [String]
    var rateLimit: Int
    var expiresAt: Moment?
    var createdAt: Moment
    var lastUsedAt: Moment?
    var usageCount = 0
    var revokedAt: Moment?

    /// The part of the key that lists show.
    var prefix: String { String(key.prefix(14)) + "..." }

    var json: JSON {
        [
            "id": .text(id.text), "name": .text(name), "prefix": .text(prefix),
            "scopes": JSON(scopes), "is_active": .bool(revokedAt == nil),
            "expires_at": JSON(expiresAt?.text), "last_used_at": JSON(lastUsedAt?.text),
            "usage_count": .integer(usageCount), "rate_limit_per_minute": .integer(rateLimit),
            "created_at": .text(createdAt.text), "revoked_at": JSON(revokedAt?.text),
        ]
    }
}

extension [APIKey] {
    /// Returns true for a valid key and counts its use; scopes are never checked.
    mutating func accept(_ key: String, now: Moment) -> Bool {
        let index = firstIndex {
            $0.key == key && $0.revokedAt == nil && $0.expiresAt.map { $0 > now } ?? true
        }
        guard let index else { return false }
        self[index].usageCount += 1
        self[index].lastUsedAt = now
        return true
    }
}
