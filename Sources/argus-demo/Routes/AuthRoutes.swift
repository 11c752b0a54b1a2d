/// Signing in and out on today's server.
enum AuthRoutes {
    static func login(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try signIn(request, &state)
        let token = state.accessToken(for: user, now: request.now)
        // The session table stores a hash of the token, which must be unique.
        guard !state.sessions.all.contains(where: { $0.accessToken == token }) else {
            throw Refusal(.crash)
        }
        let session = Session(
            userID: user.id, accessToken: token, refreshToken: Secrets.refreshToken(),
            address: request.peer, createdAt: request.now, lastActiveAt: request.now,
            expiresAt: request.now + 86_400)
        state.sessions.add(session)
        return answer(
            with: session, state,
            ["user": user.json, "must_change_password": .bool(user.mustChangePassword)])
    }

    /// Checks name and password, alike in all generations that have them.
    static func signIn(_ request: Request, _ state: inout State) throws(Refusal) -> User {
        var body = try BodyReader(request)
        let username = body.required("username", length: 3...50).lowercased()
        let password = body.required("password", length: 1...Int.max)
        try body.finish()
        try state.limit(
            "login \(request.peer)", to: 5, in: 900, request,
            or: Refusal(.json(["error": "Rate limit exceeded: 5 per 15 minute"], status: 429)))
        guard let user = state.accounts[username: username], user.password == password else {
            throw Refusal("Invalid credentials", status: 401)
        }
        guard user.isActive else { throw Refusal("Account disabled", status: 401) }
        state.accounts.update(user.id) { $0.lastLogin = request.now }
        return state.accounts[username: username] ?? user
    }

    static func me(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        .json(try user(request).json)
    }

    static func setupStatus(_ request: Request, _ state: inout State) -> Answer {
        .json(["setup_complete": true, "user_count": .integer(state.accounts.users.count)])
    }

    static func refresh(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var presented = request.cookie("refresh_token")
        if presented == nil {
            var body = try BodyReader(request)
            presented = body.optional("refresh_token")
            // An empty object lacks the field; null passes on to the next check.
            body.require("refresh_token")
            try body.finish()
        }
        guard let presented, !presented.isEmpty else {
            throw Refusal("Refresh token is required", status: 401)
        }
        try state.limit(
            "refresh \(request.peer)", to: 20, in: 60, request,
            or: Refusal(.json(["error": "Rate limit exceeded: 20 per 1 minute"], status: 429)))
        if state.settings.detectsReuse, state.sessions.end(bySpent: presented) {
            throw Refusal(
                "Your session was terminated due to suspicious activity. Please log in again.",
                status: 401)
        }
        guard let index = state.sessions.index(refreshToken: presented, now: request.now),
            let user = state.accounts[id: state.sessions.all[index].userID]
        else { throw Refusal("Invalid or expired refresh token", status: 401) }
        let token = state.accessToken(for: user, now: request.now)
        let own = state.sessions.all[index].id
        guard !state.sessions.all.contains(where: { $0.id != own && $0.accessToken == token })
        else { throw Refusal(.crash) }
        state.sessions.rotate(at: index, accessToken: token, now: request.now)
        return answer(with: state.sessions.all[index], state)
    }

    static func logout(_ request: Request, _ state: inout State) -> Answer {
        if let token = Authentication.token(of: request, state.settings) {
            state.sessions.remove { $0.accessToken == token }
        } else if let body = try? JSON.read(request.body),
            let refreshToken = body["refresh_token"]?.string
        {
            state.sessions.remove { $0.refreshToken == refreshToken }
        }
        var answer = Answer.json(["message": "Logged out successfully"])
        for (name, path) in [("access_token", "/"), ("refresh_token", "/api/v1/auth")] {
            let cookie = "\(name)=\"\"; expires=\(request.now.httpDate); HttpOnly; Max-Age=0; "
            answer.headers.append(("set-cookie", cookie + "Path=\(path); SameSite=lax"))
        }
        return answer
    }

    static func changePassword(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try user(request)
        var body = try BodyReader(request)
        let current = body.optional("current_password")
        let new = body.required("new_password", length: 8...Int.max)
        try body.finish()
        if !user.mustChangePassword || current != nil {
            guard let current else {
                throw Refusal("Current password is required", status: 400)
            }
            guard current == user.password else {
                throw Refusal("Current password is incorrect", status: 400)
            }
        }
        state.accounts.update(user.id) { user in
            user.password = new
            user.mustChangePassword = false
        }
        state.sessions.remove { $0.userID == user.id && $0.accessToken != request.token }
        return .json(["message": "Password changed successfully"])
    }

    static func sessions(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try user(request)
        return .json(
            .list(
                state.sessions.of(user.id).map { session in
                    [
                        "id": .text(session.id.text), "device_info": "Unknown Browser on Linux",
                        "ip_address": .text(session.address),
                        "created_at": .text(session.createdAt.text),
                        "last_active_at": .text(session.lastActiveAt.text),
                        "is_current": .bool(session.accessToken == request.token),
                    ]
                }))
    }

    static func endSession(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try user(request)
        let id = request.parameter("session_id")
        let session = try state.sessions.of(user.id).first { $0.id.text == id }
            .orRefuse("Session not found")
        guard session.accessToken != request.token else {
            throw Refusal("Cannot revoke current session. Use logout instead.", status: 400)
        }
        state.sessions.remove { $0.id == session.id }
        return .noContent
    }

    /// The user of a request to a route that needs one.
    static func user(_ request: Request) throws(Refusal) -> User {
        try request.user.orRefuse("Not authenticated", status: 401)
    }

    /// The answer with tokens, in the body and cookies or in cookies only.
    private static func answer(
        with session: Session, _ state: State, _ others: JSON = [:]
    ) -> Answer {
        let tokens: JSON = [
            "access_token": .text(session.accessToken),
            "refresh_token": .text(session.refreshToken), "token_type": "bearer",
        ]
        var answer = Answer.json(state.settings.usesCookiesOnly ? others : tokens.merging(others))
        let cookies = [
            "access_token=\(session.accessToken); HttpOnly; Max-Age=86400; Path=/; SameSite=lax",
            "refresh_token=\(session.refreshToken); HttpOnly; Max-Age=2592000; "
                + "Path=/api/v1/auth; SameSite=lax",
        ]
        answer.headers += cookies.map { ("set-cookie", $0) }
        return answer
    }
}
