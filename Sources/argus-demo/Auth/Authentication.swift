/// The owner of a request's credentials.
struct Caller: Sendable {
    /// Nil for an API key.
    var user: User?
    /// The accepted access token.
    var token: String?
}

/// Reads the credentials of a request.
enum Authentication {
    static func caller(of request: Request, _ state: inout State) -> Result<Caller, Refusal> {
        if state.settings.api == .current, let key = request.header("x-api-key"),
            state.keys.accept(key, now: request.now)
        {
            return .success(Caller(user: nil, token: nil))
        }
        guard let token = token(of: request, state.settings) else {
            var answer = Answer.detail("Not authenticated", status: 401)
            answer.headers.append(("www-authenticate", "Bearer"))
            return .failure(Refusal(answer))
        }
        let claims: TokenSigner.Claims
        do {
            claims = try state.signer.verify(token, at: request.now)
        } catch {
            return .failure(Refusal(error.rawValue, status: 401))
        }
        guard let user = state.accounts[id: claims.subject] else {
            return .failure(Refusal("User not found", status: 401))
        }
        guard user.isActive else { return .failure(Refusal("Account disabled", status: 401)) }
        state.devices.touch(request)
        return .success(Caller(user: user, token: token))
    }

    /// The effective token: on today's server a cookie overrides the header.
    static func token(of request: Request, _ settings: Settings) -> String? {
        if settings.api == .current, let cookie = request.cookie("access_token") { return cookie }
        guard !settings.usesCookiesOnly else { return nil }
        guard let header = request.header("authorization"),
            header.hasPrefix("Bearer ")
        else { return nil }
        return String(header.dropFirst("Bearer ".count))
    }
}
