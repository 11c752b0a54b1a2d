/// Something a server can do, with the routes by which the generations of servers offer it.
///
/// The routes are candidates in order. Adding a generation is adding a route.
package struct Operation<Input: Sendable, Output: Sendable>: Sendable {
    /// The name under which a server's route is remembered, such as `events.list`.
    package var name: String
    /// What a server without any of the routes lacks, for the sentence of status 14.
    package var purpose: String
    package var routes: [Route<Input, Output>]

    package init(_ name: String, purpose: String, routes: [Route<Input, Output>]) {
        self.name = name
        self.purpose = purpose
        self.routes = routes
    }
}

/// One way in which a generation of servers offers an operation.
package struct Route<Input: Sendable, Output: Sendable>: Sendable {
    /// Tells the routes of one operation apart in what is remembered of a server.
    package var generation: Generation
    package var request: @Sendable (Input) -> RouteRequest
    package var decode: @Sendable (HTTPResponse) throws(APIError) -> Output

    package init(
        _ generation: Generation, request: @escaping @Sendable (Input) -> RouteRequest,
        decode: @escaping @Sendable (HTTPResponse) throws(APIError) -> Output
    ) {
        self.generation = generation
        self.request = request
        self.decode = decode
    }
}

/// The three API generations of ArgusAI.
package enum Generation: String, Sendable, CaseIterable {
    /// The server that people run today.
    case current
    /// `/api/v1/mobile`, as its API file says.
    case mobile
    /// `/api/v1` of the design documents.
    case documented
}

/// A request before it has a server: what an operation asks, by one route.
package struct RouteRequest: Sendable {
    package var method: HTTPRequest.Method
    /// The segments of the path below the server's address, not yet percent-encoded.
    package var path: [String]
    package var query: [(name: String, value: String)] = []
    package var body: [UInt8]?
    /// Header fields beyond those that every request has.
    package var headers: [HTTPHeader] = []
    package var accept = "application/json"
    package var limits = SizeLimits()
    /// The bytes wanted of a large answer (RFC 9110, section 14.2).
    package var range: ClosedRange<Int>?
    /// Waits for the first byte as long as the slowest answer known (backend-facts 0.7).
    package var isSlow = false
    /// Whether the route is open to anybody, so that no credential goes with it.
    package var isPublic = false

    /// Whether a picture or a video is asked for, and not data.
    var isForFile: Bool { !accept.hasPrefix("application/") }

    /// A request of a path that is written out, such as `/api/v1/events`, and what follows it.
    package init(_ method: HTTPRequest.Method, _ path: String, _ more: String...) {
        self.init(method, path: path.split(separator: "/").map(String.init) + more)
    }

    private init(_ method: HTTPRequest.Method, path: [String]) {
        self.method = method
        self.path = path
    }

    /// A GET of a picture: any image type, at most 32 MiB.
    package static func image(_ path: String, _ more: String...) -> RouteRequest {
        var request = RouteRequest(.get, path: path.split(separator: "/").map(String.init) + more)
        request.accept = "image/jpeg, image/png, */*;q=0.5"
        request.limits = .picture
        return request
    }
}
