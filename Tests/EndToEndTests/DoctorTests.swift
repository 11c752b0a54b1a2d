import ArgusTestSupport
import Testing

@testable import argus_demo

/// `argus doctor` against the demo.
struct DoctorTests {
    private let home: Home

    init() throws {
        home = try Home()
    }

    @Test("doctor tells every check, with everything down too, and a timer's own")
    func doctor() throws {
        let server = try DemoServer("--events", "1")
        try home.signIn(to: server)
        let well = try home.argus("doctor", "--format", "ndjson")
        #expect(well.status == 0, "\(well.complaint)")
        #expect(try home.argus("doctor", variables: ["ARGUS_FORMAT": "bad"]).status == 2)
        server.stop()
        let down = try home.argus("doctor", "--json")
        #expect(down.status == 6)
        #expect(down.complaint.contains("\"reason\":\"check_failed\""))
        let names = [
            "configuration", "folders", "server", "name", "connection", "identity", "clock",
            "health", "offers", "credentials", "sign-in", "discovery", "push", "terminal",
            "completions", "manual",
        ]
        for name in names {
            #expect(well.text.contains("\"check\":\"\(name)\""), "\(name)")
            #expect(down.text.contains("\"\(name)\""), "\(name)")
        }
        let timer = try home.argus("doctor", "--as-cron")
        #expect(timer.text.contains("terminal       there is none"))
        #expect(timer.status != 0)
        try home.write("colour = 1\n", to: ".config/argus/config.toml")
        let broken = try home.argus("doctor")
        #expect(broken.status == 2)
        #expect(broken.text.contains("config.toml:1:1: 'colour' is no setting"))
    }

    private func push(_ more: String...) throws -> [String] {
        let ran = try home.argus(["doctor", "--format", "ndjson"] + more)
        #expect(ran.status == 0, "\(ran.complaint)")
        return ran.records.filter { $0["check"] == "push" }.map {
            "\($0["state"]?.string ?? "") \($0["message"]?.string ?? "")"
        }
    }

    @Test("push readiness is what the server offers, and whether it has what was registered here")
    func pushReadiness() throws {
        let server = try DemoServer("--events", "1")
        try home.signIn(to: server)
        let offer = "ok the server offers Web Push, with a key (VAPID)"
        let none = "nothing is registered from here; 'argus push register' or 'subscribe' does"
        #expect(try push() == [offer, "unknown \(none)"])
        let id = OwnerScriptTests.id
        try home.argus(
            "push", "register", "--push-token", OwnerScriptTests.token, "--platform", "ios",
            "--device-id", id)
        try home.argus(["push", "subscribe"] + OwnerScriptTests.receiver)
        let shown = "http://127.0.0.1:9/…f-it"
        #expect(
            try push() == [
                offer, "ok the device \(id) is registered with apns", "ok \(shown) is subscribed",
            ])
        // Somebody else takes both away.
        try home.argus("api", "DELETE", "devices/\(id)")
        try home.argus(
            "api", "POST", "push/unsubscribe", "-f", "endpoint=\(OwnerScriptTests.endpoint)")
        #expect(
            try push() == [
                offer, "warning the server no longer has the device \(id)",
                "warning the server no longer has the subscription of \(shown)",
            ])
    }

    @Test("what a server offers that does not describe its routes is asked for")
    func offers() throws {
        for (api, message) in [
            (
                "mobile",
                "it offers events, cameras; it lacks devices, Web Push, API keys, sessions"
            ),
            (
                "documented",
                "it offers events, cameras, devices, Web Push; it lacks API keys, sessions"
            ),
        ] {
            let server = try DemoServer("--events", "1", api: api)
            let home = try Home()
            try home.signIn(to: server)
            let ran = try home.argus("doctor", "--format", "ndjson")
            let told = ran.records.filter { $0["check"] == "offers" }
            #expect(told.map { $0["message"]?.string } == [message], "\(api)")
        }
    }

    @Test("a server without Web Push is told as one, and what cannot be compared as that")
    func pushElsewhere() throws {
        let server = try DemoServer("--events", "1", api: "mobile")
        try home.signIn(to: server)
        try home.argus(
            "push", "register", "--push-token", OwnerScriptTests.token, "--platform", "ios",
            "--device-id", OwnerScriptTests.id)
        #expect(
            try push() == [
                "unknown the server offers no Web Push: it has no key for it",
                "unknown a device was registered from here; whether it still stands the server "
                    + "lists none",
            ])
    }

    @Test("a server that never answers costs one time-out, and every check is told")
    func silence() async throws {
        try await LoopbackServer.serving { _ in
            [.staySilent]
        } _: { server in
            let start = ContinuousClock.now
            let words = ["doctor", "--server", "\(server.origin)", "--timeout", "2s"]
            let ran = try home.argus(words, variables: ["ARGUS_TOKEN": "x.y.z"])
            // A machine that is busy may take its time, but not that of a second time-out each.
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(ran.status == 6)
            for (state, name) in [
                ("failure", "connection"), ("unknown", "identity"), ("unknown", "clock"),
                ("unknown", "health"), ("unknown", "offers"), ("ok", "credentials"),
                ("unknown", "sign-in"), ("unknown", "push"),
            ] {
                #expect(
                    ran.lines.contains {
                        let words = $0.split(separator: " ")
                        return words.first == state[...] && words.dropFirst().first == name[...]
                    }, "\(name): \(ran.text)")
            }
            #expect(server.requests.count == 1)
        }
    }
}
