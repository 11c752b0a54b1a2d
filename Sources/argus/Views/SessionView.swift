import ArgusAccount
import ArgusCore

enum SessionView {
    static let fields: [Field<WebSession>] = [
        .column("id", "the session's id") { $0.id }.shortened,
        .column("current", "whether it is the session of argus itself") { $0.isCurrent }
            .coloringYes(.green).headed("this"),
        .column("device", "the browser or program") { $0.device }.shrinking(0).leading,
        .column("ip_address", "the address that it came from") { $0.address }.shrinking(1, to: 15)
            .headed("address"),
        .hidden("created_at", "when it began") { $0.createdAt },
        .column("last_active_at", "when it was last used") { $0.lastActiveAt },
    ]
}

/// A new key and the place of its secret.
struct MadeKey: Sendable {
    var key: APIKey
    /// The secret; nil if it is in a file.
    var secret: Redacted<String>?
    var path: String?
}

enum KeyView {
    static let fields: [Field<APIKey>] = [
        .column("id", "the key's id") { $0.id }.shortened,
        .column("name", "what it is for") { $0.name }.shrinking(1),
        .hidden("prefix", "how it begins") { $0.prefix },
        .column("scopes", "its purpose") { $0.scopes }.shrinking(0).headed("for"),
        .column("active", "whether it still works") { $0.isActive }.coloringNo(.red)
            .headed("ok"),
        .column("expires_at", "when it expires") { $0.expiresAt },
        .column("last_used_at", "when it was last used") { $0.lastUsedAt }.onTerminals(from: 80),
        .hidden("usage_count", "how often it was used") { $0.usageCount },
        .hidden("rate_limit_per_minute", "the most requests per minute") { $0.requestsPerMinute },
        .hidden("created_at", "when it was made") { $0.createdAt },
        .hidden("revoked_at", "when it was revoked") { $0.revokedAt },
    ]

    static let madeFields: [Field<MadeKey>] = fields.reading { $0.key } + own

    private static let own: [Field<MadeKey>] = [
        .column("key", "the key itself, shown only once; null if it is in a file") {
            $0.secret?.reveal()
        },
        .column("path", "the file with the key") { $0.path },
    ]
}
