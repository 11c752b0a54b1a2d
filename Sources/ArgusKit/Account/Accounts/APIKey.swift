package import ArgusCore
package import ArgusTransport

/// A key for programs, without its secret.
///
///     {"id":"6a…","name":"cron","prefix":"argus_1a2b3c4d...","scopes":["read:events"],
///      "is_active":true,"expires_at":null,"last_used_at":null,"usage_count":0,
///      "rate_limit_per_minute":100,"created_at":"2026-11-20T23:40:00Z","revoked_at":null}
package struct APIKey: Sendable, Equatable {
    package var id: String
    package var name: String?
    /// The start of the key, by which users recognise it.
    package var prefix: String?
    package var scopes: [String]?
    package var isActive: Bool?
    package var expiresAt: Timestamp?
    package var lastUsedAt: Timestamp?
    package var usageCount: Int?
    package var requestsPerMinute: Int?
    package var createdAt: Timestamp?
    package var revokedAt: Timestamp?

    /// Decodes a key in a list or in the answer that created it; nil without an id.
    package init?(_ view: JSONView) {
        guard let id = view["id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        name = view["name"]?.string
        prefix = view["prefix"]?.string
        scopes = view["scopes"]?.strings
        isActive = view["is_active"]?.bool
        expiresAt = view["expires_at"]?.timestamp
        lastUsedAt = view["last_used_at"]?.timestamp
        usageCount = view["usage_count"]?.int
        requestsPerMinute = view["rate_limit_per_minute"]?.int
        createdAt = view["created_at"]?.timestamp
        revokedAt = view["revoked_at"]?.timestamp
    }
}

/// The values of a key to be made.
package struct NewAPIKey: Sendable {
    /// A permission of a key; today's servers check none of them (docs/compatibility.md, trap 27).
    package enum Scope: String, Sendable, CaseIterable {
        case readEvents = "read:events"
        case readCameras = "read:cameras"
        case writeCameras = "write:cameras"
        case admin
    }

    /// 1 to 255 characters.
    package var name: String
    package var scopes: [Scope]
    package var expiresAt: Timestamp?
    /// The rate limit, 1 to 10000.
    package var requestsPerMinute: Int?

    package init(
        name: String, scopes: [Scope], expiresAt: Timestamp?, requestsPerMinute: Int?
    ) {
        self.name = name
        self.scopes = scopes
        self.expiresAt = expiresAt
        self.requestsPerMinute = requestsPerMinute
    }

    /// Writes the members of the request; the time in UTC, since servers drop offsets.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("scopes", scopes.map(\.rawValue))
        if let expiresAt { writer.member("expires_at", expiresAt) }
        if let requestsPerMinute { writer.member("rate_limit_per_minute", requestsPerMinute) }
    }
}

/// The routes of API keys.
package enum APIKeyRoutes {
    private static let keys = "/api/v1/api-keys"

    /// Lists every key of the server; `true` includes those that were revoked.
    package static let list = Operation<Bool, ListedRows<APIKey>>(
        "keys.list", feature: "a list of API keys",
        Route(.current, ResponseBody.rows("api_keys", APIKey.init)) { withRevoked in
            RouteRequest(.get, keys, query: [("include_revoked", withRevoked ? "true" : nil)])
        })

    /// Makes a key, whose secret the server sends only once; nil if no request can carry it.
    package static let create = Operation<NewAPIKey, (key: APIKey, secret: Redacted<String>?)>(
        "keys.create", feature: "making API keys",
        Route(.current) { new in
            RouteRequest(.post, keys).sending(new.write)
        } decode: { answer throws(APIError) in
            let body = try ResponseBody.parse(answer)
            guard let key = APIKey(body) else { throw .malformed("the answer has no key", answer) }
            let secret = body["key"]?.string ?? ""
            return (key, SecretText.isToken(secret) ? Redacted(secret) : nil)
        })

    /// Revokes a key; succeeds if it is revoked already.
    package static let revoke = Operation<String, Void>(
        "keys.revoke", feature: "revoking API keys",
        Route(.current, ResponseBody.expectDone) { RouteRequest(.delete, keys, $0) })
}
