import ArgusCore
import ArgusTransport

/// A request that came for the path of a listener.
struct ListenerRequest: Sendable {
    var method: String
    var headers: HTTPHeaders
    /// At most `PushListener.Limits.body` bytes.
    var body: [UInt8]
}

/// Reads one HTTP/1.1 request for a single path, and no more of any other than its head (RFC 9112).
///
/// Whatever is malformed, too long or for another path is refused alike.
struct RequestParser {
    enum Step: Sendable {
        case incomplete
        /// The sender waits for a permission to send the body (RFC 9110, section 10.1.1).
        case awaitsPermission
        case complete(ListenerRequest)
        case refused
    }

    /// The most bytes of a request line and its fields.
    static let longestHead = 16 << 10

    private enum Framing: Equatable {
        case length(Int)
        case chunks
    }

    private struct Head {
        var method: String
        var headers: HTTPHeaders
        var framing: Framing
        /// The offset after the head.
        var end: Int
    }

    private let path: [UInt8]
    private let longestBody: Int
    private var bytes: [UInt8] = []
    private var head: Head?

    init(path: String, longestBody: Int) {
        (self.path, self.longestBody) = (Array(path.utf8), longestBody)
    }

    mutating func read(_ new: [UInt8]) -> Step {
        bytes += new
        if let head { return body(after: head) }
        // A method; anything else, such as a TLS handshake, need not be waited for.
        if let first = bytes.first, !Self.isTokenByte(first) { return .refused }
        // The end may have begun in the bytes before.
        let fresh = bytes[max(0, bytes.count - new.count - 3)...]
        guard let end = fresh.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else {
            return bytes.count > Self.longestHead ? .refused : .incomplete
        }
        guard end <= Self.longestHead, let head = parse(bytes[..<end]) else { return .refused }
        self.head = head
        let isExpected = head.headers["expect"]?.lowercased() == "100-continue"
        if isExpected, bytes.count == end, head.framing != .length(0) { return .awaitsPermission }
        return body(after: head)
    }

    private func parse(_ head: ArraySlice<UInt8>) -> Head? {
        // A line feed alone ends no line here, and stays as a byte that no field allows.
        var lines = head.split(separator: Array("\r\n".utf8))[...]
        guard let first = lines.popFirst(), let method = method(first) else { return nil }
        var headers = HTTPHeaders()
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy(Self.isTokenByte),
                line[colon...].allSatisfy({ $0 == 9 || $0 >= 0x20 && $0 != 0x7F })
            else { return nil }
            let value = String(decoding: line[line.index(after: colon)...], as: UTF8.self)
            headers.append(
                String(decoding: line[..<colon], as: UTF8.self), value.trimmingBlanks)
        }
        return framing(of: headers).map {
            Head(method: method, headers: headers, framing: $0, end: head.endIndex)
        }
    }

    /// The method of a request line that names the path.
    private func method(_ line: ArraySlice<UInt8>) -> String? {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(Self.isTokenByte),
            words[2].elementsEqual("HTTP/1.1".utf8) || words[2].elementsEqual("HTTP/1.0".utf8),
            isPath(words[1])
        else { return nil }
        return String(decoding: words[0], as: UTF8.self)
    }

    /// Compares every byte, since the time that a comparison takes must not disclose the path.
    private func isPath(_ target: ArraySlice<UInt8>) -> Bool {
        guard target.count == path.count else { return false }
        return zip(target, path).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// The extent of the body; nil for one that is too long or ambiguous (RFC 9112, section 6.3).
    private func framing(of headers: HTTPHeaders) -> Framing? {
        func values(_ name: String) -> [String] {
            headers.fields.filter { $0.name.equalsWithoutCase(name) }.map(\.value)
        }
        let (lengths, codings) = (values("content-length"), values("transfer-encoding"))
        guard lengths.count + codings.count <= 1 else { return nil }
        if let coding = codings.first { return coding.lowercased() == "chunked" ? .chunks : nil }
        guard let length = lengths.first else { return .length(0) }
        guard length.utf8.count <= 9, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int(length), count <= longestBody
        else { return nil }
        return .length(count)
    }

    private func body(after head: Head) -> Step {
        let rest = bytes[head.end...]
        switch head.framing {
        case .length(let count):
            guard rest.count >= count else { return .incomplete }
            return complete(head, Array(rest.prefix(count)))
        case .chunks:
            switch ChunkedBody.decode(rest, limit: longestBody) {
            case .incomplete:
                // Sizes, extensions and trailers are bounded as heads are.
                return rest.count > longestBody + Self.longestHead ? .refused : .incomplete
            case .malformed: return .refused
            case .complete(let body): return complete(head, body)
            }
        }
    }

    private func complete(_ head: Head, _ body: [UInt8]) -> Step {
        .complete(ListenerRequest(method: head.method, headers: head.headers, body: body))
    }

    /// True for a character of a token (RFC 9110, section 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

/// A body in chunks (RFC 9112, section 7.1).
enum ChunkedBody: Equatable {
    case incomplete, malformed
    case complete([UInt8])

    /// Decodes what has arrived of a body of at most `limit` bytes; extensions and trailers are skipped.
    static func decode(_ bytes: ArraySlice<UInt8>, limit: Int) -> ChunkedBody {
        var rest = bytes
        var body: [UInt8] = []
        while true {
            guard let line = takeLine(&rest) else { return .incomplete }
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            guard (1...8).contains(digits.count),
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0,
                digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
                body.count + size <= limit
            else { return .malformed }
            if size == 0 { break }
            guard rest.count >= size + 2 else { return .incomplete }
            body += rest.prefix(size)
            guard rest.dropFirst(size).prefix(2).elementsEqual([13, 10]) else { return .malformed }
            rest = rest.dropFirst(size + 2)
        }
        while let line = takeLine(&rest) {
            if line.isEmpty { return .complete(body) }
        }
        return .incomplete
    }

    /// Removes a line; nil while its end has not arrived.
    private static func takeLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: 10), end > rest.startIndex, rest[end - 1] == 13
        else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<(end - 1)]
    }
}
