import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

@Suite("EndpointRace")
struct EndpointRaceTests {
    private static let pin = String(repeating: "A", count: 43) + "="
    private static let digits = String(repeating: "a", count: 64)
    private let local: EndpointTarget
    private let relay: EndpointTarget

    init() throws {
        local = EndpointTarget(
            kind: .local, address: try ServerAddress(parsing: "https://home.example:8443/argus"),
            proof: ServerProof(.pin(Self.pin)))
        relay = EndpointTarget(
            kind: .relay, address: try ServerAddress(parsing: "https://relay.example/home"),
            proof: ServerProof(.publicCertificate(authorities: nil)))
    }

    /// When a host proves its identity.
    private enum Proof {
        case atOnce, afterRelay, never
    }

    /// Waits until the choice has been made.
    private static func wait() async {
        try? await Task.sleep(for: .seconds(3600))
    }

    /// A transport on which certain hosts prove their identity.
    private struct Handshakes: Transport {
        var proved: [String: Proof]
        let relayProved = Signal()
        var error = TransportError(.notConnected, "connection refused", nothingSent: true)
        /// How certain hosts fail.
        var errors: [String: TransportError] = [:]

        func send(
            _ request: HTTPRequest, receive: BodyReceiver?
        ) async throws(TransportError) -> HTTPResponse {
            guard request.purpose != .answer else { throw error }
            let host = request.proof.socketAddress?.address ?? request.origin.host
            guard let proof = proved[host] else { throw errors[host] ?? error }
            switch proof {
            case .atOnce: break
            case .afterRelay: await relayProved.wait()
            case .never: await EndpointRaceTests.wait()
            }
            if host == "relay.example" { relayProved.raise() }
            return HTTPResponse(status: 0, body: Array(Samples.certificate.utf8))
        }
    }

    private func choose(
        _ proved: [String: Proof], _ browser: ScriptedBrowser = ScriptedBrowser([]),
        hasHeadStart: Bool = true
    ) async -> EndpointReport {
        let race = EndpointRace(Handshakes(proved: proved), browser) { _ in
            if hasHeadStart { await Self.wait() }
        }
        return await race.choose(
            EndpointPlan(targets: [local, relay], link: LocalLink.current))
    }

    private func found(_ address: String) -> DiscoveredServer {
        DiscoveredServer(
            name: "home", host: "home.local", interface: "lo", address: address, port: 9000)
    }

    @Test("a local address that answers after the relay wins within the head start")
    func headStart() async {
        let report = await choose(["home.example": .afterRelay, "relay.example": .atOnce])
        #expect(report.target == local)
    }

    @Test("the relay is used when the head start is over")
    func relayAfterHeadStart() async {
        let report = await choose(
            ["home.example": .never, "relay.example": .atOnce], hasHeadStart: false)
        #expect(report.target == relay)
    }

    @Test("the relay does not wait once every local address has failed")
    func relayAtOnce() async {
        let report = await choose(["relay.example": .atOnce])
        #expect(report.target == relay)
        #expect(report.steps.first?.error?.detail == "connection refused")
    }

    @Test("an address that was slow is tried again, and no relay waits for it any more")
    func slow() async {
        let failed = FailedEndpoint(
            target: local, error: TransportError(.timedOut(.connect), "no connection within 1 s"),
            wasOnTrial: true)
        for (proved, expected) in [
            (["home.example": Proof.atOnce], local),
            (["home.example": .never, "relay.example": .atOnce], relay),
        ] {
            let race = EndpointRace(Handshakes(proved: proved), ScriptedBrowser([])) { _ in
                await Self.wait()
            }
            let report = await race.choose(
                EndpointPlan(targets: [local, relay], link: LocalLink.current), after: failed)
            #expect(report.target == expected)
        }
    }

    @Test("of several relays the first that proves itself is used, whatever becomes of the others")
    func severalRelays() async throws {
        let relays = try ["silent", "dead", "second"].map { name in
            EndpointTarget(
                kind: .relay, address: try ServerAddress(parsing: "https://\(name).example"),
                proof: relay.proof)
        }
        let handshakes = Handshakes(proved: ["silent.example": .never, "second.example": .atOnce])
        let race = EndpointRace(handshakes, ScriptedBrowser([])) { _ in await Self.wait() }
        let report = await race.choose(
            EndpointPlan(targets: [local] + relays, link: LocalLink.current))
        #expect(report.target == relays[2])
        let failed = report.steps.filter { $0.error != nil }.map { "\($0.target)" }.sorted()
        #expect(failed == ["local \(local.address)", "relay https://dead.example"])
    }

    @Test("a place that is found is asked once for each proof, and not where it is set already")
    func eachProofOnce() throws {
        let plan = { EndpointPlan(targets: $0, link: LocalLink.current) }
        let other = EndpointTarget(
            kind: .local, address: try ServerAddress(parsing: "https://other.example"),
            proof: local.proof)
        let named = ["one", "two"].map { name in
            EndpointTarget(
                kind: .local, address: ServerAddress(Origin(scheme: .https, host: name, port: 443)),
                proof: relay.proof)
        }
        let set = EndpointTarget(
            kind: .local, address: try ServerAddress(parsing: "https://127.0.0.1:9000"),
            proof: local.proof)
        let link = LocalLink.current()
        let found = found("127.0.0.1")
        #expect(
            plan([local, other, relay]).candidates(found, on: link).map(\.address) == [
                local.address
            ])
        #expect(plan([local, other, set]).candidates(found, on: link).isEmpty)
        #expect(
            plan(named + [set]).candidates(found, on: link).map(\.address) == named.map(\.address))
    }

    @Test("a server that is found proves the record's identity at its own address")
    func discovered() async {
        let report = await choose(["127.0.0.1": .atOnce], ScriptedBrowser([found("127.0.0.1")]))
        #expect(report.target?.address == local.address)
        #expect(report.target?.proof.identity == local.proof.identity)
        #expect(
            report.target?.proof.socketAddress == SocketAddress(address: "127.0.0.1", port: 9000))
    }

    @Test(
        "a server that answers without proof is reported by name, unless it announces another identity",
        arguments: [
            ([TXTEntry](), true), ([TXTEntry("ssl", "false")], true),
            ([TXTEntry("fingerprint", Self.digits)], true),
            ([TXTEntry("fingerprint", Self.digits.replacing("a", with: "b"))], false),
        ])
    func impostor(txt: [TXTEntry], isRefused: Bool) async {
        var found = found("127.0.0.1")
        found.txt = txt
        var local = local
        local.fingerprint = CertificateFingerprint(Self.digits)
        let refusing = Handshakes(
            proved: [:], error: TransportError(.notConnected, "connection refused"),
            errors: [
                "127.0.0.1": found.usesTLS
                    ? TransportError(.identityRefused, "another key")
                    : TransportError(.handshakeFailed, "no certificate")
            ])
        let race = EndpointRace(refusing, ScriptedBrowser([found])) { _ in await Self.wait() }
        let failure = await race.choose(
            EndpointPlan(targets: [local], link: LocalLink.current)
        ).failure
        #expect(failure.kind == (isRefused ? .identityRefused : .noEndpoint))
        #expect(failure.detail.contains("'home' answers there but is not trusted: "))
        #expect(failure.detail.contains("connection refused"))
    }

    @Test(
        "among many addresses those of the record and those that answer are listed, the rest is counted"
    )
    func crowd() async {
        let servers = (1...20).map { number in
            var server = found("127.0.0.\(number)")
            server.name = "Server \(number)"
            return server
        }
        let refusing = Handshakes(
            proved: [:],
            errors: ["127.0.0.20": TransportError(.identityRefused, "another key")])
        let race = EndpointRace(refusing, ScriptedBrowser(servers)) { _ in await Self.wait() }
        let report = await race.choose(EndpointPlan(targets: [local], link: LocalLink.current))
        let parts = report.failure.detail.split(separator: "; ")
        #expect(parts.count == 7, "\(parts)")
        #expect(parts.first?.hasPrefix("local https://home.example:8443/argus: ") == true)
        #expect(parts.dropFirst().first?.contains("'Server 20' answers there") == true)
        #expect(parts.last == "and 15 more")
        #expect(report.lines.count == 21)
    }

    @Test("an address that is not on the link is not tried")
    func offLink() async {
        let report = await choose(
            ["198.51.100.1": .atOnce], ScriptedBrowser([found("198.51.100.1")]))
        #expect(report.target == nil)
        #expect(report.steps.count == 2)
    }

    @Test("if nothing works each address is reported with its error")
    func nothing() async {
        let report = await choose([:], ScriptedBrowser([], failing: .noDaemon))
        #expect(report.failure.kind == .noEndpoint)
        #expect(
            report.failure.detail.contains("local https://home.example:8443/argus: connection ref"))
        #expect(report.failure.detail.contains("relay https://relay.example/home: connection ref"))
        #expect(report.searchFailure == .noDaemon)
    }
}

@Suite("EndpointCache")
struct EndpointCacheTests {
    private static let moment = Timestamp(seconds: 1_795_262_400)

    private func entry(_ kind: Endpoint.Kind) -> EndpointCache.Entry {
        EndpointCache.Entry(
            kind: kind, address: "https://home.example",
            socketAddress: SocketAddress(address: "fe80::1%eth0", port: 8443), provedAt: Self.moment
        )
    }

    @Test("a local address is remembered until it is forgotten, a relay for ten minutes")
    func lifetimes() throws {
        let folder = try TemporaryFolder()
        let cache = try #require(EndpointCache(.folder(folder.file("state")), .random()))
        cache.keep(entry(.local))
        #expect(cache.entry(at: Self.moment + .seconds(1_000_000)) == entry(.local))
        cache.keep(entry(.relay))
        #expect(cache.entry(at: Self.moment + .seconds(599)) == entry(.relay))
        #expect(cache.entry(at: Self.moment + .seconds(600)) == nil)
        // A clock that was set back tells nothing about the age.
        #expect(cache.entry(at: Self.moment + .seconds(-1)) == nil)
        cache.forget()
        #expect(cache.entry(at: Self.moment) == nil)
    }

    @Test(
        "a damaged file, and one of an earlier version, remember nothing and are replaced",
        arguments: [
            #"{"version":1,"networks":["#,
            #"{"version":1,"networks":{"02:00:00:00:00:01 eth0":{"kind":"local","address":"#
                + #""https://home.example","proved_at_us":1795262400000000}}}"#,
        ])
    func unreadable(text: String) throws {
        let folder = try TemporaryFolder()
        let server = ServerID.random()
        try folder.plant(text, "ways-\(server.text).json")
        let cache = try #require(EndpointCache(.folder(folder.path), server))
        #expect(cache.entry(at: Self.moment) == nil)
        cache.keep(entry(.local))
        #expect(cache.entry(at: Self.moment) == entry(.local))
    }
}
