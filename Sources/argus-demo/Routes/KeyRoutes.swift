/// The API keys of today's server.
enum KeyRoutes {
    private static let scopes = ["read:events", "read:cameras", "write:cameras", "admin"]

    static func create(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let name = body.required("name", length: 1...255)
        let scopes = body.texts("scopes") ?? ["read:events"]
        let expires = body.moment("expires_at")
        let rate = body.integer("rate_limit_per_minute", in: 1...10_000, default: 100)
        try body.finish()
        guard !scopes.isEmpty else {
            throw Refusal("At least one scope is required", status: 400)
        }
        let unknown = scopes.filter { !KeyRoutes.scopes.contains($0) }
        guard unknown.isEmpty else {
            throw Refusal("Invalid scopes: \(unknown.joined(separator: ", "))", status: 400)
        }
        // The database stores whole seconds here.
        let key = APIKey(
            name: name, key: Secrets.apiKey(), scopes: scopes, rateLimit: rate,
            expiresAt: expires, createdAt: Moment(seconds: request.now.seconds))
        state.keys.append(key)
        return .created([
            "id": .text(key.id.text), "name": .text(name), "key": .text(key.key),
            "prefix": .text(key.prefix), "scopes": JSON(scopes),
            "expires_at": JSON(expires?.text), "rate_limit_per_minute": .integer(rate),
            "created_at": .text(key.createdAt.text),
        ])
    }

    static func list(_ request: Request, _ state: inout State) -> Answer {
        let withRevoked = request.queryValue("include_revoked")?.lowercased() == "true"
        let keys = state.keys.reversed().filter { withRevoked || $0.revokedAt == nil }
        return .json(.list(keys.map(\.json)))
    }

    /// Revokes a key; succeeds if it is revoked already.
    static func revoke(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let index = try state.keys.firstIndex { $0.id.text == request.parameter("key_id") }
            .orRefuse("API key not found")
        state.keys[index].revokedAt = state.keys[index].revokedAt ?? request.now
        return .json(["message": "API key revoked successfully"])
    }
}
