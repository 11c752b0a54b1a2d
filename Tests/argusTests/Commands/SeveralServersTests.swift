import ArgusCore
import ArgusTestSupport
import ArgusTransport
import FoundationEssentials
import Testing

@testable import argus

@Suite("--server with several servers")
struct SeveralServersTests {
    private let test: TestSystem
    private static let cameras = "/api/v1/cameras"
    private static let noon = "2026-11-20T12:00:00Z"
    private static let events = "/api/v1/events?limit=2&per_page=2"

    init() async throws {
        test = try TestSystem()
        try await test.know("home")
        try await test.know("cabin", at: "https://cabin.example")
    }

    /// Stubs a request to each server, whose answer has the list of this name.
    private func stub(_ target: String, home: String, cabin: String) {
        for _ in 0..<2 {
            test.fake.stub(.get, target) { request in
                let body = request.origin.host == "cabin.example" ? cabin : home
                return .success(HTTPResponse(status: 200, body: Array(body.utf8)))
            }
        }
    }

    private func stubCameras() {
        stub(
            Self.cameras, home: #"[{"id":"c1","name":"Door","is_online":true}]"#,
            cabin: #"[{"id":"c2","name":"Lake","is_online":false}]"#)
    }

    @Test("each row of a list begins with the server's name", arguments: ["all", "home,cabin"])
    func rows(servers: String) async throws {
        stubCameras()
        let words = ["cameras", "-s", servers, "--format", "csv", "--fields", "server,id,online"]
        #expect(await test.run(words) == .done, "\(test.stderr)")
        #expect(test.stdout == "server,id,online\nhome,c1,true\ncabin,c2,false\n")
        stubCameras()
        #expect(await test.run("cameras", "-s", servers) == .done)
        #expect(test.stdout.contains("SERVER"))
    }

    @Test("on a terminal the list has short ids that commands take, colours, and one count")
    func terminal() async throws {
        test.terminal = Terminal(
            isOutputTerminal: true, isErrorTerminal: true, width: 40, style: Style(isOn: true))
        test.environment["TERM"] = "xterm"
        stub(
            Self.cameras,
            home: #"[{"id":"491718de-357e-4da8-8b43-5c8e74616796","name":"D","is_online":false}]"#,
            cabin: #"[{"id":"8e4858b5-61b1-4361-9fb1-940eb8cbf1ae","name":"L","is_online":true}]"#)
        let words = ["cameras", "-s", "all", "--no-header", "--fields", "server,id,online"]
        #expect(await test.run(words) == .done, "\(test.stderr)")
        #expect(
            test.stdout == """
                home   \u{1B}[2m491718de\u{1B}[0m  \u{1B}[31mno\u{1B}[0m
                cabin  \u{1B}[2m8e4858b5\u{1B}[0m  yes

                """)
        #expect(test.stderr.hasSuffix("\n\u{1B}[2m2 cameras\u{1B}[0m\n"), "\(test.stderr)")
    }

    @Test("events of several servers are one list, newest first")
    func byTime() async throws {
        func list(_ rows: [(id: String, hour: Int)]) -> String {
            let events = rows.map {
                #"{"id":"\#($0.id)","timestamp":"2026-11-20T\#($0.hour):00:00Z"}"#
            }
            return #"{"events":[\#(events.joined(separator: ","))],"has_more":false}"#
        }
        stub(Self.events, home: list([("a", 20), ("c", 12)]), cabin: list([("b", 15), ("d", 11)]))
        let words = ["events", "-n2", "-s", "all", "--format", "csv", "--fields", "server,id"]
        #expect(await test.run(words + ["--no-header"]) == .done, "\(test.stderr)")
        #expect(test.stdout == "home,a\ncabin,b\nhome,c\ncabin,d\n")
    }

    @Test("counts of events have a row for each server, also on a terminal")
    func statistics() async throws {
        func list(_ types: String...) -> String {
            let events = types.enumerated().map {
                #"{"id":"e\#($0)","smart_detection_type":"\#($1)","timestamp":"\#(Self.noon)"}"#
            }
            return #"{"events":[\#(events.joined(separator: ","))],"has_more":false}"#
        }
        let target = "/api/v1/events?limit=500&per_page=100"
        stub(target, home: list("person", "person", "ring"), cabin: list("animal"))
        let words = ["events", "stats", "--by", "type", "-s", "all"]
        #expect(await test.run(words + ["--format", "csv"]) == .done, "\(test.stderr)")
        #expect(
            test.stdout == """
                server,group,key,name,count,alerts
                home,type,person,person,2,
                home,type,ring,ring,1,
                cabin,type,animal,animal,1,

                """)
        test.terminal = Terminal(isOutputTerminal: true, isErrorTerminal: true, width: 60)
        test.environment["NO_COLOR"] = "1"
        stub(target, home: list("person"), cabin: list("animal"))
        #expect(await test.run(words) == .done, "\(test.stderr)")
        #expect(test.stdout.contains("SERVER  GROUP  NAME    COUNT  ALERTS\n"), "\(test.stdout)")
    }

    @Test("the accounts of all servers are one list, and a warning names its server")
    func accounts() async throws {
        func user(_ name: String) -> String {
            #"{"id":"u","username":"\#(name)","must_change_password":true}"#
        }
        stub("/api/v1/auth/me", home: user("ann"), cabin: user("bob"))
        let words = ["whoami", "-s", "all", "--format", "csv", "--fields", "server,username"]
        #expect(await test.run(words) == .done, "\(test.stderr)")
        #expect(test.stdout == "server,username\nhome,ann\ncabin,bob\n")
        #expect(test.stderr.contains("warning: 'cabin': the password of 'bob'"), "\(test.stderr)")
        stub("/api/v1/auth/me", home: user("ann"), cabin: user("bob"))
        #expect(await test.run("whoami", "-s", "all", "--format", "ndjson") == .done)
        #expect(test.stdout.components(separatedBy: #""server":"#).count == 3, "\(test.stdout)")
    }

    @Test("pictures of several servers have a folder for each, and failures name their cameras")
    func pictures() async throws {
        let picture = Data(try Samples.bytes("thumbnail.jpg")).base64EncodedString()
        stubCameras()
        for (id, image) in [("c1", "\"\(picture)\""), ("c2", "null")] {
            test.fake.stub(
                .get, Self.cameras + "/\(id)/stream/snapshot?quality=medium",
                body: #"{"success":true,"image_base64":\#(image),"error":"offline"}"#)
        }
        test.fake.stub(.get, Self.cameras + "/c2/preview", status: 400)
        let folder = test.folder.file("pictures")
        let words = ["cameras", "snapshot", "--all", "-s", "all", "-o"]
        #expect(await test.run(words + [folder, "-q"]) == .partial, "\(test.stderr)")
        #expect(test.stdout == "")
        #expect(try test.folder.names(in: "pictures/home") == ["Door-20261121T120000.jpg"])
        #expect(test.stderr.contains("offline"), "\(test.stderr)")
        #expect(await test.run(words + [test.folder.file("x.jpg")]) == .usage)
    }

    @Test("devices that wait at any server are one list")
    func pairings() async throws {
        stub(
            "/api/v1/mobile/auth/pending", home: #"{"pairings":[]}"#,
            cabin: try Samples.text("mobile-pending"))
        let words = ["pair", "pending", "-s", "all", "--format", "csv", "--no-header"]
        #expect(await test.run(words + ["--fields", "server,code"]) == .done, "\(test.stderr)")
        #expect(test.stdout.hasPrefix("cabin,376529\n"), "\(test.stdout)")
    }

    @Test("a server that fails is named, the rows of the others are printed, and it is status 11")
    func partial() async throws {
        for _ in 0..<2 {
            test.fake.stub(.get, Self.cameras) { request in
                guard request.origin.host == "cabin.example" else {
                    return .success(
                        HTTPResponse(
                            status: 200, body: Array("[{\"id\":\"c1\",\"is_online\":true}]".utf8)))
                }
                return .failure(
                    TransportError(.notConnected, "connection refused", nothingSent: true))
            }
        }
        #expect(
            await test.run("cameras", "--server", "all", "--json", "--retries", "0") == .partial)
        #expect(try test.printed().elements.map { $0["server"]?.string } == ["home"])
        let items = try #require(test.errorObject()["items"]).elements
        #expect(items.map { $0["id"]?.string } == ["cabin"])
    }

    @Test(
        "what is for one server is refused before anything is sent",
        arguments: [
            (
                ["cameras", "show", "x", "-s", "all"], ExitKind.usage,
                "'argus cameras show' uses one server at a time"
            ),
            (["push", "prefs", "-s", "home,cabin"], .usage, "'argus push prefs show' uses one"),
            (["events", "export", "-s", "all"], .usage, "events stats, events watch, keys"),
            (
                ["events", "watch", "-s", "all", "--fields", "nope"], .usage,
                "the fields are server, id"
            ),
            (["events", "watch", "-s", "all", "--raw"], .usage, "--raw is for one server"),
            (["events", "wait", "-s", "all"], .usage, "'argus events wait' uses one server"),
            (
                ["events", "watch", "-s", "all", "--state", String(repeating: "a", count: 60)],
                .usage, "with several servers the name is"
            ),
            (["logout", "-s", "all"], .usage, "'argus logout' uses one server at a time"),
            (["cameras", "-s", "all", "--raw", "--json"], .usage, "--raw is for one server"),
            (["cameras", "-s", "all", "--fields", "nope"], .usage, "nope"),
            (["cameras", "-s", "home,nowhere"], .notFound, "nowhere"),
            (["cameras", "-s", "all,home"], .usage, "--server all cannot be combined"),
        ])
    func refused(words: [String], status: ExitKind, reason: String) async {
        #expect(await test.run(words) == status)
        #expect(test.stderr.contains(reason), "\(test.stderr)")
        #expect(test.fake.requests.isEmpty)
    }

    @Test("credentials of this run are for one server")
    func credentialOverrides() async {
        test.environment["ARGUS_TOKEN"] = "token-2"
        #expect(await test.run("cameras", "-s", "all") == .usage)
        #expect(test.stderr.contains("ARGUS_TOKEN are for one server"), "\(test.stderr)")
    }
}
