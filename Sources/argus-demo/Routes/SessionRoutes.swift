/// The sign-ins of a user on today's server.
enum SessionRoutes {
    static func list(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try AuthRoutes.user(request)
        let token = request.caller?.token
        return .json(
            .list(
                state.sessions.of(user.id).map { session in
                    [
                        "id": .text(session.id.text), "device_info": "Unknown Browser on Linux",
                        "ip_address": .text(session.address),
                        "created_at": .text(session.createdAt.text),
                        "last_active_at": .text(session.lastActiveAt.text),
                        "is_current": .bool(session.accessToken == token),
                    ]
                }))
    }

    static func delete(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try AuthRoutes.user(request)
        let id = request.parameter("session_id")
        let session = try state.sessions.of(user.id).first { $0.id.text == id }
            .orRefuse("Session not found")
        guard session.accessToken != request.caller?.token else {
            throw Refusal("Cannot revoke current session. Use logout instead.", status: 400)
        }
        state.sessions.remove { $0.id == session.id }
        return .noContent
    }
}
