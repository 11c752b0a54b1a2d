import ArgusCore
import ArgusTestSupport
import ArgusTransport
import FoundationEssentials
import Testing

@testable import argus

@Suite("argus cameras")
struct CamerasTests {
    private let test: TestSystem
    private let picture: [UInt8]
    private static let list = "/api/v1/cameras"
    private static let cameras = """
        [{"id":"c1","name":"Front Door","is_enabled":true,"is_online":true},
         {"id":"c2","name":"../Garage","is_enabled":true,"is_online":false},
         {"id":"c3","name":"Attic","is_enabled":false,"is_online":false}]
        """

    init() async throws {
        test = try TestSystem()
        picture = try Samples.bytes("thumbnail.jpg")
        try await test.know()
    }

    private func stubSnapshot(
        of id: String, _ bytes: [UInt8]?, quality: String = "medium", takenAt: String? = nil
    ) {
        let time = takenAt.map { #""timestamp":"\#($0)","# } ?? ""
        let image = bytes.map { "\"\(Data($0).base64EncodedString())\"" } ?? "null"
        test.fake.stub(
            .get, "/api/v1/cameras/\(id)/stream/snapshot?quality=\(quality)",
            body: #"{"success":true,\#(time)"image_base64":\#(image),"error":"camera is offline"}"#)
        guard bytes == nil else { return }
        test.fake.stub(.get, "/api/v1/cameras/\(id)/preview", status: 400)
    }

    @Test("the list of a real server, with the online state")
    func list() async throws {
        test.fake.stub(.get, Self.list, body: try Samples.text("cameras-list"))
        test.fake.stub(.get, Self.list + "/health", body: try Samples.text("cameras-health"))
        #expect(await test.run("cameras", "--format", "ndjson") == .done)
        #expect(
            test.stdout.split(separator: "\n").first == """
                {"id":"7323d311-eb43-4837-9f08-07f69d4ce47d","name":"Front Door","enabled":false,\
                "online":false,"source":"rtsp","is_doorbell":false,"last_event_at":null}
                """)
    }

    @Test("fields of the list alone need no second request", arguments: [true, false])
    func listAlone(isRaw: Bool) async throws {
        test.fake.stub(.get, Self.list, body: try Samples.text("cameras-list"))
        let words = isRaw ? ["--raw"] : ["--fields", "name,enabled"]
        #expect(await test.run(["cameras", "list", "--format", "ndjson"] + words) == .done)
        #expect(test.stdout.contains("Front Door"))
        test.fake.verify()
    }

    @Test("one camera with its details, by its name in any case")
    func show() async throws {
        test.fake.stub(.get, Self.list, body: try Samples.text("cameras-list"))
        test.fake.stub(
            .get, Self.list + "/83e8482b-3da8-42c3-a4f1-6806e221aaa0",
            body: try Samples.text("camera-detail-connected"))
        test.fake.stub(.get, Self.list + "/health", body: try Samples.text("cameras-health"))
        test.fake.stub(
            .get, Self.list + "/83e8482b-3da8-42c3-a4f1-6806e221aaa0/stream/info",
            body: try Samples.text("camera-stream-info"))
        #expect(await test.run("cameras", "show", "garage usb", "--format", "ndjson") == .done)
        #expect(
            test.stdout == """
                {"id":"83e8482b-3da8-42c3-a4f1-6806e221aaa0","name":"Garage USB","enabled":true,\
                "online":true,"source":"rtsp","is_doorbell":false,"last_event_at":null,\
                "model":null,"capture_enabled":true,"created_at":"2026-11-20T23:30:47.243432Z",\
                "updated_at":"2026-11-20T23:35:57.671035Z","status":"connected",\
                "last_frame_at":"2026-11-20T23:45:58.832075Z","error":null,\
                "stream_available":true,\
                "stream_qualities":["low 640x360 5 fps","medium 1280x720 10 fps",\
                "high 1920x1080 15 fps"],"stream_clients":0}

                """)
    }

    @Test("a template for names is refused where the name is the person's", arguments: ["d6", "-"])
    func templateOfFile(name: String) async throws {
        let path = name == "-" ? name : test.folder.file(name)
        let words = ["cameras", "snapshot", "front door", "--name-template", "x", "-o", path]
        #expect(await test.run(words) == .usage)
        #expect(test.stderr.contains("--name-template is for a folder, and '\(path)' is none"))
        #expect(test.fake.requests.isEmpty)
    }

    @Test("a camera that is named twice gives one picture")
    func namedTwice() async throws {
        test.fake.stub(.get, Self.list, body: Self.cameras)
        stubSnapshot(of: "c1", picture)
        let words = ["cameras", "snapshot", "front door", "c1", "-o", test.folder.file("x/")]
        #expect(await test.run(words + ["--json"]) == .done)
        #expect(try test.printed().elements.map { $0["camera_id"]?.string } == ["c1"])
    }

    @Test("whatever asks for all cameras keeps their names for TAB, odd ones too")
    func keepsNames() async throws {
        let odd = #"[{"id":"c1","name":"a/b\\c"},{"id":"c2","name":"a\u200bb"}]"#
        for words in [
            ["cameras", "show", "nowhere"], ["cameras", "snapshot", "nowhere"],
            ["cameras", "enable", "nowhere"],
        ] {
            let system = try TestSystem()
            try await system.know()
            system.fake.stub(.get, Self.list, body: odd)
            #expect(await system.run(words) == .notFound)
            #expect(await system.run("__complete", "cameras", "show", "a/") == .done)
            #expect(system.stdout == "values\na/b\\c\tc1\n", "\(words)")
        }
    }

    @Test("a camera that is not there is status 3")
    func missing() async throws {
        test.fake.stub(.get, Self.list, body: Self.cameras)
        #expect(await test.run("cameras", "show", "nowhere") == .notFound)
        test.fake.stub(.get, Self.list, body: Self.cameras)
        #expect(
            await test.run("cameras", "snapshot", "nowhere", "-o", test.folder.file("x/"))
                == .notFound)
        #expect(try !test.folder.names().contains("x"))
    }

    @Test("one picture goes to the file that was named")
    func snapshot() async throws {
        test.fake.stub(.get, Self.list, body: Self.cameras)
        stubSnapshot(of: "c1", picture, quality: "low")
        let path = test.folder.file("door.jpg")
        #expect(
            await test.run(
                "cameras", "snapshot", "c1", "--quality", "low", "-o", path, "--format=ndjson")
                == .done)
        #expect(
            test.stdout == """
                {"camera_id":"c1","path":"\(path)","bytes":\(picture.count),\
                "sha256":"\(Checksum.sha256(picture))","captured_at":"2026-11-21T12:00:00.000000Z",\
                "age_seconds":null,"frozen":null}

                """)
        #expect(Array(try Data(contentsOf: URL(filePath: path))) == picture)
    }

    @Test("a template with folders dates them, and a rule deletes what earlier runs saved")
    func retention() async throws {
        let folder = test.folder.file("pictures/")
        func run(_ name: String, _ more: [String]) async -> ExitKind {
            test.fake.stub(.get, Self.list, body: Self.cameras)
            stubSnapshot(of: "c1", picture)
            return await test.run(
                ["cameras", "snapshot", "c1", "-q", "-o", folder, "--name-template", name] + more)
        }
        // Without a rule nothing is noted, so that the first picture is never deleted.
        #expect(await run("{date}/first", []) == .done)
        #expect(await run("{date}/{camera}-1", ["--keep-last", "1"]) == .done)
        #expect(await run("{camera}/2", ["--keep-last", "2", "--keep", "1h"]) == .done)
        #expect(
            try test.folder.names(in: "pictures").sorted()
                == [".argus-snapshots", "2026-11-21", "Front-Door"])
        let preview = [
            "cameras", "snapshot", "--all", "-o", folder, "--dry-run", "--keep-last", "1",
        ]
        #expect(await test.run(preview + ["--format", "ndjson", "--fields", "path"]) == .done)
        #expect(test.stdout == "{\"path\":\"\(folder)2026-11-21/Front-Door-1.jpg\"}\n")
        #expect(await run("{date}/{camera}-3", ["--keep-last", "1"]) == .done)
        #expect(
            try test.folder.names(in: "pictures").sorted() == [".argus-snapshots", "2026-11-21"])
        #expect(
            try test.folder.names(in: "pictures/2026-11-21").sorted()
                == ["Front-Door-3.jpg", "first.jpg"])
        #expect(test.stderr == "dry run: nothing was changed\n")
    }

    @Test("with a wrong clock no picture is taken that would count as old or new, and none deleted")
    func wrongClock() async throws {
        let folder = test.folder.file("pictures/")
        let line = ["cameras", "snapshot", "c1", "-q", "-o", folder]
        func run(_ date: String, _ more: [String], takes: Bool = true) async -> ExitKind {
            test.fake.stub(.get, Self.list, headers: [("Date", date)], body: Self.cameras)
            if takes { stubSnapshot(of: "c1", picture) }
            return await test.run(line + more)
        }
        let right = "Sat, 21 Nov 2026 12:00:00 GMT"
        let template = ["--name-template", "{camera}-1", "--keep", "1d"]
        #expect(await run(right, template) == .done)
        test.time = Self.yearLater
        #expect(await run(right, ["--keep", "1d", "--json"], takes: false) == .failed)
        #expect(try test.errorObject()["reason"]?.string == "clock")
        #expect(
            try test.folder.names(in: "pictures").sorted()
                == [".argus-snapshots", "Front-Door-1.jpg"])
        #expect(await run(right, ["--keep", "1d", "--trust-clock"]) == .done)
        #expect(
            try test.folder.names(in: "pictures").sorted()
                == [".argus-snapshots", "Front-Door-20271121T120000.jpg"])
        // Without a rule nothing is deleted.
        #expect(await run(right, ["--name-template", "{camera}-2"]) == .done)
    }

    private static let yearLater = TestSystem.now + .seconds(365 * 86_400)

    @Test("cameras whose names collide as files have the same names whichever are asked for")
    func collidingNames() async throws {
        let list = #"[{"id":"c1","name":"A/B"},{"id":"c2","name":"a b"},{"id":"c3","name":"前庭"}]"#
        for words in [["c1"], ["c2"], ["c3", "c1"]] {
            test.fake.stub(.get, Self.list, body: list)
            for id in words { stubSnapshot(of: id, picture) }
            let folder = test.folder.file("pictures") + "/"
            let naming = ["-q", "-o", folder, "--force", "--name-template", "{camera}"]
            #expect(await test.run(["cameras", "snapshot"] + words + naming) == .done)
        }
        #expect(
            try test.folder.names(in: "pictures").sorted()
                == ["A-B-c1.jpg", "a-b-c2.jpg", "前庭.jpg"])
    }

    @Test("a long name of a camera leaves room for the time")
    func longName() async throws {
        let name = String(repeating: "前", count: 100)
        test.fake.stub(.get, Self.list, body: #"[{"id":"c1","name":"\#(name)"}]"#)
        stubSnapshot(of: "c1", picture)
        let folder = test.folder.file("pictures") + "/"
        #expect(await test.run("cameras", "snapshot", "c1", "-q", "-o", folder) == .done)
        let file = String(repeating: "前", count: 40) + "-20261121T120000.jpg"
        #expect(try test.folder.names(in: "pictures") == [file])
    }

    @Test(
        "a rule needs a folder, an age its unit, a template parts that can be names",
        arguments: [
            ["--keep", "30"], ["--keep", "d"], ["--keep-last", "0"], ["--dry-run"],
            ["--keep-last", "1", "-o", "-"], ["--name-template", "/x"],
            ["--name-template", "../{camera}"], ["--name-template", "{day}"],
            ["--name-template", "a//b"],
        ])
    func badRules(words: [String]) async throws {
        #expect(await test.run(["cameras", "snapshot", "c1"] + words) == .usage)
        #expect(test.fake.requests.isEmpty)
    }

    @Test("all enabled cameras; failures are reported, the pictures of the others are kept")
    func all() async throws {
        test.environment["TZ"] = "CET-1"
        test.fake.stub(.get, Self.list, body: Self.cameras)
        stubSnapshot(of: "c1", picture)
        stubSnapshot(of: "c2", nil)
        let folder = test.folder.file("pictures")
        #expect(await test.run("cameras", "snapshot", "--all", "-o", folder, "--json") == .partial)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files == ["Front-Door-20261121T130000.jpg"])
        let item = try test.errorObject()["items"]?.elements.first { _ in true }
        #expect(item?["id"]?.string == "../Garage")
        #expect(item?["kind"]?.string == "server_error")
        #expect(item?["message"]?.string?.contains("camera is offline") == true)
    }

    @Test("the name of a file for one picture is refused for several")
    func fileForSeveral() async throws {
        for words in [["--all"], ["c1", "c2"]] {
            let line = ["cameras", "snapshot"] + words + ["-o", test.folder.file("all.JPG")]
            #expect(await test.run(line) == .usage)
            #expect(test.stderr.hasSuffix("hint: name a folder, with a '/' at the end\n"))
        }
        #expect(test.fake.requests.isEmpty)
    }

    @Test("the time in a name is that of the capture, and the same picture is not saved twice")
    func captureTime() async throws {
        let folder = test.folder.file("pictures")
        for _ in 1...2 {
            test.fake.stub(.get, Self.list, body: Self.cameras)
            stubSnapshot(of: "c1", picture, takenAt: "2026-11-20T22:00:00Z")
            stubSnapshot(of: "c2", picture, takenAt: "2026-11-20T22:00:07Z")
            let line = ["cameras", "snapshot", "--all", "-o", folder, "--name-template", "{time}"]
            #expect(await test.run(line) == .done, "\(test.stderr)")
        }
        #expect(
            try test.folder.names(in: "pictures").sorted()
                == ["20261120T220000-c1.jpg", "20261120T220007-c2.jpg"])
    }

    @Test("with --changes a camera that fails is reported once, until it works again")
    func changes() async throws {
        func run(_ bytes: [UInt8]?) async -> ExitKind {
            test.fake.stub(.get, Self.list, body: Self.cameras)
            stubSnapshot(of: "c1", picture, takenAt: test.time.utcText)
            stubSnapshot(of: "c2", bytes, takenAt: test.time.utcText)
            test.time = test.time + .seconds(900)
            return await test.run(
                "cameras", "snapshot", "--all", "--changes", "-o", test.folder.file("pictures/"))
        }
        #expect(await run(nil) == .partial)
        #expect(test.stderr.contains("camera is offline"))
        #expect(await run(nil) == .done)
        #expect(test.stderr.contains("'Front Door' sent exactly the same picture"))
        let before = test.stderr
        #expect(await run(nil) == .done)
        #expect(test.stderr == before)
        #expect(await run(picture) == .done)
        #expect(test.stderr == before + "'../Garage' sends new pictures again\n")
        #expect(await run(nil) == .partial)
        #expect(await test.run("server", "remove", "home", "-q") == .done)
        #expect(try test.folder.names(in: "state/snapshots") == [])
    }

    @Test("names that the server chose never lead out of the folder")
    func hostileName() async throws {
        test.fake.stub(.get, Self.list, body: Self.cameras)
        stubSnapshot(of: "c2", picture)
        let folder = test.folder.file("pictures/")
        #expect(
            await test.run(
                "cameras", "snapshot", "c2", "--name-template", "{camera}", "-o", folder) == .done)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.count == 1)
        #expect(files.first?.hasSuffix("Garage.jpg") == true)
        #expect(files.first?.hasPrefix(".") == false)
        #expect(try test.folder.names().sorted() == ["cache", "pictures", "state"])
    }

    @Test("half a picture is no picture")
    func half() async throws {
        test.fake.stub(.get, Self.list, body: Self.cameras)
        stubSnapshot(of: "c1", picture.dropLast(2))
        let path = test.folder.file("door.jpg")
        #expect(await test.run("cameras", "snapshot", "c1", "-o", path) == .serverError)
        #expect(try !test.folder.names().contains("door.jpg"))
    }

    @Test("what was listed is offered to TAB, and nothing that would break a shell's line")
    func completion() async throws {
        let cameras =
            #"[{"id":"c1","name":"Door","is_online":true},{"id":"c2","name":"D\u001boor","is_online":true}]"#
        test.fake.stub(.get, Self.list, body: cameras)
        #expect(await test.run("cameras", "-q", "--fields", "id", "--no-header") == .done)
        #expect(await test.run("__complete", "cameras", "show", "d") == .done)
        #expect(test.stdout == "c1\nc2\nvalues\nDoor\tc1\n")
    }
}
