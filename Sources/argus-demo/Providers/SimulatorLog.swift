/// The lines of `--provider-log`: what the services received, independently of what argus says it sent.
struct SimulatorLog: Sendable {
    private let lines: LineLog?

    /// Opens the file, if one is named.
    init(path: String?) throws(SystemFailure) { lines = try LineLog(path: path) }

    /// Appends the line of a request that was answered with `status`, or not answered.
    func write(_ request: SimulatorRequest, _ record: SimulatorRecord, status: Int?, fault: String?)
    {
        guard let lines else { return }
        let secret = ["authorization", "crypto-key"]
        let headers = request.headers.filter { !secret.contains($0.name) }
        let token = record.webToken
        lines.write([
            "at": .text(request.now.text), "provider": .text(request.service.rawValue),
            "connection": .integer(request.line.number),
            "protocol": .text(request.stream == nil ? "http/1.1" : "h2"),
            "stream": JSON(request.stream), "path": .text(request.path),
            "token": JSON(record.token), "event_id": JSON(record.eventID),
            "collapse_id": JSON(record.collapseID),
            "jwt": token.map { ["id": .text($0.id), "iat": JSON($0.issued), "claims": $0.claims] }
                ?? .null,
            "status": JSON(status), "reason": JSON(record.reason), "fault": JSON(fault),
            "complaint": JSON(record.complaint),
            "headers": .object(headers.map { .init(name: $0.name, value: .text($0.value)) }),
            "bytes": .integer(request.body.count), "payload": record.payload ?? .null,
        ])
    }
}
