/// Signing in by the sign-in document: no refresh token comes with a login.
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
            let claims = try? state.signer.read(access),
            let index = state.pairings.tokens.firstIndex(where: {
                $0.token == token && $0.userID.text == claims.subject
                    && $0.expiresAt > request.now
            }), let user = state.accounts[id: claims.subject]
        else { throw Refusal("Invalid or expired refresh token", status: 401) }
        let used = state.pairings.tokens.remove(at: index)
        return state.grant(
            to: user, on: used.deviceID, now: request.now,
            ["expires_in": .integer(Int(state.settings.accessTokenLifetime))])
    }
}
