import Glibc

/// A whole answer to a request.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    /// The body after decompression; empty when it was handed to a receiver piece by piece, or is
    /// in a file.
    package var body: [UInt8]
    /// Where the body is instead of in memory; only for requests whose limits allow it.
    package var file: SpoolFile?
    /// From the request's submission to the answer's last byte.
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

    /// The body, wherever it is.
    package var stored: StoredBytes { file.map(StoredBytes.init) ?? StoredBytes(body) }
}

/// The header fields of an answer, in the order received; names are compared without case.
package struct HTTPHeaders: Sendable {
    package private(set) var fields: [(name: String, value: String)]

    package init(_ fields: [(name: String, value: String)] = []) {
        self.fields = fields
    }

    /// Adds a field after the others.
    package mutating func append(_ name: String, _ value: String) {
        fields.append((name, value))
    }

    /// Continues the last field's value after a blank; nothing without a field.
    mutating func extendLast(with text: String) {
        guard !fields.isEmpty else { return }
        fields[fields.count - 1].value += " \(text)"
    }

    /// The first field of that name.
    package subscript(name: String) -> String? {
        fields.first { $0.name.equalsWithoutCase(name) }?.value
    }
}

extension String {
    /// Whether two names are the same but for the case of ASCII letters (RFC 9110, section 5.1).
    func equalsWithoutCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UInt8 {
    fileprivate var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}

/// Status line and header fields of an answer, gathered line by line (RFC 9112, section 2.1).
struct ResponseHead {
    /// The status, 0 before a status line came.
    private(set) var status = 0
    /// The protocol's name and version, such as `HTTP/1.1`.
    private(set) var version = ""
    private(set) var headers = HTTPHeaders()
    /// Bytes of every line so far, those of interim answers and trailers included.
    private(set) var byteCount = 0
    /// Whether the blank line after the fields came.
    private(set) var isComplete = false

    /// Takes one line with its line break.
    mutating func append(line: UnsafeRawBufferPointer) {
        byteCount += line.count
        let text = line.trimmingLineBreak
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

extension UnsafeRawBufferPointer {
    fileprivate var trimmingLineBreak: Slice<UnsafeRawBufferPointer> {
        self[...].trimming { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
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
    /// Reads the one form that servers send today; nil for anything else.
    package static func parse(_ text: String) -> Timestamp? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT",
            let day = number(words[1], 1...31), let month = months.firstIndex(of: words[2]),
            let year = number(words[3], 1970...9999)
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], 0...23),
            let minute = number(clock[1], 0...59), let second = number(clock[2], 0...60)
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, Int32(month), day)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
        return Timestamp(seconds: Int64(timegm(&parts)))
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: Substring, _ range: ClosedRange<Int32>) -> Int32? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int32(text),
            range.contains(number)
        else { return nil }
        return number
    }
}
