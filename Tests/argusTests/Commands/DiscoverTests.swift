import ArgusCore
import ArgusTestSupport
import Testing

@testable import argus
@testable import ArgusTransport

@Suite("argus discover without a network")
struct DiscoverCommandTests {
    private let test: TestSystem

    init() throws {
        test = try TestSystem()
    }

    @Test("an address that is not of the link is shown and not asked anything")
    func offLink() async throws {
        test.browser = ScriptedBrowser([
            DiscoveredServer(
                name: "far\u{1B}[2J", host: "far.local", interface: "lo", address: "198.51.100.7",
                port: 8000)
        ])
        #expect(await test.run("discover", "--json") == .done)
        let found = try test.printed().elements.map { $0 }.first
        #expect(found?["reachable"]?.bool == false)
        #expect(found?["problem"]?.string?.contains("not of the network") == true)
        #expect(test.fake.requests.isEmpty)
        #expect(!test.stdout.contains("\u{1B}"))
    }

    @Test("a search that cannot begin is status 1 with a remedy, a search without answers status 0")
    func failures() async throws {
        #expect(await test.run("discover", "--json") == .failed)
        #expect(try test.errorObject()["hint"]?.string?.contains("systemctl") == true)
        test.browser = ScriptedBrowser([])
        #expect(await test.run("discover", "--json") == .done)
        #expect(test.stdout == "[]\n")
    }

    @Test("a search of no time is refused")
    func noTime() async throws {
        test.browser = ScriptedBrowser([])
        #expect(await test.run("discover", "--for", "0") == .usage)
        #expect(await test.run("discover", "--for", "0ms") == .usage)
        #expect(test.stderr.contains("--for must be more than 0"))
    }

    @Test("login and pair without a URL report why the network could not be searched")
    func withoutDaemon() async throws {
        let password = try TemporaryFolder()
        let login = try ["login", "-u", "demo", "--password-file", password.plant("x", "password")]
        for words in [login, ["pair"]] {
            #expect(await test.run(words + ["--json"]) == .unreachable)
            let command = words[0]
            let error = try test.errorObject()
            #expect(
                error["message"]?.string == "cannot search the network: the avahi-daemon does not "
                    + "run, and no relay is configured")
            #expect(
                error["hint"]?.string?.hasPrefix("start it: systemctl start avahi-daemon") == true)
            #expect(error["hint"]?.string?.contains("argus \(command) https://") == true)
        }
        test.browser = ScriptedBrowser([])
        #expect(await test.run(login + ["--json"]) == .unreachable)
        #expect(
            try test.errorObject()["message"]?.string
                == "no server answers on the local network, and no relay is configured")
    }

    @Test("the service file is that of the server in use")
    func serviceFile() async throws {
        try await test.know(at: "https://home.example:8443")
        #expect(await test.run("discover", "--service-file") == .done)
        #expect(test.stdout.contains("<port>8443</port>"))
        #expect(test.stdout.contains("<txt-record>ssl=true</txt-record>"))
    }
}
