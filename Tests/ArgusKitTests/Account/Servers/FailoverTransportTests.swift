import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

@Suite("FailoverTransport")
struct FailoverTransportTests {
    /// A transport whose server has these endpoints, on a network that is searched where something is there.
    private func endpoints(
        _ targets: [EndpointTarget], for primary: ServerAddress, by fake: FakeTransport,
        finding found: [DiscoveredServer] = [],
        refusing refusal: @escaping @Sendable (ServerAddress) -> TransportError? = { _ in nil },
        sendingToRelay headers: [HTTPHeader] = [], remembering memory: EndpointCache? = nil
    ) -> FailoverTransport {
        let plan = EndpointPlan(
            targets: targets, link: LocalLink.current, searches: !found.isEmpty,
            refusing: refusal)
        let selector = EndpointSelector(
            plan, in: EndpointRace(fake, ScriptedBrowser(found)), memory: memory,
            now: { Timestamp(seconds: 0) }, report: { _ in })
        return FailoverTransport(
            fake, for: primary, selecting: selector,
            relayHeaders: {
                _ async throws(TransportError) in headers
            })
    }

    @Test("plain http stops as soon as the machine has come to another network")
    func otherNetwork() async throws {
        let address = try ServerAddress(parsing: "http://192.168.1.5:8000")
        let fake = FakeTransport()
        let isHome = Mutex(true)
        let target = EndpointTarget(kind: .local, address: address, proof: ServerProof(.plain))
        let endpoints = endpoints([target], for: address, by: fake) { _ in
            isHome.withLock { $0 }
                ? nil : TransportError(.identityRefused, "allowed elsewhere", nothingSent: true)
        }
        let request = HTTPRequest(.get, address.origin, "/a", proof: ServerProof(.plain))
        fake.stub(.get, "/a")
        _ = try await endpoints.send(request)
        isHome.withLock { $0 = false }
        await #expect(throws: TransportError.self) { try await endpoints.send(request) }
        #expect(fake.requests.count == 1)
        fake.verify()
    }

    @Test("while the network is not known nothing is sent by plain http, and the relay is tried")
    func unknownNetwork() async throws {
        let home = try ServerAddress(parsing: "http://192.168.1.5:8000")
        let relay = try ServerAddress(parsing: "https://relay.example")
        let fake = FakeTransport()
        let plain = EndpointTarget(kind: .local, address: home, proof: ServerProof(.plain))
        let unknown = TransportError(.unknownNetwork, "no router answers", nothingSent: true)
        let request = HTTPRequest(.get, home.origin, "/a", proof: ServerProof(.plain))
        let alone = endpoints([plain], for: home, by: fake) { _ in unknown }
        await #expect(throws: unknown) { try await alone.send(request) }
        #expect(fake.requests.isEmpty)
        let other = EndpointTarget(
            kind: .relay, address: relay, proof: ServerProof(.pin("a")))
        let both = endpoints([plain, other], for: home, by: fake) { _ in unknown }
        fake.stub(.get, "/a")
        _ = try await both.send(request)
        #expect(fake.requests.map(\.origin) == [relay.origin])
        fake.verify()
    }

    @Test("the address that answered last has a second to connect, then the others join")
    func lastFirst() async throws {
        let home = try ServerAddress(parsing: "https://home.example")
        let relay = try ServerAddress(parsing: "https://relay.example")
        let proof = ServerProof(.pin("a"))
        let targets = [
            EndpointTarget(kind: .local, address: home, proof: proof),
            EndpointTarget(kind: .relay, address: relay, proof: proof),
        ]
        let folder = try TemporaryFolder()
        let memory = try #require(EndpointCache(.folder(folder.path), .random()))
        let moment = Timestamp(seconds: 0)
        memory.keep(
            EndpointCache.Entry(kind: .local, address: "\(home)", provedAt: moment))
        let fake = FakeTransport()
        let slow = TransportError(
            .timedOut(.connect), "no connection within 1 s", nothingSent: true)
        let request = HTTPRequest(.get, home.origin, "/a", proof: proof)

        // A slow address proves itself in the race, and has all the time that it needs then.
        fake.stub(.get, "/a", error: slow)
        fake.stub(.get, "/a")
        fake.disprove("relay.example", by: slow)
        _ = try await endpoints(targets, for: home, by: fake, remembering: memory).send(request)
        #expect(fake.requests.map(\.origin) == [home.origin, home.origin])
        #expect(
            fake.requests.map(\.deadlines.connect)
                == [EndpointSelector.trialTime, Deadlines().connect])

        fake.verify()
        let other = FakeTransport()
        other.stub(.get, "/a", error: slow)
        other.stub(.get, "/a")
        other.disprove("home.example", by: slow)
        _ = try await endpoints(targets, for: home, by: other, remembering: memory).send(request)
        #expect(other.requests.map(\.origin) == [home.origin, relay.origin])
        #expect(memory.entry(at: moment)?.kind == .relay)
        other.verify()
    }

    @Test("a proof is asked of the relay when the address that answered last cannot be reached")
    func proofAway() async throws {
        let home = try ServerAddress(parsing: "https://home.example")
        let relay = try ServerAddress(parsing: "https://relay.example")
        let proof = ServerProof(.pin("a"))
        let folder = try TemporaryFolder()
        let memory = try #require(EndpointCache(.folder(folder.path), .random()))
        memory.keep(
            EndpointCache.Entry(
                kind: .local, address: "\(home)", provedAt: Timestamp(seconds: 0)))
        let fake = FakeTransport()
        fake.disprove(
            "home.example",
            by: TransportError(.notConnected, "no route to host", nothingSent: true))
        let endpoints = endpoints(
            [
                EndpointTarget(kind: .local, address: home, proof: proof),
                EndpointTarget(kind: .relay, address: relay, proof: proof),
            ], for: home, by: fake, remembering: memory)
        var request = HTTPRequest(.get, home.origin, "/", proof: proof)
        request.purpose = .proof
        _ = try await endpoints.send(request)
        #expect(endpoints.current?.kind == .relay)
    }

    @Test("a WebSocket moves to the relay with its header fields, and a refusal moves nowhere")
    func webSocket() async throws {
        let home = try ServerAddress(parsing: "https://home.example")
        let relay = try ServerAddress(parsing: "https://relay.example/argus")
        let fake = FakeTransport()
        let proof = ServerProof(.pin("a"))
        let endpoints = endpoints(
            [
                EndpointTarget(kind: .local, address: home, proof: proof),
                EndpointTarget(kind: .relay, address: relay, proof: proof),
            ],
            for: home, by: fake, sendingToRelay: [HTTPHeader("CF-Access", "x")])
        let client = APIClient(
            transport: RetryingTransport(
                endpoints, sleep: { _ in }, now: { Timestamp(seconds: 0) }),
            address: home, proof: proof, authorization: .bearer(Redacted("token")),
            userAgent: "argus")
        let text: [UInt8] = [0x81, 0x01, 0x61]
        fake.stub(
            .get, "/ws",
            error: TransportError(.notConnected, "connection refused", nothingSent: true))
        fake.stub(webSocket: "/argus/ws", ScriptedChannel([.bytes(text)]))
        let webSocket = try await client.stream()
        #expect(try await webSocket.next() == [0x61])
        #expect(endpoints.current?.kind == .relay)
        #expect(fake.requests.map(\.origin.host) == ["home.example", "relay.example"])
        let names = try #require(fake.requests.last).headers.map(\.name)
        #expect(names == ["Accept", "User-Agent", "CF-Access"])

        fake.stub(.get, "/argus/ws", status: 302)
        let error = await failure { () async throws(TransportError) in try await client.stream() }
        #expect(error?.kind == .upgradeRefused(302))
        #expect(endpoints.current?.kind == .relay)
        fake.verify()
    }

    @Test("every request fails on an impostor, also the one after a renewal")
    func impostor() async throws {
        let address = try ServerAddress(parsing: "https://home.example")
        let fake = FakeTransport()
        let target = EndpointTarget(kind: .local, address: address, proof: ServerProof(.pin("a")))
        let found = DiscoveredServer(
            name: "home", host: "home.local", interface: "lo", address: "127.0.0.1", port: 9000)
        let endpoints = endpoints([target], for: address, by: fake, finding: [found])
        fake.disprove("home.example")
        let request = HTTPRequest(.get, address.origin, "/a", proof: target.proof)
        for _ in 0..<2 {
            fake.stub(
                .get, "/a",
                error: TransportError(.notConnected, "connection refused", nothingSent: true))
            let error = await #expect(throws: TransportError.self) {
                try await endpoints.send(request)
            }
            #expect(error?.kind == .identityRefused)
        }
        fake.verify()
    }

    @Test("an impostor that answers only after every address has failed is reported")
    func laterImpostor() async throws {
        let home = try ServerAddress(parsing: "https://home.example")
        let relay = try ServerAddress(parsing: "https://relay.example")
        let fake = FakeTransport()
        let proof = ServerProof(.pin("a"))
        let endpoints = endpoints(
            [
                EndpointTarget(kind: .local, address: home, proof: proof),
                EndpointTarget(kind: .relay, address: relay, proof: proof),
            ],
            for: home, by: fake)
        let unreachable = TransportError(.notConnected, "connection refused", nothingSent: true)
        let impostor = TransportError(.identityRefused, "another key", nothingSent: true)
        fake.disprove("relay.example", by: unreachable)
        fake.stub(.get, "/a") { [fake] _ in
            fake.disprove("home.example", by: unreachable)
            return .failure(unreachable)
        }
        fake.stub(.get, "/a", error: impostor)
        fake.stub(.get, "/a", error: unreachable)
        var kinds: [TransportError.Kind?] = []
        for _ in 0..<3 {
            let error = await #expect(throws: TransportError.self) {
                try await endpoints.send(HTTPRequest(.get, home.origin, "/a", proof: proof))
            }
            kinds.append(error?.kind)
        }
        #expect(kinds == [.noEndpoint, .identityRefused, .identityRefused])
        fake.verify()
    }

    @Test("each address gets its own client certificate, and no other")
    func clientCertificates() async throws {
        let home = try ServerAddress(parsing: "https://home.example")
        let relay = try ServerAddress(parsing: "https://relay.example")
        func proof(_ file: String?) -> ServerProof {
            let certificate = file.map { ClientCertificate(certificatePath: $0, keyPath: nil) }
            return ServerProof(.publicCertificate(authorities: nil), clientCertificate: certificate)
        }
        for file in [nil, "relay.pem"] {
            let fake = FakeTransport()
            let endpoints = endpoints(
                [EndpointTarget(kind: .relay, address: relay, proof: proof(file))], for: home,
                by: fake)
            fake.stub(.get, "/a")
            _ = try await endpoints.send(
                HTTPRequest(.get, home.origin, "/a", proof: proof("home.pem")))
            #expect(fake.requests.map(\.proof) == [proof(file)])
            fake.verify()
        }
    }
}
