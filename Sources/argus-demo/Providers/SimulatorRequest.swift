import NIOHTTP1

/// One request to a simulated push service, whichever HTTP carried it.
struct SimulatorRequest: Sendable {
    var service: PushServiceKind
    var method: String
    var path: String
    /// Names are in lower case.
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    var line: SimulatorLine
    /// The HTTP/2 stream; nil with HTTP/1.1.
    var stream: Int?
    /// The time by the service's clock.
    var now: Moment

    /// The first header with this lower-case name.
    subscript(header: String) -> String? { headers.first { $0.name == header }?.value }

    /// The last segment of the path.
    var lastSegment: String {
        path.hasSuffix("/") ? "" : String(path.split(separator: "/").last ?? "")
    }

    /// The body; nil unless it is a JSON object.
    var object: JSON? {
        guard let value = try? JSON.read(body), case .object = value else { return nil }
        return value
    }
}

/// The answer of a simulated push service.
struct SimulatorAnswer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    init(_ status: Int, headers: [(name: String, value: String)] = [], body: JSON? = nil) {
        self.status = status
        self.headers = headers
        self.body = body?.bytes() ?? []
    }
}

/// An answer with what the log says about its request.
struct SimulatorReply: Sendable {
    var answer: SimulatorAnswer
    var record: SimulatorRecord
    var delayMilliseconds: Int64 = 0
    var delivery = Delivery.whole

    enum Delivery: Sendable, Equatable {
        /// The answer.
        case whole
        /// The connection is reset.
        case reset
        /// Nothing, for ever.
        case silent
        /// The body is sent again and again.
        case endless
        /// GOAWAY: the request is not processed.
        case goAway
    }
}

/// The entry of a request in the log, apart from its transport.
struct SimulatorRecord: Sendable {
    var token: String?
    var collapseID: String?
    /// The web token that the request showed.
    var webToken: WebToken?
    var payload: JSON?
    var reason: String?
    /// A defect that the service itself cannot see, but a receiver would.
    var complaint: String?

    /// The event that the payload is about, in any of the forms.
    var eventID: String? {
        for object in [payload?["message"]?["data"], payload?["data"], payload] {
            if let id = object?["event_id"]?.string { return id }
        }
        return nil
    }
}
