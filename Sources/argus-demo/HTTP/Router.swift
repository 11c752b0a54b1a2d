/// Authenticates a request and finds its route, in the order of the real server: credentials first.
struct Router: Sendable {
    var routes: [Route]

    /// Answers a request, with the header fields of every answer.
    func answer(_ request: Request, _ state: inout State) -> Answer {
        var answer = rawAnswer(request, &state)
        if request.path != "/health" {
            answer.headers.append(("x-ratelimit-limit", request.method == .GET ? "100" : "20"))
        }
        return answer
    }

    private func rawAnswer(_ request: Request, _ state: inout State) -> Answer {
        var request = request
        let path = Route.segments(of: request.path)
        let matches = routes.lazy.compactMap { route in
            route.match(path).map { (route: route, parameters: $0) }
        }
        if matches.first?.route.access != .open {
            switch Authentication.caller(of: request, &state) {
            case .success(let caller): request.caller = caller
            case .failure(let refusal): return refusal.answer
            }
        }
        var answer = routed(request, Array(matches), &state)
        if !answer.dropsConnection {
            answer.headers.append(("x-request-id", Identifier.random().text))
        }
        return answer
    }

    private func routed(
        _ request: Request, _ matches: [(route: Route, parameters: [String: String])],
        _ state: inout State
    ) -> Answer {
        guard let first = matches.first else { return .detail("Not Found", status: 404) }
        guard let match = matches.first(where: { $0.route.method == request.method }) else {
            var answer = Answer.detail("Method Not Allowed", status: 405)
            answer.headers.append(("allow", first.route.method.rawValue))
            return answer
        }
        if match.route.access == .user, request.caller?.user == nil {
            return .detail("Not authenticated", status: 401)
        }
        var request = request
        request.parameters = match.parameters
        do {
            return try match.route.handler(request, &state)
        } catch {
            return error.answer
        }
    }
}
