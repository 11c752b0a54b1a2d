/// Push as in the design documents, with separate routes for native tokens.
enum DocumentedPushRoutes {
    static func register(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try AuthRoutes.user(request)
        var body = try BodyReader(request)
        let token = body.required("device_token", length: 1...4096)
        let platform = body.word(
            "platform", oneOf: ["ios", "ipados", "watchos", "tvos", "android"])
        let service = body.word("push_service", oneOf: ["apns", "fcm"])
        _ = body.word("token_type", oneOf: ["sandbox", "production"], default: "production")
        let device = body.required("device_id", length: 1...36)
        try body.finish()
        // One row for each device and service, as in the document's table.
        let (registration, isNew) = state.push.register(
            PushRegistrations.Token(
                deviceID: device, userID: user.id, token: token, platform: platform,
                service: service, createdAt: request.now), service: service)
        return .created([
            "id": .text(registration.id.text), "device_id": .text(device),
            "platform": .text(registration.platform),
            "push_service": .text(registration.service),
            "created_at": .text(registration.createdAt.text),
            "preferences_created": .bool(isNew),
        ])
    }

    static func update(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let token = body.required("device_token", length: 1...4096)
        let service = body.optional("push_service")
        try body.finish()
        let index = try find(request.parameter("device_id"), service, state)
        state.push.tokens[index].token = token
        return .json([
            "id": .text(state.push.tokens[index].id.text), "device_token_updated": true,
            "updated_at": .text(request.now.text),
        ])
    }

    static func remove(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let service = request.queryValue("push_service")
        let index = try find(request.parameter("device_id"), service, state)
        state.push.tokens.remove(at: index)
        return .noContent
    }

    static func preferences(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let device = body.required("device_id")
        try body.finish()
        return .json(json(state.push.tokens[try find(device, nil, state)]))
    }

    static func setPreferences(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let device = body.required("device_id")
        let preferences = try PushRoutes.readPreferences(&body, now: request.now)
        let index = try find(device, nil, state)
        let id = state.push.tokens[index].preferences.id
        state.push.tokens[index].preferences = preferences
        state.push.tokens[index].preferences.id = id
        return .json(json(state.push.tokens[index]))
    }

    private static func find(
        _ device: String, _ service: String?, _ state: State
    ) throws(Refusal) -> Int {
        try state.push.index(device: device, service: service).orRefuse("Token not found")
    }

    private static func json(_ token: PushRegistrations.Token) -> JSON {
        let ids: JSON = [
            "id": .text(token.preferences.id.text), "token_id": .text(token.id.text),
        ]
        return ids.merging(token.preferences.members)
    }
}
