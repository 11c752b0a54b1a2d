enum Authentication {
    /// Sets the user of a request and the token, unless an API key proves who it is.
    static func identify(_ request: inout Request, _ state: inout State) throws(Refusal) {
        if state.settings.api == .current, let key = request.header("x-api-key"),
            state.keys.accept(key, now: request.now)
        {
            return
        }
        guard let token = token(of: request, state.settings) else {
            var answer = Answer.detail("Not authenticated", status: 401)
            answer.headers.append(("www-authenticate", "Bearer"))
            throw Refusal(answer)
        }
        let claims = try state.signer.verify(token, at: request.now)
        let known = Identifier(claims.subject).flatMap { state.accounts[id: $0] }
        let user = try known.orRefuse("User not found", status: 401)
        guard user.isActive else { throw Refusal("Account disabled", status: 401) }
        state.devices.touch(request)
        (request.user, request.token) = (user, token)
    }

    /// The effective token: on today's server a cookie overrides the header.
    static func token(of request: Request, _ settings: Settings) -> String? {
        if settings.api == .current, let cookie = request.cookie("access_token") { return cookie }
        guard !settings.usesCookiesOnly, let header = request.header("authorization"),
            header.hasPrefix("Bearer ")
        else { return nil }
        return String(header.dropFirst("Bearer ".count))
    }
}
