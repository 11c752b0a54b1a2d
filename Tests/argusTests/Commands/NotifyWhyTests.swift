import ArgusPush
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("argus notify why")
struct NotifyWhyTests {
    private let test: TestSystem
    private static let event = """
        {"id":"8f85eda1-0000-4000-8000-000000000001","camera_id":"c1","camera_name":"Door",\
        "timestamp":"2026-11-21T11:59:00Z","smart_detection_type":"person"}
        """
    private static let devices = """
        [{"id":"r1","device_id":"hw1","name":"Ann's phone","push_token":"t",\
        "quiet_hours_enabled":true,"quiet_hours_start":"11:00","quiet_hours_end":"13:00",\
        "quiet_hours_timezone":"UTC"},{"id":"r2","device_id":"hw2","name":"tablet"}]
        """

    /// A key of nobody's, as Apple gives them out.
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFrFEZGedWGrIzrHr
        fWQs199IT/tKGDd4OOHXBWMaJbGhRANCAARStZVRCpGtlrtKmkTJer3hpYG/XtF2
        u06qMLpGdK3Q/bO+InZykHIBSfFQv1UUtCBBNAaWTQh6HYLkcJrVif9G
        -----END PRIVATE KEY-----

        """

    init() async throws {
        test = try TestSystem()
        try await test.know()
        test.environment["APNS_KEY_FILE"] = try test.folder.plant(Self.key, "key.p8")
        test.environment["APNS_KEY_ID"] = "ABCDE12345"
        test.environment["APNS_TEAM_ID"] = "TEAM123456"
    }

    @Test("without the key of a service nothing would be delivered by it")
    func withoutKey() async throws {
        try await add("good", "a")
        try await add("quiet", "b", "--quiet-hours", "00:00-23:59")
        test.environment["APNS_KEY_FILE"] = nil
        test.fake.stub(.get, "/api/v1/devices", body: "[]")
        #expect(await explain("--type", "person") == .done)
        let fault = "push.apns_key_file is not set, which APNs needs"
        #expect(
            test.stdout.hasPrefix(
                "good,predicted,failed,no_key,,,\"could not be delivered: \(fault)\"\n"
                    + "quiet,predicted,skipped,quiet_hours,"), "\(test.stdout)")
    }

    private func add(_ name: String, _ letter: String, _ words: String...) async throws {
        let other = try TestSystem(state: test.folder.file("state"))
        let token = String(repeating: letter, count: 64)
        let add = ["notify", "receivers", "add", "--apns-token", token, "--device-name", name]
        #expect(await other.run(add) == .done)
        let set = ["push", "prefs", "set", "--receiver", name] + words
        #expect(words.isEmpty ? true : await other.run(set) == .done)
    }

    private func explain(_ words: String...) async -> ExitKind {
        await test.run(
            ["notify", "why"] + words + [
                "--format", "csv", "--no-header", "--fields",
                "device_name,source,outcome,reason,value,passes_at,explanation",
            ])
    }

    @Test("without a run the preferences of today are applied to the event")
    func predicted() async throws {
        try await add("good", "a")
        try await add("quiet", "b", "--quiet-hours", "11:30-12:30")
        try await add("types", "c", "--types", "package,animal")
        try await add("silent", "d", "--sound", "off")
        test.fake.stub(
            .get, "/api/v1/events/8f85eda1-0000-4000-8000-000000000001", body: Self.event)
        test.fake.stub(.get, "/api/v1/devices", body: Self.devices)
        #expect(await explain("8f85eda1-0000-4000-8000-000000000001") == .done)
        let expected = """
            good,predicted,sent,,,,"would be delivered, but no 'notify run' has had it"
            quiet,predicted,skipped,quiet_hours,11:30-12:30 UTC,2026-11-21T12:30:00.000000Z,\
            "it was quiet: 11:30-12:30 UTC, until 2026-11-21 12:30; no 'notify run' has had it"
            types,predicted,skipped,type,"package, animal",,\
            "its types are package, animal; no 'notify run' has had it"
            silent,predicted,silent,,,,\
            "would be delivered without sound, but no 'notify run' has had it"
            Ann's phone,server,skipped,quiet_hours,11:00-13:00 UTC,2026-11-21T13:00:00.000000Z,\
            "it was quiet: 11:00-13:00 UTC, until 2026-11-21 13:00; \
            today's server sends pushes only for a VIP"
            tablet,server,skipped,server_silent,,,today's server sends pushes only for a VIP

            """
        #expect(test.stdout == expected)
    }

    @Test("cameras are named in words, and their ids stay a value")
    func cameraNames() async throws {
        let cameras = #"[{"id":"c1","name":"Door"},{"id":"c2","name":"Yard"}]"#
        try await add("yard", "a")
        let other = try TestSystem(state: test.folder.file("state"))
        other.fake.stub(.get, "/api/v1/cameras", body: cameras)
        #expect(
            await other.run("push", "prefs", "set", "--receiver", "yard", "--cameras", "Yard")
                == .done
        )
        #expect(
            other.stderr == """
                cameras: all -> Yard
                everything from Yard comes through now, with sound; there are no quiet hours

                """)
        // They were seen, so no server is needed.
        let shown = try TestSystem(state: test.folder.file("state"))
        #expect(
            await shown.run(
                "push", "prefs", "--receiver", "yard", "--format", "ndjson", "--fields",
                "cameras,camera_names") == .done)
        #expect(shown.stdout == "{\"cameras\":[\"c2\"],\"camera_names\":[\"Yard\"]}\n")
        test.fake.stub(.get, "/api/v1/cameras", body: cameras)
        test.fake.stub(.get, "/api/v1/cameras", body: cameras)
        #expect(await explain("--camera", "Door", "--receiver", "yard") == .done)
        #expect(
            test.stdout == "yard,predicted,skipped,camera,c2,,its cameras are Yard\n")
    }

    @Test("an event that might happen, for one receiver")
    func described() async throws {
        try await add("quiet", "b", "--quiet-hours", "22:00-07:00")
        #expect(
            await explain("--type", "person", "--at", "2026-11-21T23:30", "--receiver", "quiet")
                == .done)
        #expect(
            test.stdout.hasSuffix(
                ",\"it will be quiet: 22:00-07:00 UTC, until 2026-11-22 07:00\"\n"))
        #expect(
            await explain("--type", "person", "--at", "2026-11-20T23:30", "--receiver", "quiet")
                == .done)
        #expect(
            test.stdout.hasSuffix(
                ",\"it was quiet: 22:00-07:00 UTC, until 2026-11-21 07:00\"\n"))
        #expect(
            await explain("--type", "person", "--at", "2026-11-21T20:00", "--receiver", "quiet")
                == .done)
        #expect(test.stdout.hasSuffix(",would be delivered\n"))
    }

    @Test("what is recorded comes first")
    func recorded() async throws {
        try await add("good", "a")
        let log = DeliveryLog(test.folder.file("state/push"))
        let store = try test.tokens()
        let token = try #require(try await store.load().tokens.first)
        let id = "8f85eda1-0000-4000-8000-000000000001"
        try log.append(
            DeliveryRecord(id, token, .skipped, "too_old", at: TestSystem.now))
        test.fake.stub(.get, "/api/v1/events/\(id)", body: Self.event)
        #expect(await explain(id, "--receiver", "good") == .done)
        #expect(
            test.stdout
                == "good,recorded,skipped,too_old,,,the event was too old when it became known\n")
    }

    @Test("records explain an event that the server no longer has, and without its devices")
    func recordsAlone() async throws {
        try await add("good", "a")
        let log = DeliveryLog(test.folder.file("state/push"))
        let token = try #require(try await test.tokens().load().tokens.first)
        let id = "8f85eda1-0000-4000-8000-000000000001"
        try log.append(DeliveryRecord(id, token, .sent, at: TestSystem.now))
        test.fake.stub(.get, "/api/v1/events/\(id)", status: 404)
        test.fake.stub(.get, "/api/v1/devices", status: 403)
        #expect(await explain(id) == .done)
        #expect(test.stdout.hasPrefix("good,recorded,sent,"), "\(test.stdout)")
        #expect(test.stdout.split(separator: "\n").count == 1)
        #expect(test.stderr.contains("the server no longer has the event"))
        #expect(test.stderr.contains("the server's own devices are left out: "))
    }

    @Test("an event is needed, and it is named or described")
    func usage() async throws {
        for words in [
            [], ["latest", "--type", "person"], ["latest", "--device", "a", "--receiver", "b"],
        ] { #expect(await test.run(["notify", "why"] + words) == .usage) }
    }
}

extension TestSystem {
    /// The registry of this world.
    fileprivate func tokens() throws -> ReceiverStore {
        try Context(globals: GlobalOptions(), system: system).receivers()
    }
}
