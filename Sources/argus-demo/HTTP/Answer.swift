import NIOCore

struct Answer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: Body
    /// True for chunks without a length, as in streamed exports.
    var isChunked = false
    /// True if the connection then drops unannounced.
    var dropsConnection = false

    /// The bytes, or a closure that makes them once the state is unlocked, and may block.
    enum Body: Sendable {
        case bytes(ByteBuffer)
        case made(@Sendable () -> ByteBuffer)
    }

    init(
        status: Int = 200, type: String? = "application/json",
        headers: [(name: String, value: String)] = [], body: Body = .bytes(ByteBuffer())
    ) {
        self.status = status
        self.headers = (type.map { [("content-type", $0)] } ?? []) + headers
        self.body = body
    }

    static func json(
        _ value: JSON, status: Int = 200, type: String? = "application/json",
        headers: [(name: String, value: String)] = []
    ) -> Answer {
        Answer(
            status: status, type: type, headers: headers,
            body: .bytes(ByteBuffer(bytes: value.bytes())))
    }

    static func created(_ value: JSON) -> Answer { .json(value, status: 201) }

    /// The commonest error shape, `{"detail":"text"}`.
    static func detail(_ text: String, status: Int) -> Answer {
        .json(["detail": .text(text)], status: status)
    }

    /// A success without content; the real server still sends a content type.
    static var noContent: Answer { Answer(status: 204) }

    /// An unhandled error: plain text, then a dropped connection.
    static var crash: Answer {
        var answer = Answer(
            status: 500, type: "text/plain; charset=utf-8",
            body: .bytes(ByteBuffer(string: "Internal Server Error")))
        answer.dropsConnection = true
        return answer
    }

    static func jpeg(
        headers: [(name: String, value: String)] = [], _ make: @escaping @Sendable () -> [UInt8]
    ) -> Answer {
        Answer(
            type: "image/jpeg", headers: headers, body: .made { ByteBuffer(bytes: make()) })
    }
}

extension Answer {
    /// The body, made now unless it exists.
    var bytes: ByteBuffer {
        switch body {
        case .bytes(let bytes): bytes
        case .made(let make): make()
        }
    }

    /// The body as an array.
    var content: [UInt8] { Array(bytes.readableBytesView) }
}

struct Reply: Sendable {
    var answer: Answer
    var delayMilliseconds: Int64 = 0
    var delivery = Fault.Delivery.whole
}

/// Ends a route early with another answer.
struct Refusal: Error {
    var answer: Answer

    init(_ detail: String, status: Int) { answer = .detail(detail, status: status) }
    init(_ answer: Answer) { self.answer = answer }
}

extension Optional {
    /// Returns the value; refuses the request if there is none.
    func orRefuse(
        _ detail: @autoclosure () -> String, status: Int = 404
    ) throws(Refusal) -> Wrapped {
        guard let value = self else { throw Refusal(detail(), status: status) }
        return value
    }
}
