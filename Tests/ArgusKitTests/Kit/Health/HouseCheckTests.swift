import ArgusCore
import ArgusTestSupport
import Testing

@testable import ArgusEvents
@testable import ArgusKit
@testable import ArgusTransport

/// The judgements, each from readings made by hand.
@Suite("the checks of a house")
struct HouseCheckTests {
    private static let now = ManualClock.origin
    private static let broken = APIError(.serverError, "boom", status: 500)

    private func readings(_ change: (inout HouseReadings) -> Void = { _ in }) -> HouseReadings {
        var readings = HouseReadings(now: Self.now, zone: .utc)
        readings.cameras = .success([])
        change(&readings)
        return readings
    }

    /// The results of one check.
    private func judge(
        _ name: CheckName, _ scope: CheckScope = CheckScope(),
        _ change: (inout HouseReadings) -> Void
    ) -> [CheckResult] {
        readings(change).results(of: HouseCheck.all.filter { $0.name == name }, scope)
    }

    /// The results of one check as `state subject: detail`.
    private func lines(
        _ name: CheckName, _ scope: CheckScope = CheckScope(),
        _ change: (inout HouseReadings) -> Void
    ) -> [String] {
        judge(name, scope, change).map {
            "\($0.state.rawValue) \($0.subject.map { "\($0): " } ?? "")\($0.detail)"
        }
    }

    private func camera(_ json: String) throws -> Camera {
        try #require(Camera(try JSONView.parse(Array(json.utf8))))
    }

    private func pipeline(_ json: String) throws -> ServerPipeline {
        ServerPipeline(try JSONView.parse(Array(json.utf8)))
    }

    private func metrics(_ line: String) throws -> ServerMetrics {
        try #require(ServerMetrics(Array("# TYPE x gauge\n\(line)\n".utf8)))
    }

    @Test("there is one check of each name, with its inputs")
    func table() {
        #expect(HouseCheck.all.map(\.name) == CheckName.allCases)
        for check in HouseCheck.all { #expect(!check.inputs.isEmpty, "\(check.name)") }
    }

    @Test("the worst comes first, those alike in the order of the checks")
    func order() {
        let results = [
            CheckResult(.ok, .server, nil, ""), CheckResult(.unknown, .disk, nil, ""),
            CheckResult(.fail, .push, "b", ""), CheckResult(.fail, .camera, "z", ""),
            CheckResult(.fail, .camera, "a", ""), CheckResult(.warn, .rules, nil, ""),
        ]
        #expect(
            results.worstFirst.map(\.name) == [
                "camera z", "camera a", "push b", "rules", "disk", "server",
            ])
    }

    @Test("a server that answers is one, and one that answers nothing has only what is here")
    func outage() throws {
        let server = lines(.server) { readings in
            readings.address = "http://home:8000"
            readings.latency = .milliseconds(34)
        }
        #expect(server == ["ok answers at http://home:8000 after 34 ms"])
        let down = APIError(transport: TransportError(.timedOut(.total), "no answer"))
        let dead = readings { readings in
            readings.cameras = .failure(down)
            readings.health = .failure(down)
            readings.local.signIn = .lasting("works")
            readings.local.archive = .init(last: nil)
        }
        #expect(dead.outage != nil)
        #expect(dead.results(of: HouseCheck.all, CheckScope()).map(\.name) == ["archive"])
        let report = try health("null")
        let half = readings { readings in
            readings.cameras = .failure(down)
            readings.health = .success(report)
        }
        #expect(half.outage == nil && half.refusal == nil)
        let odd = readings { readings in
            readings.cameras = nil
            readings.metrics = .failure(APIError(.malformedAnswer, "a page"))
        }
        #expect(odd.outage == nil, "the server answered")
        #expect(readings().outage == nil)
        #expect(readings { $0.cameras = nil }.outage == nil)
    }

    @Test("a sign-in lasts, ends soon, or is refused, which never seems well")
    func signIn() throws {
        #expect(lines(.signIn) { _ in } == [])
        #expect(lines(.signIn) { $0.local.signIn = .lasting("from a key") } == ["ok from a key"])
        let ending = judge(.signIn) {
            $0.local.signIn = .ending("ends", near: true, renewal: "run 'argus login'")
        }
        #expect(ending.map(\.state) == [.warn] && ending[0].hint == "run 'argus login'")
        let far = judge(.signIn) { $0.local.signIn = .ending("ends", near: false, renewal: "x") }
        #expect(far.map(\.state) == [.ok] && far[0].hint == nil)
        let report = try health("null")
        for kind in [APIError.Kind.unauthorized, .forbidden, .renewalBroken, .storeFailed] {
            let refused = readings { readings in
                readings.cameras = .failure(APIError(kind))
                readings.health = .success(report)
                readings.local.signIn = .lasting("from a key")
            }
            #expect(refused.outage == nil && refused.refusal != nil)
            let results = refused.results(of: HouseCheck.all, CheckScope())
            #expect(!results.contains { $0.check == .signIn })
            #expect(results.contains { $0.check == .camera && $0.state == .unknown })
        }
        // A list for administrators only says nothing about the sign-in.
        #expect(readings { $0.rules = .failure(APIError(.forbidden)) }.refusal == nil)
    }

    @Test("cameras are online, offline, disabled, not captured, or unknown")
    func cameras() throws {
        let all = try [
            #"{"id":"1","name":"On","is_enabled":true,"worker_status":"connected"}"#,
            #"{"id":"2","name":"Off","is_enabled":true,"worker_status":"reconnecting"}"#,
            #"{"id":"3","name":"Asleep","is_enabled":false,"worker_status":"disabled"}"#,
            #"{"id":"4","name":"Back Yard","is_enabled":true,"capture_disabled":true}"#,
            #"{"id":"5"}"#, #"{"id":"6","name":"Healthy"}"#,
        ].map(camera)
        let health = try JSONView.parse(
            Array(
                #"""
                {"2":{"status":"reconnecting","error":"refused",
                  "last_frame_time":"2026-11-21T11:00:00+00:00"},
                 "6":{"status":"connected"}}
                """#.utf8))
        var capture: [String: CameraHealth] = [:]
        health.forEachMember { capture[$0.text] = CameraHealth($1) }
        let results = judge(.camera) { readings in
            readings.cameras = .success(all)
            readings.capture = .success(capture)
        }
        let states = results.map { "\($0.state.rawValue) \($0.subject ?? "")" }
        #expect(
            states == [
                "fail Off", "warn Back Yard", "unknown 5", "ok On", "ok Asleep", "ok Healthy",
            ])
        #expect(results[0].detail.hasPrefix("offline: refused; its last picture came "))
        #expect(results[0].since == Self.now - .seconds(3600))
        #expect(results[1].hint == #"run 'argus cameras enable "Back Yard" --capture'"#)
        var scope = CheckScope()
        scope.cameras = ["1"]
        #expect(lines(.camera, scope) { $0.cameras = .success(all) } == ["ok On: online"])
    }

    @Test("a house without cameras, and a list that fails, are unknown")
    func noCameras() throws {
        let report = try health("null")
        func failed(_ error: APIError) -> [String] {
            lines(.camera) { readings in
                readings.cameras = .failure(error)
                readings.health = .success(report)
            }
        }
        #expect(lines(.camera) { _ in } == ["unknown the server has no cameras"])
        #expect(
            lines(.camera) { $0.unreadableCameras = 2 } == [
                "fail the server lists 2 cameras that argus cannot read, and so cannot check"
            ])
        #expect(failed(Self.broken) == ["unknown boom"])
        #expect(failed(APIError(.serverError)) == ["unknown the server did not say"])
        for name in [CheckName.silence, .picture] {
            let failed = lines(name) { readings in
                readings.cameras = .failure(Self.broken)
                readings.newest = .success([])
            }
            #expect(failed == ["unknown boom"], "\(name)")
        }
        #expect(lines(.silence) { $0.newest = .failure(Self.broken) } == ["unknown boom"])
    }

    @Test("a quiet time that was asked for counts in place of what was learnt")
    func quiet() throws {
        let porch = try camera(#"{"id":"1","name":"Porch"}"#)
        var scope = CheckScope()
        scope.quiet = .seconds(3600)
        func quiet(after seconds: Int64?) -> [String] {
            lines(.silence, scope) { readings in
                readings.cameras = .success([porch])
                readings.newest = .success([])
                let events = seconds.map {
                    [Event(id: "1", cameraID: "1", timestamp: Self.now - .seconds($0))]
                }
                readings.activity.add(events ?? [], until: Self.now, in: .utc)
            }
        }
        #expect(quiet(after: 3600) == ["ok Porch: last event 11:00"])
        #expect(
            quiet(after: 3601) == ["fail Porch: no event since 10:59, for longer than 1 h"])
        #expect(quiet(after: nil) == ["fail Porch: no event in four weeks"])
    }

    @Test("a camera that always had events and has none fails; all of them are one finding")
    func silence() throws {
        let all = try ["Porch", "Garage"].map { try camera(#"{"id":"\#($0)","name":"\#($0)"}"#) }
        func silence(quietHours: [String: Int]) -> [CheckResult] {
            judge(.silence) { readings in
                readings.cameras = .success(all)
                readings.newest = .success([])
                var events: [Event] = []
                for hour in 0..<24 * 20 {
                    for (id, quiet) in quietHours where hour >= quiet {
                        let time = Self.now - .seconds(Int64(hour) * 3600 + 60)
                        events.append(Event(id: "\(hour)", cameraID: id, timestamp: time))
                    }
                }
                readings.activity.add(events, until: Self.now, in: .utc)
            }
        }
        #expect(silence(quietHours: ["Porch": 0, "Garage": 0]).map(\.state) == [.ok, .ok])
        let one = silence(quietHours: ["Porch": 0, "Garage": 9])
        #expect(one.map(\.state) == [.fail, .ok] && one[0].subject == "Garage")
        #expect(one[0].detail.hasPrefix("no event since 02:59; in 20 days never quiet"))
        let both = silence(quietHours: ["Porch": 9, "Garage": 9])
        #expect(both.count == 1 && both[0].isOfSeveral && both[0].subject == nil)
        #expect(both[0].detail.hasPrefix("all 2 cameras silent since 02:59: power, network"))
        let new = silence(quietHours: ["Porch": 0])
        #expect(new.map(\.state) == [.unknown, .ok])
        #expect(new[0].detail.hasPrefix("no event in four weeks"))
    }

    @Test("pictures are stuck, black, of one colour, absent, unknown or good")
    func pictures() throws {
        let porch = try camera(#"{"id":"1","name":"Porch"}"#)
        func picture(
            since seconds: Int64 = 0, _ brightness: ClosedRange<Int>?, _ reason: String? = nil
        ) -> [String] {
            lines(.picture) { readings in
                readings.cameras = .success([porch])
                readings.pictures["1"] = .success(
                    PictureReading(
                        sha256: "9f", since: Self.now - .seconds(seconds), brightness: brightness,
                        reason: reason))
            }
        }
        #expect(picture(20...200) == ["ok Porch: changes, and shows something"])
        #expect(picture(since: 599, 20...200) == ["ok Porch: changes, and shows something"])
        #expect(
            picture(since: 600, 20...200) == ["fail Porch: exactly the same picture since 11:50"])
        #expect(picture(since: 600, nil).first?.hasPrefix("fail") == true)
        #expect(picture(0...7) == ["fail Porch: black"])
        #expect(picture(0...8) == ["ok Porch: changes, and shows something"])
        #expect(picture(100...105) == ["fail Porch: of one colour"])
        #expect(picture(nil, "no library") == ["unknown Porch: no library"])
        let none = lines(.picture) { readings in
            readings.cameras = .success([porch])
            readings.pictures["1"] = .failure(Self.broken)
        }
        #expect(none == ["fail Porch: no picture: boom"])
        #expect(lines(.picture) { $0.cameras = .success([porch]) } == [], "not taken")
    }

    @Test(
        "descriptions are there, fail at times, fail, or are paused",
        arguments: [
            (0, nil, "ok the last 20 events have one"), (3, nil, "ok 3 of the last 20 events"),
            (4, nil, "warn 4 of the last 20 events"), (9, nil, "warn 9 of the last 20 events"),
            (10, nil, "fail 10 of the last 20 events"),
            (10, "cost_cap_daily", "fail paused by the server since 11:59: cost cap daily"),
            (3, "cost_cap_daily", "ok 3 of the last 20 events"),
        ] as [(Int, String?, String)])
    func descriptions(_ failed: Int, _ pause: String?, _ line: String) throws {
        let results = lines(.descriptions) { readings in
            readings.newest = .success(
                (0..<30).map { number in
                    let isLost = number < failed || number >= 20
                    return Event(
                        id: "\(number)", timestamp: Self.now - .seconds(number),
                        description: isLost ? "AI analysis unavailable" : "A fox")
                })
            readings.pause = pause
        }
        #expect(results.count == 1 && results[0].hasPrefix(line), "\(results)")
    }

    @Test("a server that no longer asks its AI says so; few events, or none, are judged too")
    func breaker() throws {
        let open = try metrics("ai_circuit_breaker_state{provider=\"a\"} 1.0")
        let results = lines(.descriptions) { readings in
            readings.newest = .success([Event(id: "1")])
            readings.metrics = .success(open)
        }
        #expect(
            results == ["fail 1 of the last 1 events have none; the server's AI is switched off"])
        #expect(lines(.descriptions) { $0.newest = .success([]) } == [])
        #expect(lines(.descriptions) { $0.newest = .failure(Self.broken) } == ["unknown boom"])
    }

    @Test(
        "texts of the server in place of a description are none",
        arguments: [
            (nil, true), ("", true), ("AI analysis unavailable", true),
            ("AI analysis paused - cost cap daily", true), ("A person at the door", false),
            ("[AI description pending - retry 1]", true), ("No AI analysis unavailable", false),
        ] as [(String?, Bool)])
    func lacksDescription(_ text: String?, _ lacks: Bool) {
        #expect(Event(id: "1", description: text).lacksDescription == lacks)
    }

    @Test(
        "the queue has room, is nearly full, or drops events",
        arguments: [
            ("0.0", CheckResult.State.ok), ("39", .ok), ("40", .warn), ("49", .warn), ("50", .fail),
            ("1e300", .fail), ("null", .unknown),
        ])
    func queue(_ depth: String, _ state: CheckResult.State) throws {
        let report = try pipeline(#"{"queue_depth":\#(depth)}"#)
        #expect(judge(.queue) { $0.pipeline = .success(report) }.map(\.state) == [state])
    }

    @Test(
        "a disk has room or is full",
        arguments: [
            ("23.8", nil, CheckResult.State.ok), ("89.99", nil, .ok), ("90", nil, .fail),
            ("50", 50, .fail), ("50", 51, .ok), ("99", 100, .ok), ("NaN", nil, .unknown),
        ] as [(String, Double?, CheckResult.State)])
    func disk(_ used: String, _ limit: Double?, _ state: CheckResult.State) throws {
        let numbers = try metrics("system_disk_usage_percent{path=\"/\"} \(used)")
        var scope = CheckScope()
        scope.disk = limit ?? scope.disk
        #expect(judge(.disk, scope) { $0.metrics = .success(numbers) }.map(\.state) == [state])
    }

    @Test("without these routes there is no row; if they fail, it is unknown")
    func routes() {
        for name in [CheckName.queue, .disk, .protect, .clock, .rules, .certificate] {
            #expect(lines(name) { _ in } == [], "\(name)")
            let failed = lines(name) { readings in
                readings.pipeline = .failure(Self.broken)
                readings.metrics = .failure(Self.broken)
                readings.health = .failure(Self.broken)
                readings.rules = .failure(Self.broken)
                readings.certificate = .failure(Self.broken)
            }
            #expect(failed == ["unknown boom"], "\(name)")
        }
    }

    private func health(_ protect: String, date: Timestamp? = nil) throws -> ServerHealth {
        ServerHealth(try JSONView.parse(Array(#"{"protect_ws":\#(protect)}"#.utf8)), date: date)
    }

    @Test(
        "a Protect controller is connected, lost, silent or absent",
        arguments: [
            (
                #"{"controller_name":"UDM","state":"connected","last_message_age_seconds":300.0}"#,
                "ok UDM: connected, last message 5 min ago"
            ),
            (
                #"{"controller_name":"UDM","state":"connected","last_message_age_seconds":301}"#,
                "fail UDM: connected, last message 5 min 1 s ago"
            ),
            (
                #"{"controller_name":"UDM","state":"disconnected","last_message_age_seconds":1}"#,
                "fail UDM: disconnected, last message 1 s ago"
            ),
            (
                #"{"controller_name":"UDM","state":"connected","last_message_age_seconds":null}"#,
                "fail UDM: connected, no message yet"
            ),
            (
                #"{"controller_name":"UDM","state":"connected","last_message_age_seconds":1e400}"#,
                "fail UDM: connected, "
            ),
            (
                #"{"controller_name":"UDM","last_message_age_seconds":-9e99}"#,
                "fail UDM: no connection, last message 0 s ago"
            ),
            (#"{"controller_name":null,"state":"disconnected"}"#, nil), ("[]", nil), ("null", nil),
        ] as [(String, String?)])
    func protect(_ json: String, _ line: String?) throws {
        let report = try health(json)
        let found = lines(.protect) { $0.health = .success(report) }
        #expect(found.count == (line == nil ? 0 : 1))
        #expect(found.first?.hasPrefix(line ?? "") != false, "\(found)")
    }

    @Test("cameras of Protect are known by its controller, and need one")
    func protectCameras() throws {
        let all = try [
            #"{"id":"1","name":"Drive","is_enabled":true,"source_type":"protect"}"#,
            #"{"id":"2","name":"Porch","is_enabled":true,"source_type":"rtsp"}"#,
        ].map(camera)
        let states = try pipeline(#"{"cameras":{"2":{"status":"connected"}}}"#).cameras
        func found(_ protect: String) throws -> [String] {
            let report = try health(protect)
            return [.protect, .camera].flatMap { name in
                lines(name) { readings in
                    readings.cameras = .success(all)
                    readings.health = .success(report)
                    readings.take(.success(states))
                }
            }
        }
        #expect(
            try found(#"{"controller_name":null,"state":"disconnected"}"#) == [
                "fail no connection since the server was started",
                "unknown Drive: known only while its Protect controller is connected",
                "ok Porch: online",
            ])
        let live = #"{"state":"connected","last_message_age_seconds":2}"#
        #expect(
            try found(live) == [
                "ok connected, last message 2 s ago",
                "ok Drive: its Protect controller is connected", "ok Porch: online",
            ])
    }

    @Test("a camera that the server does not capture is not silent, offline or without a picture")
    func captureDisabled() throws {
        let garage = try camera(#"{"id":"1","name":"Garage","is_enabled":true}"#)
        let states = try pipeline(#"{"cameras":{"1":{"status":"disabled"}}}"#).cameras
        func found(_ name: CheckName) -> [String] {
            judge(name) { readings in
                readings.cameras = .success([garage])
                readings.newest = .success([])
                readings.take(.success(states))
            }.map { "\($0.state.rawValue) \($0.name)" }
        }
        #expect(found(.camera) == ["warn camera Garage"])
        #expect(found(.silence) == [])
    }

    @Test(
        "clocks are in step within 5 s, at the time at which the answer came",
        arguments: [(0, true), (4, true), (-4, true), (7, false), (-7, false)])
    func clock(_ seconds: Int64, _ isClose: Bool) throws {
        let report = try health("null", date: Self.now + .seconds(seconds))
        func results(late delay: Int64) -> [CheckResult] {
            judge(.clock) { readings in
                readings.health = .success(report)
                readings.reportTime = Self.now
                // Other answers took longer.
                readings.localTime = Self.now + .seconds(delay)
            }
        }
        for delay in [0, 60] as [Int64] {
            #expect(results(late: delay).map(\.state) == [isClose ? .ok : .fail])
        }
        let undated = try health("null")
        #expect(lines(.clock) { $0.health = .success(undated) } == [])
    }

    @Test("a certificate is valid for long, for less than two weeks, or no more")
    func certificate() throws {
        let presented = try #require(PeerCertificate(pem: Samples.certificate))
        let end = try #require(presented.endsAt)
        for (left, state) in [
            (14 * 86400, CheckResult.State.ok), (14 * 86400 - 1, .warn), (1, .warn), (0, .fail),
            (-86400, .fail),
        ] {
            let results = judge(.certificate) { readings in
                readings.certificate = .success(presented)
                readings.localTime = end - .seconds(left)
            }
            #expect(results.map(\.state) == [state], "\(left)")
            #expect(results[0].value == Double(left))
        }
    }

    @Test("rules that are never applied are worth a warning")
    func rules() {
        #expect(lines(.rules) { $0.rules = .success(0) } == [])
        #expect(
            lines(.rules) { $0.rules = .success(1) }[0].hasPrefix("warn 1 rule is enabled, but"))
        #expect(lines(.rules) { $0.rules = .success(2) }[0].hasPrefix("warn 2 rules are enabled"))
    }

    @Test("watches, the archive and receivers of this machine")
    func local() {
        #expect(lines(.watches) { _ in } + lines(.archive) { _ in } + lines(.push) { _ in } == [])
        let watches = lines(.watches) { readings in
            readings.local.watches = [
                .init(name: "a", isRunning: true, lastPass: nil, setAside: 0),
                .init(name: "b", isRunning: false, lastPass: nil, setAside: 0),
                .init(name: "c", isRunning: false, lastPass: Self.now - .seconds(60), setAside: 0),
                .init(name: "d", isRunning: true, lastPass: nil, setAside: 1),
            ]
            readings.local.unreadable = [(.watches, "e", "damaged"), (.push, nil, "denied")]
        }
        #expect(
            watches == [
                "fail b: no process watches with it any more",
                "fail c: no process watches with it since 11:59",
                "fail d: 1 event set aside: the command failed too often", "unknown e: damaged",
                "ok a: runs",
            ])
        for (last, line) in [
            (Self.now - .seconds(60), "ok last sync 11:59"),
            (Self.now - .seconds(3 * 86400), "fail last sync"), (nil, "fail never synced"),
        ] as [(Timestamp?, String)] {
            let found = lines(.archive) { $0.local.archive = .init(last: last) }
            #expect(found.count == 1 && found[0].hasPrefix(line), "\(found)")
        }
        #expect(
            lines(.archive) { $0.local.unreadable = [(.archive, nil, "locked")] } == [
                "unknown locked"
            ])
        let receivers = lines(.push) { readings in
            readings.local.receivers = [
                .init(name: "phone", inactiveSince: nil, failures: 0, reason: nil),
                .init(name: "pad", inactiveSince: nil, failures: 1, reason: "Throttled"),
                .init(name: "old", inactiveSince: Self.now, failures: 3, reason: "Unregistered"),
            ]
        }
        #expect(
            receivers == [
                "fail old: inactive since 12:00: Unregistered",
                "warn pad: the last push failed: Throttled", "ok phone: active",
            ])
    }
}
