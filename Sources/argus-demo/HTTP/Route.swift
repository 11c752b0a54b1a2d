/// One line of a generation's route table.
struct Route: Sendable {
    enum Access: Sendable {
        case open
        /// A token or an API key.
        case any
        /// A token: the route needs a user, not an API key.
        case user
    }

    typealias Handler = @Sendable (Request, inout State) throws(Refusal) -> Answer

    var method: Method
    var pattern: String
    var access: Access
    var handler: Handler
    private let segments: [Substring]

    /// Makes a route for a path whose `{name}` segments match any one segment.
    init(
        _ method: Method, _ pattern: String, _ access: Access, _ handler: @escaping Handler
    ) {
        (self.method, self.pattern, self.access) = (method, pattern, access)
        self.handler = handler
        segments = Route.segments(of: pattern)
    }

    static func segments(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// The values of the pattern's names in a path; nil if it does not match.
    func match(_ path: [Substring]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, part) in zip(segments, path) {
            if segment.first == "{", !part.isEmpty {
                parameters[String(segment.dropFirst().dropLast())] = String(part)
            } else if segment != part {
                return nil
            }
        }
        return parameters
    }
}

extension [Route] {
    /// Authenticates a request and answers it by its route, in the order of the real server:
    /// credentials first.
    func answer(_ request: Request, _ state: inout State) -> Answer {
        var request = request
        let path = Route.segments(of: request.path)
        let matches = compactMap { route in route.match(path).map { (route, $0) } }
        var answer: Answer
        do {
            if matches.first?.0.access != .open {
                try Authentication.identify(&request, &state)
            }
            answer = routed(request, matches, &state)
            if !answer.dropsConnection {
                answer.headers.append(("x-request-id", Identifier.random().text))
            }
        } catch {
            answer = error.answer
        }
        if !["/health", "/metrics"].contains(request.path) {
            answer.headers.append(("x-ratelimit-limit", request.method == .GET ? "100" : "20"))
        }
        return answer
    }

    private func routed(
        _ request: Request, _ matches: [(Route, [String: String])], _ state: inout State
    ) -> Answer {
        guard let (first, _) = matches.first else { return .detail("Not Found", status: 404) }
        guard let (route, parameters) = matches.first(where: { $0.0.method == request.method })
        else {
            var answer = Answer.detail("Method Not Allowed", status: 405)
            answer.headers.append(("allow", first.method.rawValue))
            return answer
        }
        if route.access == .user, request.user == nil {
            return .detail("Not authenticated", status: 401)
        }
        var request = request
        request.parameters = parameters
        do {
            return try route.handler(request, &state)
        } catch {
            return error.answer
        }
    }
}
