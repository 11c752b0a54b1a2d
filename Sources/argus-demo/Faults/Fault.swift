import NIOCore

/// A deliberate failure.
struct Fault: Sendable {
    /// The delivery of an answer.
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

    func matches(method: String, path: String) -> Bool {
        if let wanted = self.method, wanted != method { return false }
        return path.hasPrefix(route) || glob(route.utf8[...], matches: path.utf8[...])
    }

    /// The answer as the fault changes it.
    func change(_ original: Answer) -> Answer {
        var answer = original
        if let status, body == nil {
            answer = .json(["detail": "Injected fault"], status: status)
        } else if let body {
            answer = .json(.null, status: status ?? 200)
            answer.body = .bytes(ByteBuffer(string: body))
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

/// The faults of a server, with the remaining count of each.
struct Faults: Sendable {
    private var entries: [(fault: Fault, seen: Int)]

    init(_ faults: [Fault]) { entries = faults.map { ($0, 0) } }

    /// The first fault that applies to a request; every matching one counts it.
    mutating func strike(method: String, path: String) -> Fault? {
        for index in entries.indices {
            let fault = entries[index].fault
            guard fault.matches(method: method, path: path) else { continue }
            entries[index].seen += 1
            let turn = entries[index].seen - fault.after
            if turn > 0, turn <= fault.times ?? .max { return fault }
        }
        return nil
    }
}
