import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore

@Suite("argus devices")
struct DevicesTests {
    private let test: TestSystem
    private static let list = "/api/v1/devices"
    private static let devices = """
        {"devices":[
         {"id":"aaaa1111","device_id":"hw-one","name":"Phone","platform":"ios",
          "quiet_hours_enabled":true,"quiet_hours_start":"22:00","quiet_hours_end":"07:00",
          "quiet_hours_timezone":"Europe/Paris","quiet_hours_override_critical":true},
         {"id":"aaaa2222","device_id":"0","name":"attic","platform":"web"},
         {"id":"bbbb3333","device_id":"aaaa-own","name":"phone","platform":"android"}],"total":3}
        """

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private func stubList() { test.fake.stub(.get, Self.list, body: Self.devices) }

    @Test("the list marks the machine that argus runs on")
    func list() async throws {
        stubList()
        #expect(
            await test.run("devices", "--format", "ndjson", "--fields", "id,this_device") == .done)
        #expect(
            test.stdout == """
                {"id":"aaaa1111","this_device":false}
                {"id":"aaaa2222","this_device":true}
                {"id":"bbbb3333","this_device":false}

                """)
    }

    @Test("the pairing that argus signed in with is this device, whatever id it gave itself")
    func pairedDevice() async throws {
        let other = try TestSystem()
        var session = StoredSession(kind: .mobile, accessToken: Redacted("t"), username: "ann")
        session.deviceRowID = "bbbb3333"
        try await other.know(signedInWith: .session(session))
        other.fake.stub(.get, Self.list, body: Self.devices)
        #expect(
            await other.run("devices", "show", "bbbb3333", "--json", "--fields", "this_device")
                == .done)
        #expect(try other.printed()["this_device"]?.bool == true)
    }

    @Test("the server hears the pairing's id with its tokens, and the machine's with a key")
    func deviceHeader() async throws {
        let list = "/api/v1/cameras"
        func ids(
            _ credential: Credential, key: String? = nil, renamed: String? = nil
        ) async throws -> [String?] {
            let test = try TestSystem()
            test.environment["ARGUS_API_KEY"] = key
            try await test.know(signedInWith: credential)
            if let renamed {
                #expect(await test.run("server", "rename", "home", renamed) == .done)
            }
            test.fake.stub(.get, list, body: "[]")
            #expect(await test.run("cameras", "-s", renamed ?? "home") == .done)
            return test.fake.requests.map { request in
                for header in request.headers where header.name == "X-Device-Id" {
                    if case .plain(let value) = header.value { return value }
                }
                return nil
            }
        }
        var paired = StoredSession(kind: .mobile, accessToken: Redacted("t"), username: "ann")
        // Stored by an earlier argus, its id follows from the name of the server.
        let computed = try await ids(.session(paired))
        #expect(computed.count == 1 && computed != ["0"] && computed != [nil])
        paired.hardwareID = "hw-mine"
        #expect(try await ids(.session(paired)) == ["hw-mine"])
        #expect(try await ids(.session(paired), renamed: "house") == ["hw-mine"])
        #expect(try await ids(.session(paired), key: "argus_1") == ["0"])
        #expect(try await ids(TestSystem.session) == ["0"])
        #expect(try await ids(.apiKey(Redacted("argus_1"))) == ["0"])
    }

    @Test(
        "either id, a name or the beginning of either id names a device",
        arguments: [
            ("AAAA1111", "aaaa1111"), ("HW-ONE", "aaaa1111"), ("attic", "aaaa2222"),
            ("0", "aaaa2222"), ("bbbb", "bbbb3333"), ("hw-o", "aaaa1111"),
            ("aaaa-own", "bbbb3333"), ("aaaa-o", "bbbb3333"),
        ])
    func names(word: String, id: String) async throws {
        stubList()
        #expect(await test.run("devices", "show", word, "--json", "--fields", "id") == .done)
        #expect(try test.printed()["id"]?.string == id)
    }

    @Test(
        "what names several devices is a usage error that lists them", arguments: ["phone", "aaaa"])
    func ambiguous(word: String) async throws {
        stubList()
        #expect(await test.run("devices", "show", word) == .usage)
        #expect(test.stderr.contains("aaaa1111 (Phone)"))
        #expect(test.stderr.contains("bbbb3333 (phone)"))
    }

    @Test("what names none is status 3")
    func unknown() async throws {
        stubList()
        #expect(await test.run("devices", "revoke", "nowhere") == .notFound)
    }

    @Test("rename sends the row id, and prints the old name")
    func rename() async throws {
        stubList()
        test.fake.stub(
            .put, Self.list + "/aaaa2222", body: #"{"id":"aaaa2222","name":"cellar"}"#)
        #expect(await test.run("devices", "rename", "attic", "cellar") == .done)
        #expect(test.stderr == "'attic' is now called 'cellar'\n")
        #expect(test.stdout.isEmpty)
    }

    @Test("quiet hours are shown without options, and changed by those that are named")
    func preferences() async throws {
        stubList()
        #expect(
            await test.run(
                "devices", "preferences", "aaaa1111", "--json", "--fields", "quiet_hours_start")
                == .done)
        #expect(try test.printed()["quiet_hours_start"]?.string == "22:00")
        test.fake.stub(.get, Self.list, body: Self.devices)
        test.fake.stub(
            .put, Self.list + "/hw-one/preferences",
            body: """
                {"id":"aaaa1111","device_id":"hw-one","name":"Phone","quiet_hours_enabled":true,
                 "quiet_hours_start":"23:00","quiet_hours_end":"06:30",
                 "quiet_hours_timezone":"Europe/Paris","quiet_hours_override_critical":false}
                """)
        #expect(
            await test.run(
                "devices", "preferences", "aaaa1111", "--quiet-hours", "23:00-6:30", "--critical",
                "off")
                == .done)
        #expect(
            test.stderr.hasSuffix(
                """
                'argus devices preferences' is now 'argus push prefs set --device'
                'Phone' is quiet from 23:00 to 06:30, Europe/Paris

                """))
        let body = test.fake.requests.last?.body.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(
            body == """
                {"quiet_hours_enabled":true,"quiet_hours_start":"23:00","quiet_hours_end":"06:30",\
                "quiet_hours_override_critical":false}
                """)
    }

    @Test("revoking another device asks nothing; two operands that are one device are one")
    func revoke() async throws {
        stubList()
        test.fake.stub(.delete, Self.list + "/hw-one", status: 204)
        #expect(await test.run("devices", "revoke", "hw-one", "aaaa1111") == .done)
        #expect(
            test.stderr == "'Phone' is revoked; its access token may work for up to 24 hours more\n"
        )
    }

    @Test("revoking the device of the own pairing wants --yes, comes last, and signs out here")
    func revokeOwnPairing() async throws {
        let test = try TestSystem()
        var session = StoredSession(kind: .mobile, accessToken: Redacted("t"), username: "ann")
        session.deviceRowID = "aaaa2222"
        let record = try await test.know(signedInWith: .session(session))
        test.fake.stub(.get, Self.list, body: Self.devices)
        #expect(await test.run("devices", "revoke", "attic") == .usage)
        #expect(test.stderr.contains("--yes"))
        #expect(test.fake.requests.map(\.target) == [Self.list])
        test.fake.stub(.get, Self.list, body: Self.devices)
        test.fake.stub(.delete, Self.list + "/hw-one", status: 204)
        test.fake.stub(.delete, Self.list + "/0", status: 204)
        #expect(
            await test.run("devices", "revoke", "attic", "hw-one", "--yes", "--json") == .done)
        #expect(
            test.fake.requests.suffix(2).map(\.target)
                == [Self.list + "/hw-one", Self.list + "/0"])
        #expect(try test.printed().elements.compactMap { $0["id"]?.string }.count == 2)
        #expect(try await test.credential(of: record) == nil)
        #expect(try test.known().servers.first?.account == nil)
    }

    @Test("revoking an old pairing of this machine leaves a sign-in with a password alone")
    func revokeOldPairing() async throws {
        let record = try #require(try test.known().servers.first)
        stubList()
        test.fake.stub(.delete, Self.list + "/0", status: 204)
        #expect(await test.run("devices", "revoke", "attic") == .done)
        #expect(
            test.stderr == "'attic' is revoked; its access token may work for up to 24 hours more\n"
        )
        #expect(try await test.credential(of: record) == TestSystem.session)
    }

    @Test("what was listed is offered to TAB")
    func completion() async throws {
        stubList()
        #expect(await test.run("devices", "-q", "--fields", "id", "--no-header") == .done)
        #expect(await test.run("__complete", "devices", "show", "at") == .done)
        #expect(test.stdout.hasSuffix("attic\taaaa2222\n"))
    }

    @Test(
        "bad words are refused before anything is sent",
        arguments: [
            ["rename", "attic", ""], ["rename", "attic", String(repeating: "x", count: 101)],
            ["rename", "attic", "a\u{1b}b"], ["preferences", "attic", "--quiet-hours", "22:00"],
            ["preferences", "attic", "--quiet-hours", "22:00-22:00"],
            ["preferences", "attic", "--quiet-hours", "25:00-07:00"],
            ["preferences", "attic", "--timezone", "Mars/Olympus"],
            ["preferences", "attic", "--timezone", "europe/paris"],
            ["preferences", "attic", "--critical", "perhaps"], ["revoke"], ["rename", "attic"],
        ])
    func bad(words: [String]) async throws {
        #expect(await test.run(["devices"] + words + ["--json"]) == .usage)
        #expect(try test.errorObject()["kind"]?.string == "usage")
        #expect(test.fake.requests.isEmpty)
    }
}
