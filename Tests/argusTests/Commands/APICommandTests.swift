import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("argus api")
struct APICommandTests {
    private let test: TestSystem

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private func stubPages() {
        test.fake.stub(
            .get, "/api/v1/things?limit=2",
            body: #"{"data":[{"id":3},{"id":2,"a":"=x"}],"total_count":4}"#)
        // Something was added meanwhile, so that the last of the first page comes again.
        test.fake.stub(
            .get, "/api/v1/things?limit=2&offset=2",
            body: #"{"data":[{"id":2,"a":"=x"},{"id":1,"b":[1,"z"]}],"total_count":5}"#)
        test.fake.stub(
            .get, "/api/v1/things?limit=2&offset=4", body: #"{"data":[{"id":0}],"total_count":5}"#)
    }

    @Test("a row whose id was on an earlier page comes once")
    func repeatedRows() async throws {
        stubPages()
        #expect(
            await test.run("api", "--paginate", "things?limit=2", "--format", "ndjson") == .done)
        #expect(
            test.stdout == """
                {"id":3}
                {"id":2,"a":"=x"}
                {"id":1,"b":[1,"z"]}
                {"id":0}

                """)
    }

    @Test("a path stands below the base path of its server")
    func basePath() async throws {
        try await test.know("cabin", at: "https://cabin.example/argus")
        test.fake.stub(.get, "/argus/api/v1/things?limit=2", body: #"{"id":1}"#)
        #expect(await test.run("api", "things?limit=2", "--server", "cabin") == .done)
        #expect(test.stdout == #"{"id":1}"#)
        test.fake.verify()
    }

    @Test("rows without an id, and those of one page with the same, are all kept")
    func similarRows() async throws {
        test.fake.stub(
            .get, "/api/v1/things", body: #"[{"id":1,"n":1},{"id":1,"n":2},{"n":3},{"n":3},7,7]"#)
        #expect(await test.run("api", "--paginate", "things", "--format", "ndjson") == .done)
        #expect(test.stdout.split(separator: "\n").count == 6)
    }

    @Test(
        "a bare list without an end mark is requested until nothing new comes",
        arguments: [
            (200, #"[{"id":2},{"id":1}]"#), (200, "[]"), (200, #"[{"id":1,"seen":9}]"#),
            (422, #"{"detail":"offset?"}"#),
        ])
    func bareList(status: Int, last: String) async throws {
        test.fake.stub(.get, "/api/v1/things", body: #"[{"id":4},{"id":3}]"#)
        test.fake.stub(.get, "/api/v1/things?offset=2", body: #"[{"id":2},{"id":1}]"#)
        test.fake.stub(.get, "/api/v1/things?offset=4", status: status, body: last)
        #expect(await test.run("api", "--paginate", "things", "--format", "json") == .done)
        #expect(test.stdout == #"[{"id":4},{"id":3},{"id":2},{"id":1}]"# + "\n")
    }

    @Test(
        "a guess that fails closes the list and says that there may be more",
        arguments: [
            (429, "{}"), (503, "{}"), (403, "{}"), (408, "{}"), (200, "<html>"), (200, "7"),
        ])
    func failedGuess(status: Int, body: String) async throws {
        test.fake.stub(.get, "/api/v1/things", body: #"[{"id":4},{"id":3}]"#)
        test.fake.stub(.get, "/api/v1/things?offset=2", status: status, body: body)
        let words = ["api", "--paginate", "things", "-i", "--format", "json", "--retries", "0"]
        #expect(await test.run(words) == .partial)
        #expect(test.stdout.hasPrefix("HTTP 200\n"))
        #expect(test.stdout.split(separator: "HTTP ").count == 1)
        #expect(test.stdout.hasSuffix("\n" + #"[{"id":4},{"id":3}]"# + "\n"))
        let message = try test.errorObject()["message"]?.string
        #expect(message?.hasPrefix("there may be more than was printed: ") == true)
    }

    @Test("heads are printed of answers whose elements are, and of no guess that is refused")
    func heads() async throws {
        test.fake.stub(.get, "/api/v1/things", body: #"[{"id":4}]"#)
        test.fake.stub(.get, "/api/v1/things?offset=1", body: #"[{"id":3}]"#)
        test.fake.stub(.get, "/api/v1/things?offset=2", status: 405)
        #expect(await test.run("api", "--paginate", "things", "-i", "--format", "ndjson") == .done)
        #expect(test.stdout.split(separator: "HTTP ").count == 2)
        #expect(test.stdout.hasSuffix("\n\n{\"id\":3}\n"))
        #expect(test.stderr.isEmpty)
    }

    @Test("a server that knows no offset and adds a row each time is not asked for ever")
    func growing() async throws {
        func rows(_ count: Int) -> String {
            "[" + (0..<count).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
        }
        test.fake.stub(.get, "/api/v1/things", body: rows(5))
        // Each guess goes on after as many rows as the answer before it had.
        var offset = 0
        for count in 6...15 {
            offset += count - 1
            test.fake.stub(.get, "/api/v1/things?offset=\(offset)", body: rows(count))
        }
        #expect(await test.run("api", "--paginate", "things", "--format", "json") == .done)
        #expect(test.stdout == rows(15) + "\n")
        #expect(test.stderr.hasSuffix("'home' does not page this list, and keeps adding to it\n"))
    }

    @Test("a server that repeats itself for ever in other words is given up")
    func repeating() async throws {
        for page in 0...100 {
            test.fake.stub(
                .get, "/api/v1/things" + (page == 0 ? "" : "?offset=\(page)"),
                body: #"{"items":[{"id":1}],"has_more":true,"at":\#(page)}"#)
        }
        #expect(await test.run("api", "--paginate", "things", "--format", "ndjson") == .serverError)
        #expect(test.stdout == "{\"id\":1}\n")
    }

    @Test("a method alone is no path")
    func methodAlone() async throws {
        #expect(await test.run("api", "POST") == .usage)
        #expect(test.stderr.hasPrefix("argus: missing PATH\n"))
        #expect(test.fake.requests.isEmpty)
    }

    @Test(
        "csv has the columns of the first page, disarms formulas, and reports the members it leaves out"
    )
    func csv() async throws {
        stubPages()
        #expect(await test.run("api", "--paginate", "things?limit=2", "--format", "csv") == .done)
        #expect(test.stdout == "id,a\n3,\n2,'=x\n1,\n0,\n")
        #expect(test.stderr.contains("no column for b"))
        let other = try TestSystem()
        try await other.know()
        other.fake.stub(.get, "/api/v1/thing", body: #"{"id":"x","b":[1,"z"],"c":{"d":null}}"#)
        let words = ["api", "thing", "--format", "tsv", "--fields", "b,c"]
        #expect(await other.run(words) == .done)
        #expect(other.stdout == "b\tc\n1;z\t{\"d\":null}\n")
        #expect(other.stderr.isEmpty)
        other.fake.stub(.get, "/api/v1/thing", body: #"{"id":"x","b":1}"#)
        #expect(await other.run("api", "thing", "--format", "csv", "--fields", "b,b,id,b") == .done)
        #expect(other.stdout.hasSuffix("\nb,id\n1,x\n"))
        other.fake.stub(.get, "/api/v1/thing", body: #"{"id":"x","b":1}"#)
        #expect(await other.run("api", "thing", "--fields", "b,none") == .usage)
        #expect(other.stderr.contains("no field 'none'; the fields are id, b"))
    }

    @Test("a body is passed on piece by piece, and that of an error is printed and reported")
    func bodies() async throws {
        test.fake.stub(
            .get, "/api/v1/log", headers: [("Content-Type", "text/plain")], body: "a\u{0}b")
        #expect(await test.run("api", "log") == .done)
        #expect(test.stdout == "a\u{0}b")
        test.fake.stub(
            .get, "/api/v1/none", status: 404, body: #"{"detail":"it says token-1"}"#)
        #expect(await test.run("api", "none") == .notFound)
        #expect(test.stdout.hasSuffix(#"{"detail":"it says token-1"}"#))
        #expect(!test.stderr.contains("token-1"), "\(test.stderr)")
    }

    @Test("-F sends what JSON has a word or a number for as it is written, and all else as text")
    func typedFields() async throws {
        test.fake.stub(.post, "/api/v1/things", body: "{}")
        let values = [
            "a": "1.50", "b": "-2e3", "c": "123456789012345678901234567890", "d": "-0",
            "e": "007", "f": "+1", "g": "1.", "h": " 1", "i": "0x1", "j": "NaN", "k": "null",
            "l": "true", "m": "1e", "n": ".5", "o": "9007199254740993", "p": "",
        ]
        let words = values.sorted { $0.key < $1.key }.flatMap { ["-F", "\($0.key)=\($0.value)"] }
        #expect(await test.run(["api", "things"] + words) == .done)
        let body = try #require(test.fake.requests.last?.body)
        #expect(
            String(decoding: body.bytes, as: UTF8.self) == """
                {"a":1.50,"b":-2e3,"c":123456789012345678901234567890,"d":-0,"e":"007","f":"+1",\
                "g":"1.","h":" 1","i":"0x1","j":"NaN","k":null,"l":true,"m":"1e","n":".5",\
                "o":9007199254740993,"p":""}
                """)
    }

    @Test("the format of the config file leaves the server's bodies as they are")
    func configuredFormat() async throws {
        try test.folder.plant("format = \"csv\"\n", "config.toml", mode: 0o644)
        test.fake.stub(.get, "/api/v1/thing", body: #"{ "id": 1 }"#)
        #expect(await test.run("api", "thing") == .done)
        #expect(test.stdout == #"{ "id": 1 }"#)
        test.environment["ARGUS_FORMAT"] = "json"
        test.fake.stub(.get, "/api/v1/thing", body: #"{ "id": 1 }"#)
        #expect(await test.run("api", "thing") == .done)
        #expect(test.stdout.hasSuffix("}{\"id\":1}\n"))
    }
}
