import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo
@testable import ArgusAccount
@testable import ArgusCore

/// A demo on a real socket and a HOME that the built `argus` is signed in from.
final class RenewalFixture {
    let server: Server
    private let folder: TemporaryFolder
    private let log: String
    private let password: String
    private let state: Paths.Folder
    private let user: argus_demo.User

    init(_ settings: [String]) throws {
        folder = try TemporaryFolder()
        log = folder.file("log")
        let words = ["--events", "5", "--rate", "0", "--rate-limits", "off", "--log", log]
        server = try Server(try Options(words + settings), port: 0)
        state = .folder(folder.file(".local/state/argus"))
        user = try #require(server.service.withState { $0.accounts[username: "demo"] })
        password = try folder.plant("argus-demo-1\n", "password")
        try signIn()
    }

    deinit { server.stop() }

    /// Signs in with the password.
    func signIn() throws {
        let status = try start([
            "login", server.url, "--username", "demo", "--password-file", password,
        ]).wait()
        try #require(status == 0, "the sign-in failed: \(output())")
    }

    private var store: SealedFileStore {
        SealedFileStore(state, machine: try? MachineID.read()) { _ in }
    }

    private func id() throws -> ServerID {
        try #require(try ServerDirectory(state, notify: { _ in }).load().defaultServer?.id)
    }

    /// The sign-in as it is stored now.
    func kept() async throws -> StoredSession? {
        guard case .session(let session)? = try await store.credential(of: try id()) else {
            return nil
        }
        return session
    }

    /// Puts an access token that has just ended in the place of the stored one, or one that is near
    /// its end; the server made it.
    func endToken(in seconds: Int64 = -1) async throws {
        var session = try #require(try await kept())
        session.accessToken = endedToken(in: seconds)
        try await store.keep(.session(session), of: try id())
    }

    /// Makes the sign-in that of a paired device, with a refresh token of its own and an access
    /// token that has just ended.
    func pairWithEndedToken() async throws {
        let now = Moment.now
        let (row, token) = server.service.withState { state in
            let pairing = Pairing(
                code: "123456", hardwareID: "hw", name: nil, model: nil, platform: "ios",
                createdAt: now, expiresAt: now + 300)
            let row = state.devices.pair(pairing, user.id, now: now)
            return (row, state.pairings.issueRefreshToken(for: row, user: user.id, now: now))
        }
        let session = StoredSession(
            kind: .mobile, accessToken: endedToken(), refreshToken: Redacted(token),
            deviceRowID: row.text, username: user.username)
        try await store.keep(.session(session), of: try id())
    }

    /// Whether the server still takes the access token of a sign-in, or its refresh token.
    func canContinue(_ session: StoredSession) -> Bool {
        let now = Moment.now
        if let claims = JWTClaims(session.accessToken), let end = claims.expiresAt,
            end > Timestamp.current()
        {
            return true
        }
        guard let token = session.refreshToken?.reveal() else { return false }
        return server.service.withState { state in
            if session.kind == .web {
                return state.sessions.index(refreshToken: token, now: now) != nil
            }
            return state.pairings.tokens.contains {
                $0.token == token && $0.replacedAt.map { $0 + 30 > now } != false
            }
        }
    }

    /// How long so many runs at once take, in whole milliseconds.
    func milliseconds(ofRuns count: Int) throws -> Int {
        let start = ContinuousClock.now
        try #require(try runAtOnce(count) == count, "\(output())")
        let parts = (ContinuousClock.now - start).components
        return Int(parts.seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000)
    }

    /// Moves the sign-in from the sealed file to a helper.
    func moveToHelper() throws {
        try ToyHelper.install(in: folder.path)
        let status = try start(["server", "set", try id().text, "--store", "helper:toy"]).wait()
        try #require(status == 0, "\(output())")
    }

    /// Has the server fail from now on.
    func fail(_ faults: String...) throws {
        server.service.replaceFaults(by: try faults.map { try Fault(parsing: $0) })
    }

    private func endedToken(in seconds: Int64 = -1) -> Redacted<String> {
        let now = Moment.now
        return server.service.withState { state in
            Redacted(
                state.signer.sign(
                    TokenSigner.Claims(
                        subject: user.id.text, username: user.username, expires: now + seconds,
                        issued: now + -3600)))
        }
    }

    /// Starts argus, which is ended after a minute unless it is held: then it waits for SIGCONT.
    func start(_ words: [String], isHeld: Bool = false) throws -> ChildProcess {
        let limit = isHeld ? ["sh", "-c", "kill -STOP $$; exec \"$@\"", "sh"] : ["timeout", "60"]
        let environment = [
            "env", "-i", "PATH=/usr/bin:/bin:\(folder.path)/bin", "HOME=\(folder.path)",
        ]
        let child = try ChildProcess(
            environment + limit + ["\(TemporaryHome.binaries)/argus"] + words,
            output: folder.file("output"))
        // A SIGCONT that comes before it has stopped would be lost.
        if isHeld { waitpid(child.id, nil, WUNTRACED) }
        return child
    }

    /// Runs so many argus at once and returns how many of them succeeded.
    func runAtOnce(_ count: Int) throws -> Int {
        let children = try (0..<count).map { _ in try start(["events", "list", "-n", "1"]) }
        return children.map { $0.wait() }.count { $0 == 0 }
    }

    /// Starts so many argus at once, sends each one of the signals, or two, at a random moment of the
    /// next milliseconds, and returns how many died of it.
    func killAtRandom(
        _ count: Int, within milliseconds: Int, by signals: [Int32] = [SIGKILL]
    ) throws -> Int {
        // Starting takes longer than the first of them needs: so all begin together.
        let children = try (0..<count).map { _ in
            try self.start(["events", "list", "-n", "1"], isHeld: true)
        }
        for child in children { kill(child.id, SIGCONT) }
        let start = ContinuousClock.now
        let doomed = children.map { child in
            (start + .milliseconds(Int.random(in: 1...milliseconds)), child)
        }.sorted { $0.0 < $1.0 }
        for (moment, child) in doomed {
            let left = (moment - ContinuousClock.now) / .milliseconds(1)
            if left > 0 { poll(nil, 0, Int32(left)) }
            for _ in 0...Int.random(in: 0...1) {
                kill(child.id, signals.randomElement() ?? SIGKILL)
            }
        }
        let died = doomed.map { $0.1.wait() }.count { $0 == -1 }
        try awaitEndOfConnections()
        return died
    }

    /// Waits until the server has closed every connection: a request outlives the killed process
    /// that sent it, and may renew the sign-in later.
    private func awaitEndOfConnections() throws {
        let server = String(server.port, radix: 16, uppercase: true)
        let (listens, waitsAfterClose) = ("0A", "06")
        let limit = ContinuousClock.now + .seconds(30)
        while true {
            let table = FileContents.text(of: "/proc/net/tcp", limit: 8 << 20)
            let isOpen = table.split(separator: "\n").contains {
                let columns = $0.split(separator: " ")
                return columns.count > 3 && columns[1].hasSuffix(":\(server)")
                    && columns[3] != listens && columns[3] != waitsAfterClose
            }
            guard isOpen else { return }
            try #require(ContinuousClock.now < limit, "the server still has connections")
            poll(nil, 0, 2)
        }
    }

    /// How many web sessions live at the server.
    var sessions: Int { server.service.withState { $0.sessions.all.count } }

    /// How many renewals the server was asked for.
    func renewals() throws -> Int {
        try folder.text("log").split(separator: "\n").count { $0.contains("auth/refresh") }
    }

    /// What the runs wrote, for the message of a failed check.
    func output() -> String { (try? folder.text("output")) ?? "" }
}
