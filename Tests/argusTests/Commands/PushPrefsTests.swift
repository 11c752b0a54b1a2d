import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("argus push prefs")
struct PushPrefsTests {
    private let test: TestSystem
    private static let path = "/api/v1/push/preferences"
    private static let devicePath = "/api/v1/push/mobile/preferences"
    private static let devices = "/api/v1/devices"
    private static let absent = #"{"detail":"Not Found"}"#
    private static let endpoint = PushTests.endpoint
    private static let cameras = #"[{"id":"c1","name":"Door"},{"id":"c2","name":"Garage"}]"#

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private func answer(
        cameras: String = "null", types: String = "null", quiet: Bool = false,
        start: String = "null", end: String = "null", zone: String = "UTC", sound: Bool = true
    ) -> String {
        """
        {"id":"p1","subscription_id":"s1","enabled_cameras":\(cameras),\
        "enabled_object_types":\(types),"quiet_hours_enabled":\(quiet),\
        "quiet_hours_start":\(start),"quiet_hours_end":\(end),"timezone":"\(zone)",\
        "sound_enabled":\(sound),"updated_at":"2026-11-20T23:36:49Z"}
        """
    }

    private func set(_ words: String...) async -> ExitKind {
        await test.run(["push", "prefs", "set", "--endpoint", Self.endpoint, "--yes"] + words)
    }

    private func sent(_ method: HTTPRequest.Method) -> String? {
        test.fake.requests.last { $0.method == method }?.body
            .map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test("what was named changes, the rest is written as it was")
    func readModifyWrite() async throws {
        let before = answer(
            cameras: #"["c2"]"#, types: "[]", quiet: true, start: #""22:00""#, end: #""7:00""#,
            zone: "Europe/Paris", sound: false)
        test.fake.stub(.post, Self.path, body: before)
        let after = before.replacing(#""sound_enabled":false"#, with: #""sound_enabled":true"#)
        test.fake.stub(.put, Self.path, body: after)
        test.fake.stub(.post, Self.path, body: after)
        test.fake.stub(.get, "/api/v1/cameras", body: Self.cameras)
        #expect(
            await set("--sound", "on", "--format", "ndjson", "--fields", "sound,types") == .done)
        #expect(
            sent(.put) == """
                {"endpoint":"\(Self.endpoint)","enabled_cameras":["c2"],"enabled_object_types":[],\
                "quiet_hours_enabled":true,"quiet_hours_start":"22:00","quiet_hours_end":"7:00",\
                "timezone":"Europe/Paris","sound_enabled":true}
                """)
        #expect(test.stdout == "{\"sound\":true,\"types\":[]}\n")
        #expect(test.waits.all == ["0.25 seconds"])
    }

    @Test("all is null, none an empty list, and cameras go out by id")
    func allAndNone() async throws {
        for (words, cameras, types) in [
            (["--cameras", "all", "--types", "none"], "null", "[]"),
            (["--cameras", "none", "--types", "all"], "[]", "null"),
        ] {
            test.fake.stub(.post, Self.path, body: answer())
            test.fake.stub(.put, Self.path, body: answer(cameras: cameras, types: types))
            test.fake.stub(.post, Self.path, body: answer(cameras: cameras, types: types))
            let kind = await test.run(
                ["push", "prefs", "set", "--endpoint", Self.endpoint, "--yes"] + words)
            #expect(kind == .done)
            #expect(sent(.put)?.contains("\"enabled_cameras\":\(cameras),") == true)
            #expect(sent(.put)?.contains("\"enabled_object_types\":\(types),") == true)
        }
        let chosen = answer(cameras: #"["c1"]"#)
        test.fake.stub(.get, "/api/v1/cameras", body: Self.cameras)
        test.fake.stub(.post, Self.path, body: answer())
        test.fake.stub(.put, Self.path, body: chosen)
        test.fake.stub(.post, Self.path, body: chosen)
        test.fake.stub(.get, "/api/v1/cameras", body: Self.cameras)
        #expect(await set("--cameras", "door,c1") == .done)
        #expect(sent(.put)?.contains(#""enabled_cameras":["c1"]"#) == true)
        #expect(test.stderr.contains("cameras: all -> Door\n"))
    }

    @Test("the name of a camera may contain a comma")
    func nameWithComma() async throws {
        let cameras = #"[{"id":"c1","name":"Door"},{"id":"c2","name":"Drive, north"}]"#
        let chosen = answer(cameras: #"["c2","c1"]"#)
        test.fake.stub(.get, "/api/v1/cameras", body: cameras)
        test.fake.stub(.post, Self.path, body: answer())
        test.fake.stub(.put, Self.path, body: chosen)
        test.fake.stub(.post, Self.path, body: chosen)
        test.fake.stub(.get, "/api/v1/cameras", body: cameras)
        #expect(await set("--cameras", "drive, north,Door") == .done)
        #expect(sent(.put)?.contains(#""enabled_cameras":["c2","c1"]"#) == true)
    }

    @Test("a change that another client overwrote is status 10; --force does not check")
    func lostUpdate() async throws {
        let types = #"["person"]"#
        test.fake.stub(.post, Self.path, body: answer())
        test.fake.stub(.put, Self.path, body: answer(types: types))
        test.fake.stub(.post, Self.path, body: answer(sound: false))
        #expect(await set("--types", "person", "--json") == .rejected)
        #expect(try test.errorObject()["reason"]?.string == "lost_update")
        test.fake.stub(.post, Self.path, body: answer())
        test.fake.stub(.put, Self.path, body: answer(types: types))
        #expect(await set("--types", "person", "--force") == .done)
    }

    @Test("another's change of something else, after ours, is no loss")
    func otherChange() async throws {
        let types = #"["person"]"#
        test.fake.stub(.post, Self.path, body: answer())
        test.fake.stub(.put, Self.path, body: answer(types: types))
        test.fake.stub(.post, Self.path, body: answer(types: types, sound: false))
        #expect(await set("--types", "person") == .done)
    }

    @Test("show says in words what comes through at noon UTC and when that changes")
    func words() async throws {
        for (body, sentence, changes) in [
            (answer(), "everything comes through now, with sound; there are no quiet hours", nil),
            (
                answer(types: #"["person","animal"]"#, sound: false),
                "person, animal comes through now, without sound; there are no quiet hours", nil
            ),
            (
                answer(quiet: true, start: #""22:00""#, end: #""07:00""#, zone: "Europe/Paris"),
                "everything comes through now, with sound; quiet from 22:00 today (Europe/Paris)",
                "2026-11-21T21:00:00.000000Z"
            ),
            (
                answer(quiet: true, start: #""20:00""#, end: #""09:00""#, zone: "Asia/Tokyo"),
                "nothing comes through now: it is quiet until 09:00 tomorrow (Asia/Tokyo)",
                "2026-11-22T00:00:00.000000Z"
            ),
            (
                answer(cameras: "[]", quiet: true, start: #""20:00""#, end: #""09:00""#),
                "nothing comes through: no camera is chosen", nil
            ),
            (
                answer(types: "[]", quiet: true, start: #""20:00""#, end: #""09:00""#),
                "only events without a detected object come through: no type is chosen", nil
            ),
        ] as [(String, String, String?)] {
            let other = try TestSystem()
            try await other.know()
            other.fake.stub(.post, Self.path, body: body)
            #expect(
                await other.run(
                    "push", "prefs", "show", "--endpoint", Self.endpoint, "--json") == .done)
            #expect(try other.printed()["summary"]?.string == sentence)
            #expect(try other.printed()["changes_at"]?.string == changes)
            #expect(!other.stdout.contains("secret-endpoint"))
        }
    }

    @Test("without a name of this machine's zone, quiet hours need one, before anything is sent")
    func namelessZone() async throws {
        test.environment["TZ"] = "XST-5:30"
        #expect(await set("--quiet-hours", "22:00-07:00") == .usage)
        #expect(test.stderr.contains("--quiet-hours needs --timezone"))
        #expect(
            await test.run("devices", "preferences", "d", "--quiet-hours", "22:00-07:00") == .usage)
        #expect(test.fake.requests.isEmpty)
    }

    @Test("a device of today's server has quiet hours, and nothing else to set")
    func currentDevice() async throws {
        let list = """
            {"devices":[{"id":"row","device_id":"\(PushTests.device)","quiet_hours_enabled":true,
            "quiet_hours_start":"22:00","quiet_hours_end":"07:00","quiet_hours_timezone":"UTC"}]}
            """
        test.fake.stub(.get, Self.devices, body: list)
        test.fake.stub(.post, Self.devicePath, status: 404, body: Self.absent)
        test.fake.stub(.get, Self.devices, body: list)
        #expect(
            await test.run(
                "push", "prefs", "set", "--device", "row", "--sound", "off", "--yes")
                == .unsupported)
        #expect(test.stderr.contains("does not offer sound for a device, only quiet hours"))
        test.fake.stub(.get, Self.devices, body: list)
        test.fake.stub(.post, Self.devicePath, status: 404, body: Self.absent)
        test.fake.stub(.get, Self.devices, body: list)
        test.fake.stub(
            .put, Self.devices + "/\(PushTests.device)/preferences", body: #"{"id":"row"}"#)
        #expect(
            await test.run(
                "push", "prefs", "set", "--device", "row", "--quiet-hours", "off", "--yes") == .done
        )
        #expect(sent(.put) == #"{"quiet_hours_enabled":false}"#)
    }

    @Test("critical alerts come through the quiet hours of a device, and of nothing else")
    func critical() async throws {
        let row = """
            {"id":"row","device_id":"\(PushTests.device)","quiet_hours_enabled":true,
            "quiet_hours_start":"22:00","quiet_hours_end":"07:00",
            "quiet_hours_override_critical":
            """
        let list = #"{"devices":["# + row + "false}]}"
        test.fake.stub(.get, Self.devices, body: list)
        test.fake.stub(.post, Self.devicePath, status: 404, body: Self.absent)
        test.fake.stub(.get, Self.devices, body: list)
        test.fake.stub(
            .put, Self.devices + "/\(PushTests.device)/preferences", body: row + "true}")
        let words = ["push", "prefs", "set", "--critical", "on", "--yes"]
        #expect(await test.run(words + ["--device", "row"]) == .done)
        #expect(sent(.put) == #"{"quiet_hours_override_critical":true}"#)
        #expect(test.stderr.contains("critical alerts: off -> on\n"), "\(test.stderr)")

        test.fake.stub(.post, Self.path, body: answer())
        #expect(await set("--critical", "on") == .unsupported)
        #expect(await test.run(words + ["--receiver", "phone"]) == .usage)
    }

    @Test("a table shows all and none by these words, JSON by null and an empty list")
    func allAndNoneInTables() async throws {
        let words = ["push", "prefs", "--endpoint", Self.endpoint, "--fields", "cameras,types"]
        test.fake.stub(.post, Self.path, body: answer(types: "[]"))
        #expect(await test.run(words) == .done)
        let cells = test.stdout.split(whereSeparator: \.isWhitespace)
        #expect(cells.contains("all") && cells.contains("none") && !cells.contains("-"))
        test.fake.stub(.post, Self.path, body: answer(types: "[]"))
        #expect(await test.run(words + ["--format", "ndjson"]) == .done)
        #expect(test.stdout.hasSuffix("{\"cameras\":null,\"types\":[]}\n"))
    }

    @Test("of several registered devices one is to be named with the option of the command")
    func severalDevices() async throws {
        let other = "550e8400-e29b-41d4-a716-446655440001"
        for id in [PushTests.device, other] {
            test.fake.stub(.get, Self.devices, body: "[]")
            test.fake.stub(.post, PushTests.documented, status: 201, body: "{}")
            #expect(
                await test.run(
                    "push", "register", "--push-token", PushTests.apns, "--platform", "ios",
                    "--device-id", id) == .done)
        }
        #expect(await test.run("push", "prefs") == .usage)
        #expect(test.stderr.hasSuffix("hint: name one with --device\n"))
        #expect(await test.run("push", "unregister") == .usage)
        #expect(test.stderr.hasSuffix("hint: name one with --device-id\n"))
    }

    @Test("what is not registered is status 3, and a foreign one is asked about")
    func foreign() async throws {
        test.fake.stub(.post, Self.path, status: 404, body: #"{"detail":"Subscription not found"}"#)
        #expect(
            await test.run("push", "prefs", "show", "--endpoint", Self.endpoint) == .notFound)
        #expect(
            await test.run("push", "prefs", "set", "--endpoint", Self.endpoint, "--sound", "on")
                == .usage)
        #expect(test.stderr.contains("--yes"))
    }

    @Test(
        "bad words are refused before anything is sent",
        arguments: [
            [], ["--types", "persons"], ["--types", "person,,animal"], ["--types", ""],
            ["--cameras", "a,,b"], ["--cameras", "all,none"], ["--cameras", "door,all"],
            ["--types", "person,all"], ["22:00-07:00", "--quiet-hours", "off"],
            ["--quiet-hours", "22-7"], ["--quiet-hours", "22:00-24:00"],
            ["--quiet-hours", "22:00-22:00"], ["--quiet-hours", "never"], ["--sound", "loud"],
            ["--timezone", "Europe/Nowhere"], ["--timezone", "CET-1CEST"],
            ["--timezone", "../zone"], ["--timezone", ""],
            ["--sound", "on", "--device", "x", "--endpoint", PushTests.endpoint],
        ])
    func bad(words: [String]) async throws {
        #expect(await test.run(["push", "prefs", "set"] + words) == .usage)
        #expect(test.fake.requests.isEmpty)
    }

    @Test(
        "for a machine or endpoint that the server does not know, the message explains how to register"
    )
    func unknownTargets() async throws {
        test.fake.stub(.post, Self.devicePath, status: 404, body: Self.absent)
        test.fake.stub(.get, Self.devices, body: #"{"devices":[]}"#)
        #expect(await test.run("push", "prefs") == .notFound)
        #expect(
            test.stderr == """
                argus: this machine is not registered with 'home'
                hint: register it with 'argus push register', or name another one with --device

                """)
        test.fake.stub(.post, Self.path, status: 404, body: #"{"detail":"Subscription not found"}"#)
        #expect(await set("--sound", "off") == .notFound)
        #expect(
            test.stderr.hasSuffix(
                """
                argus: 'home' has no subscription of https://push.example/…1234
                hint: subscribe it with 'argus push subscribe'

                """))
    }

    @Test("--quiet is the switch of every command, and a usage error names the option for hours")
    func quietSwitch() async throws {
        for words in [
            ["push", "prefs", "set", "--quiet=22:00-07:00"],
            ["push", "prefs", "set", "--quiet", "22:00-07:00"],
            ["push", "prefs", "set", "22:00-07:00", "-q"],
            ["devices", "preferences", "attic", "--quiet", "22:00-07:00"],
            ["devices", "preferences", "attic", "--quiet=off"],
        ] {
            let other = try TestSystem()
            #expect(await other.run(words) == .usage)
            #expect(other.stderr.contains("did you mean '--quiet-hours'?"), "\(other.stderr)")
        }
        test.fake.stub(.post, Self.path, body: answer())
        test.fake.stub(.put, Self.path, body: answer())
        test.fake.stub(.post, Self.path, body: answer())
        #expect(await set("--quiet", "--quiet-hours", "off") == .done)
        #expect(test.stderr == "")
    }

    @Test("the first quiet hours are in this machine's zone, later ones in the zone that was set")
    func firstZone() async throws {
        let hours = (start: #""22:00""#, end: #""07:00""#)
        for (before, words, zone) in [
            (answer(), [], "Europe/Paris"), (answer(), ["--timezone", "Asia/Tokyo"], "Asia/Tokyo"),
            (answer(start: hours.start, end: hours.end), [], "UTC"),
            (answer(zone: "America/New_York"), [], "America/New_York"),
        ] {
            let test = try TestSystem()
            test.environment["TZ"] = "Europe/Paris"
            try await test.know()
            let after = answer(quiet: true, start: hours.start, end: hours.end, zone: zone)
            test.fake.stub(.post, Self.path, body: before)
            test.fake.stub(.put, Self.path, body: after)
            test.fake.stub(.post, Self.path, body: after)
            #expect(
                await test.run(
                    ["push", "prefs", "set", "--endpoint", Self.endpoint, "--yes"]
                        + ["--quiet-hours", "22:00-07:00"] + words) == .done)
            let body = test.fake.requests.last { $0.method == .put }?.body
                .map { String(decoding: $0.bytes, as: UTF8.self) }
            #expect(body?.contains("\"timezone\":\"\(zone)\"") == true, "\(body ?? "")")
            #expect(test.stderr.hasPrefix("quiet hours: off -> 22:00-07:00 \(zone)\n"))
        }
    }

    @Test("times that make no sense, which servers keep while quiet hours are off, are shown")
    func impossibleTimes() async throws {
        for isQuiet in [false, true] {
            let other = try TestSystem()
            try await other.know()
            other.fake.stub(
                .post, Self.path,
                body: answer(quiet: isQuiet, start: #""99:99""#, end: #""7:00""#, zone: "Nowhere"))
            let words = ["push", "prefs", "--endpoint", Self.endpoint, "--format", "ndjson"]
            #expect(await other.run(words) == .done)
            #expect(other.stdout.contains(#""quiet_hours_start":"99:99""#))
            #expect(other.stdout.contains(#""quiet_now":false,"changes_at":null"#))
        }
    }
}
