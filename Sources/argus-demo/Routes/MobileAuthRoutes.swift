/// Pairing and tokens by the mobile API file.
enum MobileAuthRoutes {
    static func pair(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let body = try body(request)
        let hardwareID = try uuid(body, "device_id")
        guard let name = body["device_name"]?.string, name.unicodeScalars.count <= 100 else {
            throw invalid
        }
        let model = body["device_model"]?.string
        if let model, model.unicodeScalars.count > 50 { throw invalid }
        try limit("pair \(hardwareID)", 5, request, &state)
        let pairing = Pairing(
            code: Secrets.pairingCode(), hardwareID: hardwareID, name: name, model: model,
            platform: "ios", createdAt: request.now, expiresAt: request.now + 300)
        state.pairings.waiting.append(pairing)
        return .created([
            "pairing_code": .text(pairing.code),
            "expires_at": .text(pairing.expiresAt.text),
        ])
    }

    static func verify(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let body = try body(request)
        let hardwareID = try uuid(body, "device_id")
        guard let code = body["pairing_code"]?.string else { throw invalid }
        try limit("verify \(request.peer)", 10, request, &state)
        let paired = state.redeem(code, now: request.now) { $0.hardwareID == hardwareID }
        let (user, device) = try paired.orRefuse("Invalid or expired pairing code", status: 401)
        return tokens(for: user, on: device, request, &state)
    }

    static func refresh(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let body = try body(request)
        guard let token = body["refresh_token"]?.string else { throw invalid }
        try limit("refresh \(request.peer)", 20, request, &state)
        let (user, device) = try state.spend(token, now: request.now)
        return tokens(for: user, on: device, request, &state)
    }

    private static func tokens(
        for user: User, on device: Identifier, _ request: Request, _ state: inout State
    ) -> Answer {
        let lifetime = JSON.integer(Int(state.settings.accessTokenLifetime))
        return state.grant(
            to: user, on: device, now: request.now,
            ["token_type": "Bearer", "expires_in": lifetime])
    }

    /// The file specifies a 400 for invalid input, not a 422.
    static let invalid = Refusal("Invalid request data", status: 400)

    static func body(_ request: Request) throws(Refusal) -> JSON {
        guard let body = try? JSON.read(request.body), case .object = body else { throw invalid }
        return body
    }

    /// Reads a member that must be a UUID in any spelling.
    static func uuid(_ body: JSON, _ name: String) throws(Refusal) -> String {
        guard let text = body[name]?.string, Identifier(text.lowercased()) != nil else {
            throw invalid
        }
        return text
    }

    /// Refuses a call beyond `count` in a minute, with a `Retry-After` field.
    static func limit(
        _ key: String, _ count: Int, _ request: Request, _ state: inout State
    ) throws(Refusal) {
        var answer = Answer.detail("Rate limit exceeded. Retry after 60 seconds.", status: 429)
        answer.headers.append(("retry-after", "60"))
        try state.limit(key, to: count, in: 60, request, or: Refusal(answer))
    }
}
