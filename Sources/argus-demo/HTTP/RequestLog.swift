import Glibc
/// Appends a line for each request to a file: the kinds of credentials sent, never their values.
struct RequestLog: Sendable {
    private let descriptor: Int32

    init(path: String) throws(SystemFailure) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure("cannot open \(path)") }
    }

    func write(_ request: Request) {
        let names = request.headers.map { JSON.text($0.name) }
        let line: JSON = [
            "method": .text(request.method.rawValue), "target": .text(request.target),
            "headers": .list(names),
            "authorization": .bool(request.header("authorization") != nil),
            "api_key": .bool(request.header("x-api-key") != nil),
            "cookie": .bool(request.header("cookie") != nil),
            "body_bytes": .integer(request.body.count),
        ]
        // One write in append mode keeps lines of several threads apart.
        let bytes = line.bytes() + [UInt8(ascii: "\n")]
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
