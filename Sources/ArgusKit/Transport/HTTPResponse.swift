/// A whole answer to a request.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    /// The body after decompression; empty when it was handed to a receiver piece by piece.
    package var body: [UInt8]
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

    /// The first field of that name.
    package subscript(name: String) -> String? {
        let wanted = name.lowercased()
        return fields.first { $0.name.lowercased() == wanted }?.value
    }
}
