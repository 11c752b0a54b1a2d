import NIOCore

/// The answer of a route.
struct Answer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: Body
    /// True for chunks without a length, as in streamed exports.
    var isChunked = false
    /// True if the connection then drops unannounced (backend-facts 0.3).
    var dropsConnection = false
    /// Work that may block, whose result is the body in place of `body`; done by a thread of its own.
    var later: (@Sendable () -> JSON)?

    /// The bytes, or a closure that makes them once the state is unlocked.
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

    static func json(_ value: JSON, status: Int = 200) -> Answer {
        Answer(status: status, body: .bytes(ByteBuffer(bytes: value.bytes())))
    }

    /// An answer whose value takes time.
    static func later(_ work: @escaping @Sendable () -> JSON) -> Answer {
        var answer = Answer()
        answer.later = work
        return answer
    }

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
