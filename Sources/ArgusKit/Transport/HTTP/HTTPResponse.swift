package import ArgusCore

/// A complete answer to a request.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    /// The body after decompression; empty if a receiver has it.
    package var body: [UInt8]
    /// The connection of a WebSocket, if the request asked for one.
    package var webSocket: WebSocketConnection?
    /// The time from the request's submission to the answer's last byte.
    package var duration: Duration

    package init(
        status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
        duration: Duration = .zero
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.duration = duration
    }
}

/// The header fields of an answer, in the order received; names are compared without case.
package struct HTTPHeaders: Sendable {
    package private(set) var fields: [(name: String, value: String)]

    package init(_ fields: [(name: String, value: String)] = []) { self.fields = fields }

    /// Adds a field at the end.
    package mutating func append(_ name: String, _ value: String) {
        fields.append((name, value))
    }

    /// Continues the last field's value, if there is one, after a blank.
    mutating func extendLast(with text: String) {
        if !fields.isEmpty { fields[fields.count - 1].value += " \(text)" }
    }

    /// The first field of that name.
    package subscript(name: String) -> String? {
        fields.first { $0.name.equalsWithoutCase(name) }?.value
    }
}

extension String {
    /// True if two names differ only in the case of ASCII letters (RFC 9110, section 5.1).
    package func equalsWithoutCase(_ other: String) -> Bool {
        func lowercased(_ byte: UInt8) -> UInt8 {
            (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        }
        return utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }
}

/// The status line and header fields of an answer, parsed line by line (RFC 9112, section 2.1).
struct ResponseHead {
    /// The status; 0 before the status line.
    private(set) var status = 0
    /// The protocol's name and version, such as `HTTP/1.1`.
    private(set) var version = ""
    private(set) var headers = HTTPHeaders()
    /// Bytes of all lines so far, including those of interim answers and trailers.
    private(set) var byteCount = 0
    /// True after the blank line that ends the fields.
    private(set) var isComplete = false

    /// Parses a line with its line break.
    mutating func append(line: UnsafeRawBufferPointer) {
        byteCount += line.count
        let text = line[...].trimming { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        if text.isEmpty {
            isComplete = true
        } else if status == 0 || isComplete, text.starts(with: "HTTP/".utf8) {
            // An interim answer (1xx) came before this one.
            beginAnswer(statusLine: String(decoding: text, as: UTF8.self))
        } else if !isComplete {
            appendField(text)
        }
    }

    private mutating func beginAnswer(statusLine: String) {
        let words = statusLine.split(separator: " ", maxSplits: 2)
        version = words.first.map(String.init) ?? ""
        status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        headers = HTTPHeaders()
        isComplete = false
    }

    private mutating func appendField(_ text: Slice<UnsafeRawBufferPointer>) {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        if let first = text.first, isBlank(first) {
            // A folded line continues the value before it (RFC 9112, section 5.2).
            headers.extendLast(with: String(decoding: text.trimming(isBlank), as: UTF8.self))
            return
        }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return }
        headers.append(
            String(decoding: text[..<colon].trimming(isBlank), as: UTF8.self),
            String(decoding: text[text.index(after: colon)...].trimming(isBlank), as: UTF8.self))
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate func trimming(_ isExcess: (UInt8) -> Bool) -> Self {
        var rest = self
        while let last = rest.last, isExcess(last) { rest = rest.dropLast() }
        return rest.drop(while: isExcess)
    }
}

/// The dates of header fields, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// Parses the only form that servers send today; nil for any other text.
    package static func parse(_ text: String) -> Timestamp? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: words[2])
        else { return nil }
        let day = "\(words[3])-\((month + 1).padded(to: 2))-\(words[1])"
        return Timestamp(serverText: "\(day)T\(words[4])Z")
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
