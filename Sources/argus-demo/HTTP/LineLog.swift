import Glibc

/// Appends JSON lines to a file.
struct LineLog: Sendable {
    private let descriptor: Int32

    /// Opens the file; nil without one.
    init?(path: String?) throws(SystemFailure) {
        guard let path else { return nil }
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure("cannot open \(path)") }
    }

    func write(_ line: JSON) {
        // One write in append mode keeps lines of several threads apart.
        let bytes = line.bytes() + [UInt8(ascii: "\n")]
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}

extension Request {
    /// The line of a request: the kinds of credentials sent, never their values.
    var logLine: JSON {
        [
            "method": .text(method.rawValue), "target": .text(target),
            "headers": .list(headers.map { .text($0.name) }),
            "authorization": .bool(header("authorization") != nil),
            "api_key": .bool(header("x-api-key") != nil),
            "cookie": .bool(header("cookie") != nil), "body_bytes": .integer(body.count),
        ]
    }
}
