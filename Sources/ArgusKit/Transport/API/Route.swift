package import ArgusCore
import Synchronization

/// A capability of servers, with a route for each generation in the order to try.
package struct Operation<Input: Sendable, Output: Sendable>: Sendable {
    /// The name under which a server's route is remembered, such as `events.list`.
    package var name: String
    /// The feature that a server without any of the routes lacks (status 14): `a list of events`.
    package var feature: String
    package var routes: [Route<Input, Output>]

    package init(_ name: String, feature: String, routes: [Route<Input, Output>]) {
        self.name = name
        self.feature = feature
        self.routes = routes
    }

    package init(_ name: String, feature: String, _ routes: Route<Input, Output>...) {
        self.init(name, feature: feature, routes: routes)
    }
}

/// The request and the decoder of an operation for one generation of servers.
package struct Route<Input: Sendable, Output: Sendable>: Sendable {
    /// Decodes a good answer.
    package typealias Decoder = @Sendable (HTTPResponse) throws(APIError) -> Output

    /// The generation, which identifies the route in a server's remembered routes.
    package var generation: Generation
    package var request: @Sendable (Input) -> RouteRequest
    package var decode: Decoder

    package init(
        _ generation: Generation, request: @escaping @Sendable (Input) -> RouteRequest,
        decode: @escaping Decoder
    ) {
        self.generation = generation
        self.request = request
        self.decode = decode
    }

    /// Declares a route whose answer a shared decoder reads, such as `ResponseBody.parse`.
    package init(
        _ generation: Generation, _ decode: @escaping Decoder,
        request: @escaping @Sendable (Input) -> RouteRequest
    ) {
        self.init(generation, request: request, decode: decode)
    }
}

/// The three API generations of ArgusAI.
package enum Generation: String, Sendable, CaseIterable {
    /// The server in use today.
    case current
    /// `/api/v1/mobile`, as its API file describes it.
    case mobile
    /// `/api/v1` of the design documents.
    case documented
}

/// A request of an operation by one route, still without a server.
package struct RouteRequest: Sendable {
    package var method: HTTPRequest.Method
    /// The segments of the path below the server's address, before percent-encoding.
    package var path: [String]
    /// The query's values; those that are nil are left out.
    package var query: [(name: String, value: String?)]
    package var body: [UInt8]?
    /// Header fields beyond those of every request.
    package var headers: [HTTPHeader] = []
    package var accept = "application/json"
    package var limits = SizeLimits()
    /// The requested bytes of a large answer (RFC 9110, section 14.2).
    package var range: ClosedRange<Int>?
    /// True if the first byte may take as long as the slowest known answer.
    package var isSlow = false
    /// True for a public route, which gets no credential.
    package var isPublic = false
    /// True for a file by its name, whose absence is an empty 404 (docs/compatibility.md, trap 21).
    package var isForStoredFile = false
    /// True for a request sent beside another one, which carries no device fields: a server updates
    /// the device's last use after each request that has them, which delays other answers.
    package var isSecondary = false

    /// Makes a request for a literal path, such as `/api/v1/events`, and further segments.
    package init(
        _ method: HTTPRequest.Method, _ path: String, _ more: String...,
        query: [(name: String, value: String?)] = []
    ) {
        self.method = method
        self.path = path.split(separator: "/").map(String.init) + more
        self.query = query
    }

    /// Makes a GET of a picture of any image type.
    package static func image(_ path: String, _ more: String...) -> RouteRequest {
        RouteRequest(.get, path).with { request in
            request.path += more
            request.accept = "image/jpeg, image/png, */*;q=0.5"
        }
    }

    /// Returns the request with a JSON object as its body.
    package func sending(_ members: (inout JSONWriter) -> Void) -> RouteRequest {
        with { $0.body = JSONWriter.object(members) }
    }

    /// The failure in an answer, which may not be the server's; nil for a good one.
    func failure(of answer: HTTPResponse) -> APIError? {
        guard (200..<300).contains(answer.status) else {
            if isForStoredFile, answer.status == 404, answer.body.isEmpty {
                return APIError(.notFound, status: 404)
            }
            // The framework refuses a range without a body.
            if answer.status == 416, answer.headers["content-range"] != nil {
                return APIError(.rejected, status: 416)
            }
            return APIError(answer: answer, to: method)
        }
        let type = answer.headers["content-type"] ?? "no content type"
        let first = answer.body.first { $0 > 0x20 }
        if accept != "application/json" {
            let isPage = first == UInt8(ascii: "<") || type.hasPrefix("text/html")
            return isPage ? .foreign("the answer is a page (\(type))", answer) : nil
        }
        // Renewed tokens may come in cookies only.
        if first == nil, answer.status != 204,
            answer.headers["set-cookie"]?.contains("token") != true
        {
            return .foreign("the answer is empty", answer)
        }
        guard let first, !"{[".utf8.contains(first), (try? JSONView.parse(answer.body)) == nil
        else { return nil }
        return .foreign("the answer is not JSON (\(type))", answer)
    }

    /// The request without a credential, for a route that is open to everyone.
    package var withoutCredential: RouteRequest { with { $0.isPublic = true } }

    /// Returns the request with a change made to it.
    package func with(_ change: (inout RouteRequest) -> Void) -> RouteRequest {
        var request = self
        change(&request)
        return request
    }
}

/// The known routes of a server, from earlier runs or learnt in this one.
package final class RouteKnowledge: Sendable {
    private struct State {
        var routes: [String: String]
        var isChanged = false
    }

    private let state: Mutex<State>

    /// Starts with the remembered routes, as operation names to generation names.
    package init(_ routes: [String: String] = [:]) { state = Mutex(State(routes: routes)) }

    /// The known routes: operation name to generation name.
    package var routes: [String: String] { state.withLock { $0.routes } }

    /// True if this run learnt something worth remembering.
    package var isChanged: Bool { state.withLock { $0.isChanged } }

    func generation(of operation: String) -> Generation? {
        state.withLock { $0.routes[operation] }.flatMap(Generation.init(rawValue:))
    }

    /// True if the server is known to have a route of an operation.
    package func has<Input, Output>(_ operation: Operation<Input, Output>) -> Bool {
        generation(of: operation.name) != nil
    }

    func learn(_ operation: String, _ generation: Generation) {
        state.withLock { state in
            guard state.routes[operation] != generation.rawValue else { return }
            state.routes[operation] = generation.rawValue
            state.isChanged = true
        }
    }

    /// Forgets a route that has disappeared, for example after an update of the server.
    func forget(_ operation: String) {
        state.withLock { state in
            state.isChanged = state.routes.removeValue(forKey: operation) != nil || state.isChanged
        }
    }
}

/// A feature of a server that argus can use; the raw value is its name for users.
package enum Offer: String, CaseIterable, Sendable {
    case events, cameras, devices, pairing
    case webPush = "Web Push"
    case keys = "API keys"
    case sessions

    /// The path of the feature in the route list of today's server.
    package var path: String {
        switch self {
        case .events: "/api/v1/events"
        case .cameras: "/api/v1/cameras"
        case .devices: "/api/v1/devices"
        case .pairing: "/api/v1/mobile/auth/pair"
        case .webPush: "/api/v1/push/subscribe"
        case .keys: "/api/v1/api-keys"
        case .sessions: "/api/v1/auth/sessions"
        }
    }
}
