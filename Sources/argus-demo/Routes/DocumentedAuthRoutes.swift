/// Signing in by the sign-in document: a login returns no refresh token.
enum DocumentedAuthRoutes {
    static func login(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let user = try AuthRoutes.signIn(request, &state)
        return .json([
            "access_token": .text(state.accessToken(for: user, now: request.now)),
            "token_type": "bearer", "user": user.documentedJSON,
        ])
    }

    static func me(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        .json(try AuthRoutes.user(request).documentedJSON)
    }

    static func logout(_ request: Request, _ state: inout State) -> Answer {
        .json(["message": "Logged out successfully"])
    }

    /// The planned renewal: an access token, expired or not, and a header with the refresh token.
    static func refresh(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        guard let access = Authentication.token(of: request, state.settings) else {
            throw Refusal("Not authenticated", status: 401)
        }
        guard let token = request.header("x-refresh-token"),
            let owner = state.signer.read(access)?.subject
        else { throw Refusal("Invalid or expired refresh token", status: 401) }
        let (user, device) = try state.spend(token, of: owner, now: request.now)
        return state.grant(
            to: user, on: device, now: request.now,
            ["expires_in": .integer(Int(state.settings.accessTokenLifetime))])
    }
}
