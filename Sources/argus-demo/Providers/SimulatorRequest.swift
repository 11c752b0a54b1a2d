/// One request to a simulated push service, whichever HTTP carried it.
@dynamicMemberLookup
struct SimulatorRequest: Sendable {
    var service: PushServiceKind
    /// The request, with the time by the service's clock.
    var request: Request
    var line: SimulatorLine
    /// The HTTP/2 stream; nil with HTTP/1.1.
    var stream: Int?
    var record = SimulatorRecord()

    subscript<Value>(dynamicMember member: KeyPath<Request, Value>) -> Value {
        request[keyPath: member]
    }

    subscript(header: String) -> String? { request.header(header) }

    var lastSegment: String {
        request.path.hasSuffix("/") ? "" : String(request.path.split(separator: "/").last ?? "")
    }

    /// The body; nil unless it is a JSON object.
    var object: JSON? {
        guard let value = try? JSON.read(request.body), case .object = value else { return nil }
        return value
    }
}

/// A service's refusal: the reason for the log, and the answer.
struct SimulatorRefusal: Error {
    var reason: String
    var answer: Answer
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

extension SimulatorRequest {
    /// The line of `--provider-log`: what the service received, independently of what argus says it
    /// sent; `status` is nil for a request that was not answered.
    func logLine(status: Int?, fault: String?) -> JSON {
        let secret = ["authorization", "crypto-key"]
        let headers = request.headers.filter { !secret.contains($0.name) }
        let token = record.webToken
        return [
            "at": .text(request.now.text), "provider": .text(service.rawValue),
            "connection": .integer(line.number),
            "protocol": .text(stream == nil ? "http/1.1" : "h2"), "stream": JSON(stream),
            "path": .text(request.path), "token": JSON(record.token),
            "event_id": JSON(record.eventID), "collapse_id": JSON(record.collapseID),
            "jwt": token.map { ["id": .text($0.id), "iat": JSON($0.issued), "claims": $0.claims] }
                ?? .null,
            "status": JSON(status), "reason": JSON(record.reason), "fault": JSON(fault),
            "complaint": JSON(record.complaint),
            "headers": .object(headers.map { .init(name: $0.name, value: .text($0.value)) }),
            "bytes": .integer(request.body.count), "payload": record.payload ?? .null,
        ]
    }
}
