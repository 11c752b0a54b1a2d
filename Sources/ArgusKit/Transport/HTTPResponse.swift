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
