/// Push tokens by the mobile API file.
enum MobilePushRoutes {
    static func register(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try AuthRoutes.user(request)
        let body = try MobileAuthRoutes.body(request)
        let device = try MobileAuthRoutes.uuid(body, "device_id")
        guard let token = body["device_token"]?.string, (64...200).contains(token.utf8.count) else {
            throw MobileAuthRoutes.invalid
        }
        let (registration, isNew) = state.push.register(
            PushRegistrations.Token(
                deviceID: device, userID: user.id, token: token, createdAt: request.now))
        return .json(
            [
                "id": .text(registration.id.text),
                "registered_at": .text(registration.createdAt.text),
            ], status: isNew ? 201 : 200)
    }

    /// Ends all the user's registrations, since the request names no device.
    static func unregister(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try AuthRoutes.user(request)
        guard state.push.tokens.contains(where: { $0.userID == user.id }) else {
            throw Refusal("Registration not found", status: 404)
        }
        state.push.tokens.removeAll { $0.userID == user.id }
        return .noContent
    }
}
