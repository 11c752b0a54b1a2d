import ArgusTestSupport
import ArgusTransport
import Synchronization
import Testing

@testable import argus

/// Whole commands against a server one of whose good answers is no answer to the question.
@Suite("Senseless answers")
struct SenselessAnswerTests {
    private static let bodies = ["null", "[]", #""x""#, "{}", "7", "<html>hello</html>"]

    /// What is asked for as a list.
    private static let lists = [
        "/events", "/frames", "/cameras", "/devices", "/auth/sessions", "/api-keys",
        "/auth/pending", "/push/subscriptions", "/alert-rules",
    ]

    /// Whether an answer is right, or of something that a command only adds to its answer.
    private static func mayPass(
        _ body: String, _ asked: String, _ operation: FuzzTests.Operation
    ) -> Bool {
        let path = asked.prefix { $0 != "?" }
        // Lists may be empty, and what a change says of itself may be little.
        if body == "[]", path.hasPrefix("GET"), lists.contains(where: path.hasSuffix) {
            return true
        }
        if body == "{}" && !asked.hasPrefix("GET") {
            return !asked.hasSuffix("/preferences") || asked.contains("devices")
        }
        if body == "null" && asked.hasPrefix("DELETE") || asked.hasSuffix("/change-password") {
            return body == "null"
        }
        let words = operation.testDescription
        // Bodies are passed on as they are, what is there is shown, and the rest is unknown.
        if ["api", "doctor", "server show", "check"].contains(where: words.hasPrefix) {
            return true
        }
        // The digest of an archive tells, as a gap, what its sync could not read.
        if words.contains("archive digest") { return true }
        // Only the certificate of this answer is looked at.
        if asked == "GET /", words.hasPrefix("events bundle") { return true }
        // A watch asks again, and a change may wait for a better answer.
        if operation.isWatch || words.contains("--queue") { return true }
        // A renewal that fails keeps the token that works still; signing out here is enough.
        if asked.hasSuffix("/auth/refresh") || asked.hasSuffix("/auth/logout") { return true }
        let additions = ["/health", "/stream/info", "/frames", "/video/download"]
        return additions.contains { asked.hasSuffix($0) } && !words.hasPrefix("events frames")
    }

    @Test("a command succeeds on none of them", arguments: FuzzTests.operations)
    func senseless(operation: FuzzTests.Operation) async throws {
        for body in Self.bodies {
            var number = 0
            while true {
                let server = SenselessServer(
                    body, at: number, refusesAfter: operation.isWatch ? 10 : .max)
                // Another try would get the right answer.
                let kind = try await FuzzTests.run(
                    operation, by: server, as: ["--format", "ndjson", "--retries", "0"])
                guard let asked = server.asked else { break }
                let isRight = kind != .done || Self.mayPass(body, asked, operation)
                #expect(isRight, "\(asked) was answered with \(body)")
                number += 1
            }
        }
    }
}

/// A server that answers as real ones did, but for one answer.
private final class SenselessServer: WholeAnswerTransport {
    private let body: String
    private let number: Int
    private let refusesAfter: Int
    private let state = Mutex<(count: Int, asked: String?)>((0, nil))

    init(_ body: String, at number: Int, refusesAfter: Int) {
        self.refusesAfter = refusesAfter
        self.body = body
        self.number = number
    }

    /// What was asked for with the senseless answer; nil when it did not come to that.
    var asked: String? { state.withLock { $0.asked } }

    func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var answer = DamagedServer.sample(for: request)
        let body = body
        let number = number
        state.withLock { state in
            if state.count == number {
                state.asked = "\(request.method.rawValue) \(request.target)"
                answer.body = Array(body.utf8)
                answer.status = 200
            }
            state.count += 1
            if state.count > refusesAfter { answer = DamagedServer.refusal }
        }
        return answer
    }
}
