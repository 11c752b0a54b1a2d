import NIOCore

/// A deliberate failure.
struct Fault: Sendable {
    enum Delivery: Sendable, Equatable {
        case whole
        /// The connection is reset instead of an answer.
        case reset
        /// The connection closes after this many bytes of the body, short of the announced length.
        case truncated(Int)
        /// Bytes that are not HTTP.
        case garbage
        /// This many bytes of the body per second.
        case dripped(Int)
        /// The body repeats until the client closes.
        case endless
        /// No answer, and the connection stays open.
        case silent
    }

    /// A path prefix, or a pattern for the whole path in which `*` matches anything.
    var route = "*"
    var method: String?
    var delayMilliseconds: Int64 = 0
    var status: Int?
    var body: String?
    var contentType: String?
    /// Names are in lower case.
    var headers: [(name: String, value: String)] = []
    /// True if the answer repeats the secrets of requests.
    var echoes = false
    var delivery = Delivery.whole
    /// The number of matching requests that pass before it applies.
    var after = 0
    /// The number of requests it applies to; nil for all.
    var times: Int?
    /// The number of matching requests so far.
    private var seen = 0

    func matches(_ request: Request) -> Bool {
        if let method, method != request.method.rawValue { return false }
        let path = request.path
        return path.hasPrefix(route) || glob(route.utf8[...], matches: path.utf8[...])
    }

    /// Counts a matching request, and returns true if the fault applies to it.
    mutating func strikes() -> Bool {
        seen += 1
        return seen > after && seen - after <= times ?? .max
    }

    func change(_ original: Answer) -> Answer {
        var answer = original
        if let status, body == nil {
            answer = .json(["detail": "Injected fault"], status: status)
        } else if let body {
            answer = Answer(status: status ?? 200, body: .bytes(ByteBuffer(string: body)))
        }
        if let contentType {
            answer.headers.removeAll { $0.name == "content-type" }
            answer.headers.append(("content-type", contentType))
        }
        answer.headers.removeAll { old in headers.contains { $0.name == old.name } }
        answer.headers += headers
        return answer
    }
}

/// True if a pattern with `*` matches the whole text.
private func glob(_ pattern: Substring.UTF8View, matches text: Substring.UTF8View) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == UInt8(ascii: "*") {
        let rest = pattern.dropFirst()
        return text.indices.contains { glob(rest, matches: text[$0...]) }
            || glob(rest, matches: text[text.endIndex...])
    }
    return text.first == first && glob(pattern.dropFirst(), matches: text.dropFirst())
}
