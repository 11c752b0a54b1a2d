import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

/// A connector to a scripted server on a scripted network, with the notices that it gave.
private struct Setting {
    let fake = FakeTransport()
    let notices = MessageLog()
    var options = ConnectionOptions(userAgent: "test")
    var found: [DiscoveredServer] = []

    var connector: ServerConnector {
        let (fake, notices) = (fake, notices)
        let environment = ConnectionEnvironment(
            state: .none(reason: "a test"), makeTransport: { _, _ in fake },
            network: { NetworkIdentity(gateways: []) },
            lookedUpNetwork: { NetworkIdentity(gateways: []) }, link: { LocalLink.current() },
            browser: ScriptedBrowser(found), now: { Timestamp(seconds: 1_795_262_400) },
            sleep: { _ in })
        return ServerConnector(
            options, in: environment,
            store: { _ in
                AvailableStore(name: "none") { () throws(AccountError) in
                    throw .storeUnavailable(reason: "a test")
                }
            }, notify: { notices.add("\($0)") })
    }

    static func record(_ name: String, _ endpoints: Endpoint...) -> ServerRecord {
        ServerRecord(name: name, endpoints: endpoints, addedAt: Timestamp(seconds: 0))
    }

    static func list(_ records: ServerRecord...) throws -> ServerList {
        var list = ServerList()
        for record in records { try list.add(record) }
        return list
    }
}

private let home = Setting.record(
    "home", Endpoint(.local, "https://home.example", proof: .publicCertificate),
    Endpoint(.relay, "https://relay.example", proof: .publicCertificate))
private let cabin = Setting.record(
    "cabin", Endpoint(.local, "http://192.0.2.7:8000", proof: .plain))

/// The description of the `ServerError` that some work throws; nil where it throws none.
private func failure<Value>(
    _ work: @autoclosure () async throws(ServerError) -> Value
) async -> String? {
    do {
        _ = try await work()
        return nil
    } catch {
        return "\(error)"
    }
}

@Suite("ServerConnector")
struct ServerConnectorTests {
    @Test("--via leaves the endpoints of its kind", arguments: [Via.auto, .local, .relay])
    func via(_ via: Via) throws {
        var setting = Setting()
        setting.options.via = via
        let kinds = try setting.connector.usableEndpoints(of: home).map(\.endpoint.kind)
        #expect(kinds == (via == .auto ? [.local, .relay] : via == .local ? [.local] : [.relay]))
    }

    @Test("a server without an endpoint that may be used is an error")
    func unusable() async {
        var setting = Setting()
        let plain = await failure(try setting.connector.usableEndpoints(of: cabin))
        #expect(
            plain == "plain http to http://192.0.2.7:8000 would show your credentials "
                + "to the network")
        setting.options.via = .relay
        let relay = await failure(try setting.connector.usableEndpoints(of: cabin))
        #expect(relay == "'cabin' has no relay address")
    }

    @Test("a client certificate is for https")
    func clientCertificate() async throws {
        var setting = Setting()
        setting.options.files.certificate = "/tmp/a.pem"
        let connector = setting.connector
        let plain = try connector.parse("http://127.0.0.1:8000")
        #expect(
            await failure(try connector.client(for: plain, by: Endpoint(.local, plain)))
                == "--cert needs an https address, but \(plain) is not one")
        let address = try connector.parse("https://home.example")
        let client = try connector.client(for: address, by: Endpoint(.local, address))
        #expect(client.proof.clientCertificate?.certificatePath == "/tmp/a.pem")
    }

    @Test("a new server is proved by its fingerprint, and by no other")
    func fingerprint() async throws {
        let setting = Setting()
        let connector = setting.connector
        let target = SignInTarget(url: "https://home.example", server: nil)
        let server = try await connector.unverifiedServer(for: target, in: ServerList())
        let shown = try await connector.certificate(of: server)
        guard
            case .proved(let proved) = try await connector.verify(
                server, showing: shown.fingerprint)
        else { return #expect(Bool(false), "the server is not proved") }
        #expect(proved.endpoint.proof == .pin(shown.pin))
        #expect(proved.client.proof.identity == .pin(shown.pin))
        let other = try #require(CertificateFingerprint(String(repeating: "0", count: 64)))
        let refused = await failure(try await connector.verify(server, showing: other))
        #expect(refused?.hasPrefix("'home.example' presents an unexpected certificate") == true)
        #expect(setting.fake.requests.isEmpty)
    }

    @Test("a certificate that does not prove a known server is never offered for confirmation")
    func known() async throws {
        let setting = Setting()
        setting.fake.disprove("home.example")
        let connector = setting.connector
        let target = SignInTarget(url: "https://home.example", server: nil)
        let server = try await connector.unverifiedServer(for: target, in: try Setting.list(home))
        #expect(server.isKnown)
        #expect(await failure(try await connector.verify(server, showing: nil)) == "another key")
    }

    @Test("files that the options name are remembered, unless they do not last")
    func files() {
        var files = TLSFiles()
        files.authorities = "/dev/null"
        files.certificate = "/etc/passwd"
        var endpoint = Endpoint(.local, "https://home.example", proof: .publicCertificate)
        var fleeting: [String] = []
        files.remember(in: &endpoint) { fleeting.append("\($0) \($1)") }
        #expect(endpoint.authorities == nil)
        #expect(endpoint.certificate == "/etc/passwd")
        #expect(files.areRemembered(in: endpoint))
        #expect(fleeting == ["--cacert /dev/null"])
    }

    @Test("a search links a server to the record whose pin it shows")
    func search() async throws {
        var setting = Setting()
        let shown = try #require(PeerCertificate(pem: Samples.certificate))
        let pinned = Setting.record(
            "pinned", Endpoint(.local, "https://old.example", proof: .pin(shown.pin)))
        setting.found = [
            DiscoveredServer(
                name: "house", host: "home.local", interface: "lo", address: "127.0.0.1",
                port: 9000),
            DiscoveredServer(
                name: "far", host: "far.local", interface: "lo", address: "192.0.2.1", port: 9000),
        ]
        setting.fake.stub(.get, "/health")
        var found: [String: ProbedServer] = [:]
        try await setting.connector.search(for: .seconds(1), among: [cabin, pinned]) {
            found[$0.server.name] = $0
            return true
        }
        #expect(found["house"]?.record?.id == pinned.id)
        #expect(found["far"]?.result.isReachable == false)
        #expect(found.count == 2)
        setting.fake.verify()
    }
}

@Suite("ServerSelection")
struct ServerSelectionTests {
    @Test("a word means one record, or is an error that names the candidates")
    func record() async throws {
        let list = try Setting.list(home, cabin)
        #expect(try list.record(of: "HOME").id == home.id)
        #expect(try list.record(of: "http://192.0.2.7:8000/").id == cabin.id)
        #expect(try list.record(of: nil).id == home.id)
        #expect(await failure(try list.record(of: "barn")) == "there is no server 'barn'")
        #expect(await failure(try ServerList().record(of: nil)) == "no server is known")
        let other = Setting.record("other", home.endpoints[0])
        let twins = try Setting.list(home, other)
        #expect(
            await failure(try twins.record(of: "https://home.example"))
                == "'https://home.example' is the address of several servers: home, other")
    }

    @Test("an operand without a scheme is a known server, else a host")
    func operand() async throws {
        let connector = Setting().connector
        let list = try Setting.list(home)
        func server(_ url: String) async throws(ServerError) -> UnverifiedServer {
            try await connector.unverifiedServer(
                for: SignInTarget(url: url, server: nil), in: list)
        }
        #expect(try await server("home").record?.id == home.id)
        let host = try await server("barn.example")
        #expect(host.client.address.description == "https://barn.example")
        #expect(!host.isKnown)
    }

    @Test("plain http needs a permission, which goes with the sign-in")
    func permission() async throws {
        let connector = Setting().connector
        var target = SignInTarget(url: "http://192.0.2.7:8000", server: nil, command: "pair")
        let list = ServerList()
        do throws(ServerError) {
            _ = try await connector.unverifiedServer(for: target, in: list)
            Issue.record("plain http is allowed")
        } catch {
            #expect(error.remedy?.contains("argus pair http://192.0.2.7:8000") == true)
        }
        target.allowsPlainHTTP = true
        let server = try await connector.unverifiedServer(for: target, in: list)
        #expect(server.allowance?.origin == server.client.address.origin)
    }

    @Test("a sign-in takes no name of another server")
    func names() async throws {
        let connector = Setting().connector
        let list = try Setting.list(home)
        let target = SignInTarget(url: "https://barn.example", server: nil, name: "home")
        #expect(
            await failure(try await connector.unverifiedServer(for: target, in: list))
                == "there is already a server named 'home'")
        #expect(
            await failure(try connector.unverifiedRelay("http://relay.example", name: nil))
                == "a relay must use https: http://relay.example")
    }
}

@Suite("SessionOpener")
struct SessionOpenerTests {
    private let token: ExplicitCredential
    private let known: KnownServers

    init() throws {
        known = try KnownServers()
        let environment = Environment(["ARGUS_API_KEY": "key"])
        token = try #require(try CredentialOverrides(environment: environment).resolve())
    }

    private func open(
        _ word: String?, _ list: ServerList, _ explicit: ExplicitCredential?
    ) async throws(ServerError) -> SignedInServer {
        let opener = SessionOpener(Setting().connector, known.secrets)
        return try await opener.open(word, in: list, with: explicit) {
            () throws(ServerError) in nil
        }
    }

    @Test("explicit credentials are sent only to a server that you name")
    func explicit() async throws {
        let list = try Setting.list(home)
        #expect(
            await failure(try await open(nil, list, token))
                == "the credentials of ARGUS_API_KEY are sent only to a server that you name")
        let named = try await open("home", list, token)
        #expect(named.record?.id == home.id)
        #expect(!named.isStored)
        let new = try await open("https://barn.example", list, token)
        #expect(new.record == nil)
        #expect(new.credentialSource == "ARGUS_API_KEY")
    }

    @Test("without credentials the hint names the address to sign in at")
    func notSignedIn() async throws {
        let list = try Setting.list(home)
        for word in [nil, "home", "https://barn.example"] {
            do throws(ServerError) {
                _ = try await open(word, list, nil)
                Issue.record("a session without a credential")
            } catch {
                let login = word == "https://barn.example" ? word : "https://home.example"
                #expect(error.remedy == "sign in with 'argus login \(login ?? "")'")
            }
        }
    }

    @Test("what a sign-out could not remove from its store is not used")
    func signedOut() async throws {
        var signedIn = home
        let list = try Setting.list(home)
        try await known.store(.file).keep(.apiKey(Redacted("api-key-7f3a")), of: home.id)
        #expect(
            await failure(try await open(nil, list, nil))
                == "not signed in to 'home'")
        signedIn.account = ServerAccount(kind: .apiKey)
        let server = try await open(nil, try Setting.list(signedIn), nil)
        #expect(server.isStored)
    }
}
