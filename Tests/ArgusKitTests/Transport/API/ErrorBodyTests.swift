import ArgusTestSupport
import ArgusTransport
import Testing

@Suite("error bodies")
struct ErrorBodyTests {
    private func error(_ status: Int, _ body: String) -> APIError {
        APIError(answer: HTTPResponse(status: status, body: Array(body.utf8)))
    }

    @Test(
        "each of the five shapes gives its words",
        arguments: [
            ("error-404-event", 404, "Event 00000000-0000-0000-0000-000000000000 not found"),
            (
                "error-403-role", 403,
                "Role 'viewer' is not authorized for this action. Required: admin"
            ),
            ("error-429-login", 429, "Rate limit exceeded: 5 per 15 minute"),
            ("error-422-limit", 422, "query.limit: Input should be less than or equal to 500"),
        ])
    func shapes(sample: String, status: Int, words: String) throws {
        #expect(error(status, try Samples.text(sample)).detail == words)
    }

    @Test("a text, and an error without words")
    func texts() throws {
        let text = String(
            decoding: try Samples.bytes("error-500-mobile-refresh-sqlite.txt"), as: UTF8.self)
        #expect(error(500, text).detail == "Internal Server Error")
        #expect(error(400, #"{"message":"no"}"#).detail == "no")
        #expect(error(403, #"{"detail":{"error_code":"NOPE"}}"#).detail == "NOPE")
        for body in ["", "{}", #"{"detail":7}"#, "<html>Bad Gateway</html>", "a\0b"] {
            #expect(error(502, body).detail == "", "\(body)")
        }
        #expect(error(500, "one\ntwo").detail == "one")
        #expect(error(500, String(repeating: "x", count: 5000)).detail.count == 301)
    }

    @Test(
        "the wait that a server asks for is seconds or a date by its own clock; else there is none",
        arguments: [
            ("42", 42), ("0", 0), ("-5", nil), ("99999999999999999999", nil), ("soon", nil),
            ("", nil), ("Sat, 21 Nov 2026 12:01:30 GMT", 90),
            ("Sat, 21 Nov 2026 11:00:00 GMT", 0),
        ])
    func retryAfter(text: String, seconds: Int?) {
        let headers = HTTPHeaders([
            ("Date", "Sat, 21 Nov 2026 12:00:00 GMT"), ("Retry-After", text),
        ])
        let error = APIError(answer: HTTPResponse(status: 429, headers: headers, body: []))
        #expect(error.retryAfterSeconds == seconds)
    }

    @Test("an unexpected status is reported by its number", arguments: [304, 305, 199])
    func oddStatus(status: Int) {
        #expect(error(status, "").kind == .foreign(status))
    }

    @Test("a 422 keeps place and message of each complaint")
    func fields() throws {
        let error = error(422, try Samples.text("error-422-event-create"))
        #expect(error.kind == .rejected)
        #expect(
            error.fields.map(\.location) == [
                "body.timestamp", "body.description", "body.confidence", "body.objects_detected.0",
            ])
        #expect(
            error.fields.first?.message
                == "Input should be a valid datetime or date, input is too short")
    }

    @Test(
        "what was submitted never appears, whatever the shape of the refusal",
        arguments: [
            #"{"detail":[{"loc":["body","password"],"msg":"too short","input":"hunter2"}]}"#,
            #"{"detail":[{"loc":["body"],"msg":"wrong","input":{"password":"hunter2"},"ctx":{"x":"hunter2"}}]}"#,
            #"{"detail":[{"loc":[],"input":"hunter2"},"hunter2",["hunter2"]]}"#,
            #"[{"loc":["body","password"],"msg":"too short","input":"hunter2"}]"#,
            #" {"detail":[{"input":"hunter2""#, #""hunter2""#,
        ])
    func submittedValues(body: String) {
        let error = error(422, body)
        #expect(!"\(error)".contains("hunter2"))
    }

    @Test("the id of the request and the time to wait are read from the head")
    func head() {
        func error(_ fields: [(name: String, value: String)]) -> APIError {
            APIError(answer: HTTPResponse(status: 429, headers: HTTPHeaders(fields)))
        }
        let reported = error([("X-Request-Id", "r-1"), ("Retry-After", "30")])
        #expect(reported.requestID == "r-1")
        for other in ["", "r 1", "<b>", String(repeating: "a", count: 65), "\\u0065"] {
            #expect(error([("X-Request-Id", other)]).requestID == nil, "\(other)")
        }
        #expect(reported.retryAfterSeconds == 30)
    }

    @Test("statuses about the connection are not a refusal", arguments: [408, 425])
    func connection(status: Int) {
        guard case .transport = error(status, "").kind else {
            Issue.record("\(status) is \(error(status, "").kind)")
            return
        }
    }
}
