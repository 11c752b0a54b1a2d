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
