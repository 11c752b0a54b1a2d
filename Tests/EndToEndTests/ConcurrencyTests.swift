import Glibc
import Testing

@testable import argus_demo

/// Many at once, and events that arrive meanwhile.
@Suite(.waitsForPrograms)
struct ConcurrencyTests {
    @Test("runs at the same time disturb neither each other nor what is kept")
    func atOnce() throws {
        let server = try DemoServer("--events", "40")
        let home = try TemporaryHome()
        try home.signIn(to: server)
        let lists = try (0..<16).map { _ in
            try home.launch(["events", "list", "--json"]).start()
        }
        for list in lists {
            let ran = try list.finish()
            #expect(ran.status == 0, "\(ran.complaint)")
            #expect(ran.json.list.count == 20)
        }
        let token = try home.argus("token").text
        let logins = try (0..<8).map { number in
            var launch = home.launch(
                ["login", server.url, "--token-stdin", "--name", "home\(number % 2)"])
            launch.input = .text(token)
            return try launch.start()
        }
        for login in logins {
            let ran = try login.finish()
            #expect(ran.status == 0, "\(ran.complaint)")
        }
        let known = try home.argus("server", "list", "--json").json.list
        #expect(known.count == 1)
        #expect(try home.argus("whoami").status == 0)
        #expect(try home.files().count { $0.hasSuffix(".sealed") } == 1)
    }

    @Test("first sign-ins at the same time leave one store that all can read")
    func firstSignIns() throws {
        let home = try TemporaryHome()
        let servers = try (0..<4).map { _ in try DemoServer("--events", "1") }
        let logins = try servers.enumerated().map { number, server in
            var launch = home.launch(
                ["login", server.url, "-u", "demo", "--password-stdin", "--name", "s\(number)"])
            launch.input = .text(DemoServer.password)
            return try launch.start()
        }
        for login in logins {
            let ran = try login.finish()
            #expect(ran.status == 0, "\(ran.complaint)")
        }
        for number in servers.indices {
            let ran = try home.argus("whoami", "--server", "s\(number)")
            #expect(ran.status == 0, "\(ran.complaint)")
        }
    }

    @Test(
        "while events arrive, none is listed twice and none is missed",
        arguments: ["current", "mobile"])
    func arrivals(api: String) throws {
        let server = try DemoServer("--events", "1000", "--rate", "6000", api: api)
        let home = try TemporaryHome()
        try home.signIn(to: server)
        func ids() throws -> [String] {
            let ran = try home.argus("events", "list", "--all", "--format", "ndjson")
            #expect(ran.status == 0, "\(ran.complaint)")
            return ran.records.compactMap { $0["id"]?.string }
        }
        let before = try ids()
        let during = try ids()
        let after = try ids()
        for list in [before, during, after] { #expect(Set(list).count == list.count) }
        #expect(before.count >= 1000)
        #expect(during.count > before.count)
        // What was there throughout is there, in the same order.
        let lasting = Set(before)
        #expect(during.filter(lasting.contains) == before)
        let known = Set(during)
        #expect(after.filter(known.contains) == during)
    }
}
