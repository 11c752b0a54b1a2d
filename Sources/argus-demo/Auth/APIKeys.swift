/// A key for programs.
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
            "scopes": .list(scopes.map(JSON.text)), "is_active": .bool(revokedAt == nil),
            "expires_at": JSON(expiresAt?.text), "last_used_at": JSON(lastUsedAt?.text),
            "usage_count": .integer(usageCount), "rate_limit_per_minute": .integer(rateLimit),
            "created_at": .text(createdAt.text), "revoked_at": JSON(revokedAt?.text),
        ]
    }
}

/// All keys; any user sees all of them.
struct APIKeys: Sendable {
    private(set) var all: [APIKey] = []

    mutating func add(_ key: APIKey) { all.append(key) }

    subscript(id: String) -> APIKey? { all.first { $0.id.text == id } }

    /// Returns true for a valid key and counts its use; scopes are never checked.
    mutating func accept(_ key: String, now: Moment) -> Bool {
        guard
            let index = all.firstIndex(where: {
                $0.key == key && $0.revokedAt == nil && ($0.expiresAt.map { $0 > now } ?? true)
            })
        else { return false }
        all[index].usageCount += 1
        all[index].lastUsedAt = now
        return true
    }

    mutating func revoke(_ id: String, now: Moment) {
        guard let index = all.firstIndex(where: { $0.id.text == id }) else { return }
        if all[index].revokedAt == nil { all[index].revokedAt = now }
    }
}
