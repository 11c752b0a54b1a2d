import ArgusKit
import ArgusTestSupport
import Testing

@testable import argus

@Suite("argus api")
struct APICommandTests {
    private let test: TestWorld

    init() async throws {
        test = try TestWorld()
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

    @Test("rows without an id, and those of one page with the same, are all kept")
    func similarRows() async throws {
        test.fake.stub(
            .get, "/api/v1/things", body: #"[{"id":1,"n":1},{"id":1,"n":2},{"n":3},{"n":3},7,7]"#)
        #expect(await test.run("api", "--paginate", "things", "--format", "ndjson") == .done)
        #expect(test.stdout.split(separator: "\n").count == 6)
    }

    @Test(
        "a bare list that tells no end is asked for more until nothing new comes",
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

    @Test("csv has the columns of the first page, disarms formulas, and tells what it leaves out")
    func csv() async throws {
        stubPages()
        #expect(await test.run("api", "--paginate", "things?limit=2", "--format", "csv") == .done)
        #expect(test.stdout == "id,a\n3,\n2,'=x\n1,\n0,\n")
        #expect(test.stderr.contains("no column for b"))
        let other = try TestWorld()
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

    @Test("a body goes on piece by piece, and an error's is printed and told")
    func bodies() async throws {
        test.fake.stub(
            .get, "/api/v1/log", headers: [("Content-Type", "text/plain")], body: "a\u{0}b")
        #expect(await test.run("api", "log") == .done)
        #expect(test.stdout == "a\u{0}b")
        test.fake.stub(
            .get, "/api/v1/none", status: 404, body: #"{"detail":"it says token-1"}"#)
        #expect(await test.run("api", "none") == .notFound)
        #expect(test.stdout.hasSuffix(#"{"detail":"it says <redacted>"}"#))
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
