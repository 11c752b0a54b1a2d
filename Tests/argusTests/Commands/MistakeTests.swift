import ArgusAccount
import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("mistakes on the command line")
struct MistakeTests {
    private let test: TestSystem
    private static let cameras = "/api/v1/cameras"

    init() async throws {
        test = try TestSystem()
    }

    private func hint(_ words: String...) async -> String? {
        let system = try? TestSystem()
        guard let system else { return nil }
        _ = await system.run(words)
        return system.stderr.split(separator: "\n").last.map(String.init)
    }

    @Test("a verb of another program, and a blank without quotes, are recognised")
    func hints() async {
        #expect(await hint("events", "ls") == "hint: did you mean 'list'?")
        #expect(await hint("devices", "rm", "x") == "hint: did you mean 'revoke'?")
        #expect(await hint("evnts", "list") == "hint: did you mean 'events'?")
        #expect(
            await hint("events", "list", "--camera", "Front", "Door")
                == "hint: quote a value with blanks: --camera 'Front Door'; "
                + "several values are one word: --camera Front,Door")
        #expect(
            await hint("events", "--camera=Front", "Door", "-n", "3")?.hasPrefix(
                "hint: quote a value with blanks: --camera 'Front Door'") == true)
        #expect(
            await hint("events", "list", "--type", "person", "package")
                == "hint: several values are one word: --type person,package")
        #expect(
            await hint("events", "list", "--format", "xml")
                == "hint: 'argus help formats' explains them")
        #expect(await hint("push", "prefs", "set") == "hint: run 'argus push prefs set -h'")
        #expect(
            await hint("status")
                == "hint: did you mean 'argus whoami', 'argus check' or 'argus doctor'?")
        #expect(await hint("events", "list", "-n", "3", "4") == "hint: run 'argus events list -h'")
    }

    @Test("two wishes of which only one can be fulfilled are a usage error")
    func wishes() async throws {
        try await test.know()
        for words in [
            ["events", "list", "--all", "-n", "3"], ["token", "--fields", "id"],
            ["events", "list", "--json", "--raw", "--fields", "id"],
            ["events", "export", "--server-side"],
            ["events", "export", "--server-side", "--fields", "id", "--type", "person"],
            ["events", "export", "--server-side", "--fields", "id", "--search", "x"],
            [
                "events", "export", "--server-side", "--fields", "id", "--camera", "a,b",
                "--camera", "c",
            ],
        ] {
            #expect(await test.run(words) == .usage, "\(words)")
        }
        #expect(test.fake.requests.isEmpty)
    }

    @Test("cameras and servers that resemble a name are suggested")
    func nearNames() async throws {
        try await test.know()
        test.fake.stub(
            .get, Self.cameras, body: #"[{"id":"c1","name":"Front Door","is_enabled":true}]"#)
        #expect(await test.run("cameras", "show", "fron dor") == .notFound)
        #expect(test.stderr.hasSuffix("hint: did you mean 'Front Door'?\n"))
        #expect(await test.run("cameras", "-s", "hoem") == .notFound)
        #expect(
            test.stderr.hasSuffix("there is no server 'hoem'\nhint: did you mean 'home'?\n"))
    }

    @Test("a server that a setting names is checked when it is set, and blamed on its line")
    func settings() async throws {
        try await test.know()
        #expect(await test.run("config", "set", "server", "hoem") == .notFound)
        #expect(await test.run("config", "set", "server", "home") == .done)
        #expect(await test.run("config", "set", "server", "https://new.example") == .done)
        try test.folder.plant("utc = true\nserver = \"hoem\"\n", "config.toml", mode: 0o644)
        #expect(await test.run("cameras") == .notFound)
        let path = test.folder.file("config.toml")
        #expect(test.stderr.contains("argus: \(path):2: there is no server 'hoem'\n"))
        test.environment["ARGUS_SERVER"] = "hom"
        #expect(await test.run("cameras") == .notFound)
        #expect(test.stderr.contains("argus: ARGUS_SERVER: there is no server 'hom'\n"))
    }

    @Test("a relay that a server does not have is a usage error")
    func relay() async throws {
        try await test.know()
        #expect(await test.run("cameras", "--via", "relay") == .usage)
        #expect(test.stderr.contains("'home' has no relay address\nhint: add one with "))
    }

    @Test("a disabled camera is not asked for a picture")
    func disabled() async throws {
        try await test.know()
        let list = #"[{"id":"c1","name":"Garage","is_enabled":false}]"#
        test.fake.stub(.get, Self.cameras, body: list)
        #expect(await test.run("cameras", "snapshot", "Garage", "--json") == .rejected)
        #expect(try test.errorObject()["reason"]?.string == "camera_disabled")
        test.fake.stub(.get, Self.cameras, body: list)
        #expect(await test.run("cameras", "snapshot", "--all") == .notFound)
        #expect(test.stderr.contains("'home' has no enabled camera; no picture was taken\n"))
    }

    @Test("faults of TOML are reported in plain words")
    func plainFaults() {
        for (text, words) in [
            ("server = home\n", "text needs quotes"), ("server = \"home\n", "not closed"),
            ("retries = 3 4\n", "more than one value in the line"),
            ("utc = true\nutc = true\n", "'utc' is set twice"),
        ] {
            do throws(AccountError) {
                _ = try Settings(text, path: "c.toml")
                Issue.record("\(text)")
            } catch {
                #expect("\(error)".contains(words) && !"\(error)".contains("parsing"), "\(error)")
            }
        }
    }
}
