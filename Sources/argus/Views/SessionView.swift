import ArgusKit

/// The canonical fields of a web session.
enum SessionView {
    static let fields: [Field<WebSession>] = [
        Field("id", "the session's id") { .text($0.id) },
        Field("current", "whether it is the one that argus uses here") {
            FieldValue($0.isCurrent)
        },
        Field("device", "the browser or program") { FieldValue($0.device) },
        Field("ip_address", "where it came from") { FieldValue($0.address) },
        Field("created_at", "when it began") { FieldValue($0.createdAt) },
        Field("last_active_at", "when it was last used") { FieldValue($0.lastActiveAt) },
    ]
}

/// A key that was just made, and where its secret went.
struct MadeKey: Sendable {
    var key: APIKey
    /// nil where a file has it.
    var secret: Redacted<String>?
    var path: String?
}

/// The canonical fields of API keys.
enum KeyView {
    static let fields: [Field<APIKey>] = [
        Field("id", "the key's id", isColumn: false) { .text($0.id) },
        Field("name", "what it is for") { FieldValue($0.name) },
        Field("prefix", "how it begins") { FieldValue($0.prefix) },
        Field("scopes", "what it is meant for") { FieldValue($0.scopes) },
        Field("active", "whether it still works") { FieldValue($0.isActive) },
        Field("expires_at", "when it ends by itself") { FieldValue($0.expiresAt) },
        Field("last_used_at", "when it was last used") { FieldValue($0.lastUsedAt) },
        Field("usage_count", "how often it was used") { FieldValue($0.usageCount) },
        Field("rate_limit_per_minute", "how often a minute it may be used", isColumn: false) {
            FieldValue($0.requestsPerMinute)
        },
        Field("created_at", "when it was made", isColumn: false) { FieldValue($0.createdAt) },
        Field("revoked_at", "when it was revoked", isColumn: false) { FieldValue($0.revokedAt) },
    ]

    static let madeFields: [Field<MadeKey>] =
        fields.map { field in
            Field(field.name, field.summary, isColumn: field.isColumn) { field.value($0.key) }
        } + [
            Field("key", "the key itself, told this once; null when a file has it") {
                FieldValue($0.secret?.reveal())
            },
            Field("path", "the file that has it") { FieldValue($0.path) },
        ]
}
