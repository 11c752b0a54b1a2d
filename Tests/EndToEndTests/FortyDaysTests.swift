import ArgusTestSupport
import Synchronization
import Testing

@testable import argus
@testable import argus_demo
@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

/// What a sign-in is worth for forty days on the rules of today's servers.
@Suite("forty days of a sign-in")
struct FortyDaysTests {
    private let machine: Machine

    init() throws {
        machine = try Machine()
    }

    @Test("a pairing with SQLite ends after a day: announced before, then status 4 for ever")
    func pairing() async throws {
        #expect(try await machine.pair() == .done)
        #expect(machine.errors.contains("this sign-in expires at 2026-11-21"))
        for hour in stride(from: 1, to: 960, by: 7) {
            machine.hours = hour
            let kind = await machine.argus("events", "list", "-n", "1", "--json")
            #expect(kind == (hour < 24 ? .done : .notSignedIn), "hour \(hour): \(machine.errors)")
            if hour >= 24 {
                #expect(machine.errors.contains(#""reason":"renewal_broken""#))
                #expect(machine.errors.contains("argus pair http://127.0.0.1:8000"))
            } else {
                #expect(await machine.argus("whoami") == .done)
                #expect(machine.errors.contains("expires at"), "hour \(hour)")
            }
        }
        #expect(try await machine.pair() == .done, "pairing again is all that is needed")
        #expect(await machine.argus("events", "list", "-n", "1") == .done)
    }

    @Test("with a key, what needs no user works for forty days; a new pairing and logout end it")
    func pairingWithKey() async throws {
        #expect(try await machine.pair("--keep-alive") == .done, "\(machine.errors)")
        for hour in stride(from: 1, to: 960, by: 7) {
            machine.hours = hour
            let list = await machine.argus("events", "list", "-n", "1")
            #expect(list == .done, "hour \(hour): \(machine.errors)")
            let devices = await machine.argus("devices", "list", "--json")
            #expect(devices == (hour < 24 ? .done : .notSignedIn), "hour \(hour)")
            #expect(await machine.argus("whoami", "--json") == .done)
            #expect(machine.errors.contains("has ended") == (hour >= 24), "\(machine.errors)")
        }
        #expect(machine.keys == [true])
        #expect(try await machine.pair("--keep-alive") == .done, "\(machine.errors)")
        #expect(machine.keys == [true], "the key that works stays")
        #expect(await machine.argus("devices", "list") == .done)
        #expect(await machine.argus("logout") == .done)
        #expect(machine.keys == [false])
        #expect(await machine.argus("events", "list", "--json") == .notSignedIn)
    }

    @Test(
        "a password that no one renews lasts a day, with a key for ever", arguments: [false, true])
    func password(withKey: Bool) async throws {
        let more = withKey ? ["--keep-alive"] : []
        #expect(try await machine.login(more) == .done, "\(machine.errors)")
        for hour in stride(from: 1, to: 960, by: 7) {
            machine.hours = hour
            let kind = await machine.argus("events", "list", "-n", "1", "--json")
            let works = withKey || hour < 24
            #expect(kind == (works ? .done : .notSignedIn), "hour \(hour): \(machine.errors)")
        }
        let kind = await machine.argus("sessions", "list", "--json")
        #expect(kind == .notSignedIn)
        #expect(machine.errors.contains("argus login http://127.0.0.1:8000"), "\(machine.errors)")
    }

    @Test("a server that fails for hours after the end of a token signs no one out")
    func passing() async throws {
        let machine = try Machine { $0.database = .postgres }
        #expect(try await machine.pair() == .done)
        machine.hours = 30
        machine.isDown = true
        for _ in 0..<5 {
            #expect(await machine.argus("events", "list", "-n", "1", "--json") == .serverError)
        }
        machine.isDown = false
        #expect(await machine.argus("events", "list", "-n", "1") == .done, "\(machine.errors)")
    }
}

/// A machine and a server in one process, by one clock.
private final class Machine: WholeAnswerTransport {
    private static let begin = Timestamp(seconds: 1_795_200_000)

    private struct State {
        var now = begin
        var isDown = false
        var errors = ""
    }

    private let state = Mutex(State())
    private let folder: TemporaryFolder
    private let service: Service

    init(_ change: (inout argus_demo.Settings) -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        var options = try Options()
        options.settings.events = 20
        options.settings.limitsRates = false
        change(&options.settings)
        service = try Service(options, now: Moment(seconds: Self.begin.seconds))
        _ = try folder.plant("argus-demo-1\n", "password")
    }

    /// The time since the beginning.
    var hours: Int {
        get { 0 }
        set {
            state.withLock { $0.now = Self.begin + .seconds(3600 * newValue) }
        }
    }

    /// True while every request gets a 503.
    var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// What the last run printed to stderr.
    var errors: String { state.withLock { $0.errors } }

    /// Whether each key that was made is valid.
    var keys: [Bool] { service.withState { $0.keys.map { $0.revokedAt == nil } } }

    func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let (now, isDown) = state.withLock { state in
            state.now = state.now + .seconds(1)
            return (state.now, state.isDown)
        }
        if isDown { return HTTPResponse(status: 503, body: Array("Service Unavailable".utf8)) }
        var headers = request.headers.map { header in
            switch header.value {
            case .plain(let text): (name: header.name, value: text)
            case .secret(let secret): (name: header.name, value: secret.reveal())
            }
        }
        if let body = request.body { headers.append(("Content-Type", body.contentType)) }
        let answer = service.answer(
            argus_demo.Request(
                method: Method(rawValue: request.method.rawValue), target: request.target,
                headers: headers, body: request.body?.bytes ?? [],
                now: Moment(microseconds: now.microseconds)))
        return HTTPResponse(
            status: answer.status, headers: HTTPHeaders(answer.headers), body: answer.content)
    }

    func login(_ more: [String]) async throws -> ExitKind {
        await argus(
            [
                "login", "http://127.0.0.1:8000", "-u", "demo", "--password-file",
                folder.file("password"),
            ] + more)
    }

    /// Pairs, with the confirmation of the demo's user.
    func pair(_ more: String...) async throws -> ExitKind {
        guard await argus("pair", "http://127.0.0.1:8000", "--no-wait") == .done else {
            return .failed
        }
        service.withState { state in
            let user = state.accounts[username: Accounts.username]?.id
            for index in state.pairings.waiting.indices {
                state.pairings.waiting[index].confirmedBy = user
            }
        }
        return await argus(["pair", "resume"] + more)
    }

    func argus(_ words: String...) async -> ExitKind { await argus(words) }

    private func argus(_ words: [String]) async -> ExitKind {
        let (out, err) = (ByteSink.memory(), ByteSink.memory())
        let paths = Paths(
            configuration: .folder(folder.path), state: .folder(folder.file("state")),
            cache: .folder(folder.file("cache")))
        let system = SystemEnvironment(
            environment: Environment(["TZ": "UTC"]), paths: paths,
            streams: Streams(out: out, err: err, terminal: .none),
            now: { self.state.withLock { $0.now } },
            sleep: { wait in self.state.withLock { $0.now = $0.now + wait } },
            makeTransport: { _, _ in self }, network: { NetworkIdentity(gateways: []) },
            lookedUpNetwork: { NetworkIdentity(gateways: []) },
            device: { DeviceIdentity(id: "0", model: "Test", system: "Test 1", name: "Linux") },
            machineID: { nil }, workingFolder: { "/" })
        let line = CommandLineReading(words) { paths.configurationFile }
        let plan = Run(line: line, system: system).plan()
        let kind =
            switch plan {
            case .over(let kind): kind
            case .work(let work): await work()
            }
        state.withLock { $0.errors = err.text }
        return kind
    }
}
