import Testing

@testable import ArgusAccount
@testable import ArgusCore

@Suite("ServerList")
struct ServerListTests {
    private func record(_ id: String, _ name: String, _ address: String) throws -> ServerRecord {
        ServerRecord(
            id: try #require(ServerID(id)), name: name,
            endpoints: [Endpoint(.local, address, proof: .publicCertificate)],
            addedAt: Timestamp(seconds: 0))
    }

    private func list() throws -> ServerList {
        var list = ServerList()
        try list.add(record("abcd1111", "home", "https://home.example"))
        try list.add(record("abcd2222", "Cabin", "http://[FD00::1]:8000/argus/"))
        try list.add(record("efgh3333", "abcd", "https://home.example:444"))
        return list
    }

    @Test(
        "a server is found by id, then name, then unique prefix",
        arguments: [
            ("ABCD1111", "abcd1111"), ("cabin", "abcd2222"), ("abcd", "efgh3333"),
            ("efgh", "efgh3333"), ("abcd2", "abcd2222"),
            ("https://HOME.example:443/", "abcd1111"), ("https://home.example:444", "efgh3333"),
            ("http://[fd00::1]:8000/argus", "abcd2222"),
        ])
    func finds(word: String, id: String) throws {
        #expect(try list().find(word).map(\.id.text) == [id])
    }

    @Test(
        "nothing else matches",
        arguments: [
            "efg", "home.example", "http://home.example", "https://home.example/x", "",
            "http://[fd00::1]:8000", "ftp://home.example", "https://u@home.example",
        ])
    func findsNothing(word: String) throws {
        #expect(try list().find(word).isEmpty)
    }

    @Test("an ambiguous prefix or address lists its candidates")
    func tellsAmbiguity() throws {
        var list = try list()
        try list.change(try #require(ServerID("efgh3333"))) { $0.name = "other" }
        try list.add(record("zzzz4444", "guest", "https://home.example"))
        #expect(list.find("abcd").map(\.name) == ["home", "Cabin"])
        #expect(list.find("https://home.example").map(\.name) == ["home", "guest"])
    }

    @Test("names are unique without regard to case, and plain")
    func checksNames() throws {
        var list = try list()
        let id = try #require(ServerID("abcd1111"))
        #expect(throws: AccountError.nameTaken("CABIN")) {
            try list.change(id) { $0.name = "CABIN" }
        }
        for name in ["", "-x", "a b", "a/b", "é", String(repeating: "x", count: 65)] {
            #expect(throws: AccountError.invalidName(name)) {
                try list.change(id) { $0.name = name }
            }
        }
        try list.change(id) { $0.name = "HOME" }
        #expect(list[id]?.name == "HOME")
        #expect(list.freeName(like: "cabin") == "cabin-2")
        #expect(list.freeName(like: "192.168.1.5") == "192.168.1.5")
        #expect(list.freeName(like: "[fd00::9]") == "server")
        #expect(list.freeName(like: "") == "server")
    }

    @Test("the default is the first, the used, or the only one")
    func knowsDefault() throws {
        var list = try list()
        #expect(list.defaultServer?.name == "home")
        try list.use(try #require(ServerID("abcd2222")))
        #expect(list.defaultServer?.name == "Cabin")
        try list.remove(try #require(ServerID("abcd2222")))
        #expect(list.defaultServer == nil)
        try list.remove(try #require(ServerID("abcd1111")))
        #expect(list.defaultServer?.name == "abcd")
        let gone = try #require(ServerID("abcd1111"))
        #expect(throws: AccountError.unknownServer(gone)) { try list.use(gone) }
    }

    @Test("a made id is a legal one, and paths are not")
    func idsAreFileNames() {
        for _ in 0..<100 { #expect(ServerID(ServerID.random().text) != nil) }
        for text in ["../x", "", "abc", "ABCD", "a.b.c", "abcd/"] { #expect(ServerID(text) == nil) }
    }
}
