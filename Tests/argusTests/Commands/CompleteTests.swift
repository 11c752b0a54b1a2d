import ArgusTestSupport
import ArgusTransport
import Glibc
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusKit

@Suite("What TAB offers")
struct CompleteTests {
    private let test: TestSystem

    init() throws {
        test = try TestSystem()
    }

    /// The candidates for the last word, with their descriptions.
    private func offers(_ words: String...) async throws -> [String] { try await offers(words) }

    private func offers(_ words: [String]) async throws -> [String] {
        let before = test.stdout.count
        #expect(await test.run(["__complete", "--"] + words) == .done)
        return test.stdout.dropFirst(before).split(separator: "\n").dropFirst().map(String.init)
    }

    @Test("the value of a setting: its words, what is set now and the default")
    func values() async throws {
        try test.folder.plant(
            "color = 'never'\ntimeout = '5m'\nalias.porch = \"cameras show 'Front Door'\"\n",
            "config.toml", mode: 0o644)
        #expect(
            try await offers("config", "set", "format", "")
                == ["table\tdefault", "json", "ndjson", "csv", "tsv"])
        #expect(
            try await offers("config", "set", "color", "")
                == ["auto\tdefault", "always", "never\tset now"])
        #expect(try await offers("config", "set", "utc", "t") == ["true"])
        #expect(
            try await offers("config", "set", "timeout", "") == ["5m\tset now", "30s\tdefault"])
        #expect(try await offers("config", "set", "retries", "") == ["2\tdefault"])
        #expect(
            try await offers("config", "set", "alias.porch", "") == ["cameras show 'Front Door'"])
        for key in ["relay_url", "alias.none", "colour", "", "trace"] {
            #expect(try await offers("config", "set", key, "") == [], "\(key)")
        }
    }

    @Test("a file with mistakes, or none that can be read, still has values to offer")
    func brokenConfiguration() async throws {
        try test.folder.plant("colour = 1\ncolor = 'always'\n", "config.toml", mode: 0o644)
        #expect(
            try await offers("config", "set", "color", "a") == ["auto\tdefault", "always\tset now"])
        try test.folder.plant("= broken", "config.toml", mode: 0o644)
        #expect(try await offers("config", "set", "utc", "") == ["true", "false\tdefault"])
    }

    @Test("servers by name, stores with the helpers in PATH that have a possible name")
    func serversAndStores() async throws {
        try await test.know("cottage", at: "https://c.example")
        #expect(
            try await offers("config", "set", "server", "") == ["cottage\thttps://c.example"])
        let folder = test.folder.file("bin")
        mkdir(folder, 0o700)
        for (name, mode) in [
            ("argus-credential-vault", 0o700), ("argus-credential-plain", 0o600),
            ("argus-credential-Bad name", 0o700), ("argus-credential-", 0o700), ("argus-x", 0o700),
        ] as [(String, mode_t)] {
            try test.folder.plant("#!/bin/sh\n", "bin/" + name, mode: mode)
        }
        test.environment["PATH"] = "relative::\(folder):/nonexistent"
        let stores = ["file", "secret-service", "helper:vault"]
        #expect(try await offers("server", "set", "cottage", "--store", "") == stores)
        #expect(try await offers("config", "set", "credential_store", "") == stores)
        #expect(
            try await offers("server", "set", "cottage", "--store", "helper:v") == ["helper:vault"])
    }

    @Test("cameras of a list one by one, and all or none alone")
    func cameraChoice() async throws {
        let record = try await test.know()
        let cameras = try [("Front Door", "c1"), ("Garage, left", "c2"), ("all", "c3")].map {
            let row = #"{"id":"\#($0.1)","name":"\#($0.0)"}"#
            return try #require(Camera(try JSONView.parse(Array(row.utf8))))
        }
        CompletionCache(test.paths.cache, server: record.id)?.remember(cameras: cameras)
        #expect(
            try await offers("push", "prefs", "set", "--cameras", "")
                == ["all", "none", "Front Door\tc1", "c2\tGarage, left", "c3\tall"])
        #expect(
            try await offers("push", "prefs", "set", "--cameras", "front door,")
                == ["front door,c2\tGarage, left", "front door,c3\tall"])
        #expect(
            try await offers("push", "prefs", "set", "--cameras", "c1,C2,") == ["c1,C2,c3\tall"])
        #expect(
            try await offers("push", "prefs", "set", "--cameras", "c2,fr") == ["c2,Front Door\tc1"])
        #expect(try await offers("push", "prefs", "set", "--cameras", "c2,n") == [])
        #expect(
            try await offers("events", "--camera", "")
                == ["Front Door\tc1", "Garage, left\tc2", "all\tc3"])
        #expect(try await offers("events", "--camera", "garage, l") == ["Garage, left\tc2"])
        #expect(
            try await offers("events", "--camera", "Front Door,")
                == ["Front Door,Garage, left\tc2", "Front Door,all\tc3"])
    }

    @Test("--server takes one server, all of them, or a list one by one")
    func serverChoice() async throws {
        try await test.know("home")
        #expect(try await offers("cameras", "-s", "") == ["home\thttps://home.example"])
        try await test.know("cabin", at: "https://cabin.example")
        #expect(
            try await offers("cameras", "-s", "").suffix(2)
                == ["cabin\thttps://cabin.example", "all\tevery server, for lists"])
        #expect(
            try await offers("cameras", "-s", "home,") == ["home,cabin\thttps://cabin.example"])
        #expect(try await offers("server", "use", "a") == [])
    }

    @Test("routes that take the method before them, and none after what is no method")
    func routes() async throws {
        let record = try await test.know()
        CompletionCache(test.paths.cache, server: record.id)?.remember(routes: [
            .init(method: "GET", path: "/api/v1/events"),
            .init(method: "POST", path: "/api/v1/events"),
            .init(method: "GET", path: "/api/v1/logs"),
            .init(method: "DELETE", path: "/api/v1/events/{event_id}"),
        ])
        #expect(try await offers("api", "POST", "") == ["events\tGET POST"])
        #expect(
            try await offers("api", "get", "/") == [
                "/api/v1/events\tGET POST", "/api/v1/logs\tGET",
            ])
        #expect(try await offers("api", "DELETE", "") == ["events/{event_id}\tDELETE"])
        #expect(try await offers("api", "HEAD", "") == [])
        #expect(try await offers("api", "events", "") == [])
        #expect(
            try await offers("api", "ev") == ["events\tGET POST", "events/{event_id}\tDELETE"])
    }

    @Test("an alias is completed as the words that it stands for")
    func aliases() async throws {
        try await test.know("cottage", at: "https://c.example")
        try test.folder.plant(
            """
            alias.porch = "cameras show"
            alias.guided = "--server far porch --"
            alias.endless = "endless"
            alias.events = "cameras"
            """, "config.toml", mode: 0o644)
        let record = try await test.know("far", at: "https://far.example")
        let camera = try #require(
            Camera(try JSONView.parse(Array(#"{"id":"c1","name":"Gate"}"#.utf8))))
        CompletionCache(test.paths.cache, server: record.id)?.remember(cameras: [camera])
        let commands = try await offers("")
        #expect(
            commands.suffix(3) == [
                "endless\tendless", "guided\t--server far porch --", "porch\tcameras show",
            ])
        #expect(
            try await offers("porch", "")
                == ["\tno cameras of 'cottage' are known yet; 'argus cameras list' fetches them"])
        #expect(try await offers("-s", "far", "porch", "g") == ["Gate\tc1"])
        #expect(try await offers("guided", "g") == ["Gate\tc1"])
        #expect(try await offers("endless", "") == [])
        #expect(try await offers("events", "sh") == (try await offers("events", "")))
    }

    @Test("what was never listed is a message without a word, until it was")
    func coldCache() async throws {
        #expect(
            try await offers("--server", "")
                == ["\tno server is known yet; see 'argus login --help'"])
        let record = try await test.know()
        let cameras = "\tno cameras of 'home' are known yet; 'argus cameras list' fetches them"
        #expect(try await offers("cameras", "show", "") == [cameras])
        #expect(try await offers("push", "prefs", "set", "--cameras", "a") == ["all", cameras])
        #expect(
            try await offers("keys", "revoke", "")
                == ["\tno keys of 'home' are known yet; 'argus keys list' fetches them"])
        #expect(
            try await offers("events", "show", "la") == [
                "latest\tthe last event",
                "\tno events of 'home' are known yet; 'argus events list' fetches them",
            ])
        CompletionCache(test.paths.cache, server: record.id)?.remember(cameras: [])
        #expect(try await offers("cameras", "show", "") == [])
        #expect(try await offers("--server", "x") == [])
    }

    @Test("API keys that work by name, and the machine's time zones, in any case")
    func keysAndZones() async throws {
        let record = try await test.know()
        let keys = try [
            #"{"id":"k1","name":"cron","prefix":"argus_1a2b...","is_active":true}"#,
            #"{"id":"k2","name":"old","is_active":false}"#,
            #"{"id":"k3","prefix":"argus_2b3c..."}"#,
            #"{"id":"k4","name":"gone","revoked_at":"2026-11-20T23:40:00Z"}"#,
        ].map { try #require(APIKey(try JSONView.parse(Array($0.utf8)))) }
        CompletionCache(test.paths.cache, server: record.id)?.remember(keys: keys)
        #expect(
            try await offers("keys", "revoke", "") == [
                "cron\targus_1a2b...", "k3\targus_2b3c...",
            ])
        #expect(try await offers("keys", "revoke", "CR") == ["cron\targus_1a2b..."])
        _ = try test.folder.plant(
            "# places\nDE\t+5230+01322\tEurope/Berlin\tmost\nFR\t+4852+00220\tEurope/Paris\nx\n",
            "zone.tab")
        test.environment["TZDIR"] = test.folder.path
        for verb in [["push", "prefs", "set"], ["devices", "preferences", "x"]] {
            let words = verb + ["--timezone"]
            #expect(try await offers(words + [""]) == ["UTC", "Europe/Berlin", "Europe/Paris"])
            #expect(try await offers(words + ["europe/b"]) == ["Europe/Berlin"])
        }
        test.environment["TZDIR"] = "/nonexistent"
        #expect(try await offers("push", "prefs", "set", "--timezone", "") == ["UTC"])
    }

    @Test("web sessions but this one, and subscriptions, by id as their lists show them")
    func sessionsAndSubscriptions() async throws {
        try await test.know()
        #expect(
            try await offers("sessions", "revoke", "")
                == ["\tno sessions of 'home' are known yet; 'argus sessions list' fetches them"])
        test.fake.stub(
            .get, "/api/v1/auth/sessions",
            body: """
                [{"id":"5aaa","device_info":"Firefox on Linux","ip_address":"10.0.0.7"},
                 {"id":"5bbb","device_info":"argus","is_current":true},{"id":"6ccc"}]
                """)
        #expect(await test.run("sessions", "-q", "--format", "ndjson") == .done)
        #expect(
            try await offers("sessions", "revoke", "")
                == ["5aaa\tFirefox on Linux, 10.0.0.7", "6ccc"])
        #expect(
            try await offers("push", "unsubscribe", "")
                == [
                    "\tno subscriptions of 'home' are known yet; "
                        + "'argus push subscriptions' fetches them"
                ])
        test.fake.stub(
            .get, "/api/v1/push/subscriptions",
            body: """
                [{"id":"7aaa","endpoint":"https://push.example/send/secret-1234","user_agent":"Edge"}]
                """)
        #expect(await test.run("push", "subscriptions", "-q", "--format", "ndjson") == .done)
        let offered = ["7aaa\thttps://push.example/…1234, Edge"]
        #expect(try await offers("push", "unsubscribe", "7") == offered)
        #expect(try await offers("push", "prefs", "set", "--subscription", "") == offered)
    }

    @Test("a name from the cache that does not show as it is, is not offered")
    func hostileNames() async throws {
        let record = try await test.know()
        let camera = try #require(
            Camera(try JSONView.parse(Array(#"{"id":"c1","name":"Gate"}"#.utf8))))
        CompletionCache(test.paths.cache, server: record.id)?.remember(cameras: [camera])
        try test.folder.plant(
            "Gate\tc1\u{1b}[2J\nG\u{1b}[2Jate\tc2\nG\u{202e}\tc3\nG\rx\tc4\nG$(touch x)\tc5\n",
            "cache/\(record.id.text)/cameras")
        #expect(
            try await offers("cameras", "show", "")
                == ["Gate\tc1\\x1b[2J", "G$(touch x)\tc5"])
    }
}
