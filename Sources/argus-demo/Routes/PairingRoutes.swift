/// Pairing on today's server.
enum PairingRoutes {
    static func pair(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let hardwareID = body.required("device_id", length: 1...255)
        let platform = body.word("platform", oneOf: ["ios", "android"])
        let name = body.optional("device_name", length: 0...100)
        let model = body.optional("device_model", length: 0...100)
        try body.finish()
        state.pairings.waiting.removeAll {
            $0.hardwareID == hardwareID && $0.expiresAt <= request.now
        }
        try state.limit(
            "pair \(hardwareID)", to: 5, in: 60, request,
            or: Refusal(
                "Rate limit exceeded. Please wait before requesting another code.", status: 429))
        let pairing = Pairing(
            code: Secrets.pairingCode(), hardwareID: hardwareID, name: name, model: model,
            platform: platform, createdAt: request.now, expiresAt: request.now + 300)
        state.pairings.waiting.append(pairing)
        return .json([
            "code": .text(pairing.code), "expires_in": 299,
            "expires_at": .text(pairing.expiresAt.text),
        ])
    }

    static func status(_ request: Request, _ state: inout State) -> Answer {
        let code = request.parameter("code")
        let index = state.pairings.index(code: code, now: request.now)
        let isConfirmed = index.map { state.pairings.waiting[$0].confirmedBy != nil } ?? false
        return .json(["confirmed": .bool(isConfirmed), "expired": .bool(index == nil)])
    }

    static func pending(_ request: Request, _ state: inout State) -> Answer {
        let pairings = state.pairings.waiting.reversed().filter {
            $0.confirmedBy == nil && $0.expiresAt > request.now
        }
        return .json([
            "pairings": .list(pairings.map(\.json)), "total": .integer(pairings.count),
        ])
    }

    static func confirm(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try AuthRoutes.user(request)
        var body = try BodyReader(request)
        let code = body.required("code", length: 6...6)
        try body.finish()
        let index = try state.pairings.openIndex(code: code, now: request.now)
            .orRefuse("Invalid or expired pairing code")
        state.pairings.waiting[index].confirmedBy = user.id
        let pairing = state.pairings.waiting[index].json
        let confirmed: JSON = ["confirmed": true]
        return .json(confirmed.merging(pairing.keeping("device_name", "device_model", "platform")))
    }

    static func reject(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let code = request.parameter("code")
        let index = try state.pairings.openIndex(code: code, now: request.now)
            .orRefuse("Pairing code not found")
        state.pairings.waiting.remove(at: index)
        return .json(["message": "Pairing request rejected"])
    }

    static func exchange(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let code = body.required("code")
        try body.finish()
        let paired = state.redeem(code, now: request.now)
        let (user, device) = try paired.orRefuse(
            "Invalid, expired, or unconfirmed pairing code", status: 401)
        return state.grant(
            to: user, on: device, now: request.now,
            ["token_type": "bearer", "expires_in": 900, "device_id": .text(device.text)])
    }

    /// Renews a device's tokens; on the default database every issued token fails with a plain-text
    /// 500.
    static func refresh(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let token = body.required("refresh_token")
        let device = body.required("device_id")
        try body.finish()
        if state.settings.database == .postgres {
            return try rotate(token, device, request, &state)
        }
        let isKnown =
            state.pairings.spent.contains(token)
            || state.pairings.tokens.contains { $0.token == token && $0.deviceID.text == device }
        guard isKnown else { throw Refusal("Invalid or revoked refresh token", status: 401) }
        return .crash
    }

    /// Rotates as designed: each token renews once; for 30 s the old one gets another access token
    /// and is returned instead of the new refresh token.
    private static func rotate(
        _ token: String, _ device: String, _ request: Request, _ state: inout State
    ) throws(Refusal) -> Answer {
        let index = state.pairings.tokens.firstIndex {
            $0.token == token && $0.deviceID.text == device && $0.expiresAt > request.now
        }
        guard let index, let user = state.accounts[id: state.pairings.tokens[index].userID]
        else { throw Refusal("Invalid or revoked refresh token", status: 401) }
        let known = state.pairings.tokens[index]
        var next = token
        if let replacedAt = known.replacedAt {
            if state.settings.detectsReuse {
                _ = state.pairings.revoke { $0.deviceID == known.deviceID }
            }
            guard !state.settings.detectsReuse, replacedAt + 30 > request.now else {
                throw Refusal("Invalid or revoked refresh token", status: 401)
            }
        } else {
            state.pairings.tokens[index].replacedAt = request.now
            next = state.pairings.issueRefreshToken(
                for: known.deviceID, user: user.id, now: request.now)
        }
        return .json([
            "access_token": .text(state.accessToken(for: user, now: request.now)),
            "refresh_token": .text(next), "token_type": "bearer", "expires_in": 900,
        ])
    }

    static func revoke(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try AuthRoutes.user(request)
        var body = try BodyReader(request)
        let token = body.optional("refresh_token")
        let device = body.optional("device_id")
        let isAll = body.flag("revoke_all") ?? false
        try body.finish()
        let count = state.pairings.revoke { candidate in
            candidate.userID == user.id
                && (isAll || candidate.token == token || candidate.deviceID.text == device)
        }
        return .json(["revoked_count": .integer(count)])
    }
}
