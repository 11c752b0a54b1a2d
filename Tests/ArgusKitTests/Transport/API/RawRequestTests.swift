import ArgusCore
import ArgusTransport
import Testing

@Suite("raw requests")
struct RawRequestTests {
    private func address(_ text: String) throws -> ServerAddress {
        try ServerAddress(parsing: text)
    }

    @Test(
        "a path stays on its server",
        arguments: [
            ("events", "/api/v1/events"), ("/health", "/health"),
            ("events?a=1", "/api/v1/events?a=1"), ("api-keys", "/api/v1/api-keys"),
            ("api/v1/cameras", "/api/v1/cameras"),
            ("a b/é", "/api/v1/a%20b/%C3%A9"), ("//evil.example/x", "//evil.example/x"),
            ("https://home.example/base/api/v1/x?y=1", "/api/v1/x?y=1"),
            ("https://home.example:443/base", "refused"),
            ("https://evil.example/base", "refused"), ("http://home.example/x", "refused"),
            ("https://home.example@evil.example/", "refused"), ("/x#y", "refused"),
        ])
    func targets(path: String, target: String) throws {
        let found = RawRequest.target(path, at: try address("https://home.example/base"))
        #expect(found ?? "refused" == target)
    }

    @Test("names of a query are replaced and added")
    func queries() {
        var request = RawRequest(.get, "/x?limit=5&offset=2&o%66fset=3")
        request.setQuery("offset", to: "a b")
        #expect(request.target == "/x?limit=5&offset=a%20b")
        #expect(request.query("offset") == "a b")
        #expect(request.query("none") == nil)
        request.addQuery([("k", "v&w")])
        #expect(request.target == "/x?limit=5&offset=a%20b&k=v%26w")
        var bare = RawRequest(.get, "/x")
        bare.setQuery("page", to: "2")
        #expect(bare.target == "/x?page=2")
    }

    @Test("fields become JSON, typed, nested and in lists")
    func fields() throws {
        var fields = RawFields()
        for (name, text) in [
            ("a", "true"), ("b", "-5"), ("c", "007"), ("d", "null"), ("k[x]", "1"),
            ("k[y][z]", "é"),
            ("l[]", "1"), ("l[]", "two"), ("a", "1.5"),
        ] {
            try fields.add(name, RawFields.Value(typed: text))
        }
        try fields.add("t", .text("5"))
        #expect(
            String(decoding: fields.json, as: UTF8.self)
                == #"{"a":1.5,"b":-5,"c":"007","d":null,"k":{"x":1,"y":{"z":"é"}},"l":[1,"two"],"t":"5"}"#
        )
    }

    @Test(
        "names that cannot be are refused", arguments: ["", "[a]", "a[", "a[b", "a[b]c", "k[x][y]"])
    func misfits(name: String) throws {
        var fields = RawFields()
        try fields.add("k[x]", .text("1"))
        #expect(throws: RawFields.NameError.self) { try fields.add(name, .text("1")) }
    }

    @Test(
        "every shape of list leads to its next page",
        arguments: [
            (
                #"{"events":[1,2],"next_offset":2,"has_more":true}"#, "/x?limit=2",
                "/x?limit=2&offset=2"
            ),
            (#"{"events":[1,2],"next_offset":null,"has_more":false}"#, "/x", "end"),
            (#"{"events":[1,2],"has_more":true}"#, "/x?offset=4", "/x?offset=6"),
            (#"{"data":[1,2],"total_count":5}"#, "/x?offset=2", "/x?offset=4"),
            (#"{"data":[1],"total_count":5}"#, "/x?offset=4", "end"),
            (#"{"data":[],"total_count":5}"#, "/x", "end"),
            (
                #"{"events":[1],"pagination":{"page":1,"per_page":1,"total":2,"has_next":true}}"#,
                "/x",
                "/x?page=2"
            ),
            (#"{"events":[1],"pagination":{"page":2,"has_next":false}}"#, "/x?page=2", "end"),
            (#"{"items":[1],"page":1,"per_page":1,"total":3}"#, "/x", "/x?page=2"),
            (#"{"items":[1],"next_cursor":"a=b"}"#, "/x", "/x?cursor=a%3Db"),
            (#"{"items":[1],"next_cursor":null}"#, "/x?cursor=q", "end"),
            ("[1,2]", "/x?limit=2", "/x?limit=2&offset=2"), ("[1]", "/x?limit=2", "end"),
            ("[1,2]", "/x", "end"), (#"[{"id":1},{"id":2}]"#, "/x", "perhaps /x?offset=2"),
            (#"[{"id":1},{"id":2}]"#, "/x?offset=2&a=b", "perhaps /x?a=b&offset=4"),
            (#"[{"id":1},{"n":2}]"#, "/x", "end"), (#"[{"id":1}]"#, "/x?limit=2", "end"),
            ("[1,2]", "/x?page=1&per_page=2", "/x?per_page=2&page=2"),
            (#"{"adjustments":[1,2],"total":5,"page":1,"limit":2}"#, "/x", "/x?page=2"),
            (#"{"adjustments":[1],"total":5,"page":3,"limit":2}"#, "/x?page=3", "end"),
            (#"{"items":[1,2],"page":2,"total":5}"#, "/x?page=2", "/x?page=3"),
            (#"{"items":[1],"page":9223372036854775807,"total":5}"#, "/x", "/x?offset=1"),
            (
                #"{"items":[1],"page":9007199254740992,"limit":9007199254740992,"total":5}"#, "/x",
                "end"
            ),
            (#"{"items":[1],"offset":9223372036854775807,"total":5}"#, "/x", "/x?offset=1"),
            (#"{"items":[1],"total":5}"#, "/x?offset=9223372036854775807", "/x?offset=1"),
            (#"{"items":[1],"next":"/y?z=1"}"#, "/x", "/y?z=1"),
            (#"{"items":[1],"next":"https://evil.example/y"}"#, "/x", "end"),
        ])
    func pages(body: String, target: String, next: String) throws {
        let page = RawPage(try JSONView.parse(Array(body.utf8)), headers: HTTPHeaders())
        let found = page.next(
            after: RawRequest(.get, target), at: try address("https://home.example"),
            page.count())
        let words = found.map { ($0.isGuess ? "perhaps " : "") + $0.request.target }
        #expect(words ?? "end" == next)
    }

    @Test(
        "a thing with an array in it is no list",
        arguments: [
            (#"{"id":"e1","objects_detected":["person"]}"#, false),
            (#"{"id":"e1","events":[1]}"#, false), (#"{"response":"…","cameras":["a"]}"#, true),
            (#"{"response":"…","seen":["a"]}"#, false), (#"{"providers":[1]}"#, true),
            (#"{"entities":[1],"total":1}"#, true), ("[]", true), ("7", false),
        ])
    func things(body: String, isList: Bool) throws {
        let page = RawPage(try JSONView.parse(Array(body.utf8)), headers: HTTPHeaders())
        #expect((page.elements != nil) == isList)
    }
}
