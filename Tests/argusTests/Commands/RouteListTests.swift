import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

/// What a server says of its routes, and what else may stand in its place.
@Suite("argus api --list")
struct RouteListTests {
    private let test: TestSystem
    private static let path = "/openapi.json"

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    @Test("the routes are listed, and kept for TAB")
    func list() async throws {
        test.fake.stub(
            .get, Self.path,
            body: #"{"paths":{"/a":{"get":{"summary":"A"},"x-odd":{}},"/b":7}}"#)
        #expect(await test.run("api", "--list", "--format", "ndjson") == .done)
        #expect(test.stdout == #"{"method":"GET","path":"/a","summary":"A"}"# + "\n")
        #expect(await test.run("__complete", "api", "/") == .done)
        #expect(test.stdout.hasSuffix("\n/a\tGET\n"))
    }

    @Test(
        "a server without the description is unsupported, by its own word",
        arguments: [404, 405, 410])
    func absent(status: Int) async throws {
        test.fake.stub(.get, Self.path, status: status, body: #"{"detail":"Not Found"}"#)
        #expect(await test.run("api", "--list", "--json") == .unsupported)
        #expect(test.stdout == "")
    }

    @Test(
        "what stands in front of a server does not tell what the server lacks",
        arguments: [(404, "<html>nginx</html>"), (404, ""), (405, ""), (410, "gone")])
    func foreign(status: Int, body: String) async throws {
        test.fake.stub(.get, Self.path, status: status, body: body)
        #expect(await test.run("api", "--list", "--json", "--retries=0") == .serverError)
        #expect(try test.errorObject()["reason"]?.string == "not_argusai")
        #expect(test.stdout == "")
    }

    @Test(
        "what is no description makes no sense",
        arguments: ["<html>", "", "null", "[]", #"{"paths":[]}"#, #"{"openapi":"3.1.0"}"#, "{"])
    func nonsense(body: String) async throws {
        test.fake.stub(.get, Self.path, body: body)
        #expect(await test.run("api", "--list", "--json", "--retries=0") == .serverError)
        #expect(test.stdout == "")
    }
}
