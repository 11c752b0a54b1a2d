@testable import ArgusKit
import ArgusTestSupport
import FoundationEssentials
import Synchronization

/// A stored sign-in on a server that answers from a script, at a time of the test's choosing.
final class RenewalFixture: Sendable {
    static let refresh = "/api/v1/auth/refresh"
    static let mobileRefresh = "/api/v1/mobile/auth/refresh"
    static let login = "/api/v1/auth/login"
    static let me = "/api/v1/auth/me"
    static let begin = Timestamp(seconds: 1_795_200_000)

    let fake = FakeTransport()
    let folder: TemporaryFolder
    let store: SealedFileStore
    let reported = MessageLog()
    let waits = MessageLog()
    let server = ServerID.random()
    private let clock = Mutex(begin)

    init() throws {
        folder = try TemporaryFolder()
        store = SealedFileStore(.folder(folder.path), machine: nil) { _ in }
    }

    var now: Timestamp {
        get { clock.withLock { $0 } }
        set { clock.withLock { $0 = newValue } }
    }

    /// A JWT that lives an hour from `begin` plus `seconds`, told apart by `name`.
    static func token(_ name: String, at seconds: Int64 = 0, lifetime: Int64 = 36_000) -> String {
        let iat = begin.seconds + seconds
        let claims = #"{"sub":"\#(name)","username":"ann","iat":\#(iat),"exp":\#(iat + lifetime)}"#
        let payload = Data(claims.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return "e30.\(payload).c2ln"
    }

    /// An answer with tokens.
    static func answer(_ access: String, _ refresh: String?) -> String {
        let member = refresh.map { #","refresh_token":"\#($0)""# } ?? ""
        return #"{"access_token":"\#(access)"\#(member),"token_type":"bearer"}"#
    }

    /// A sign-in of ten hours from `begin`, with the refresh token `r1`.
    static func session(
        _ kind: StoredSession.Kind = .web, refresh: String? = "r1"
    ) -> StoredSession {
        StoredSession(
            kind: kind, accessToken: Redacted(token("a1")),
            refreshToken: refresh.map(Redacted.init), deviceRowID: kind == .mobile ? "row-1" : nil,
            username: "ann", issuedAt: begin)
    }

    func keep(_ session: StoredSession) async throws {
        try await store.keep(.session(session), of: server)
    }

    func kept() async throws -> StoredSession? {
        guard case .session(let session)? = try await store.credential(of: server) else {
            return nil
        }
        return session
    }

    /// A run of argus that has read `session` from the store; the waits for the lock pass at once
    /// unless `lockSleep` says otherwise.
    func run(
        _ session: StoredSession, offset: Duration? = nil, on client: APIClient? = nil,
        lockSleep: FileLock.Sleep? = nil, target: EndpointTarget? = nil, key: String? = nil
    ) -> Session {
        let client = client ?? .test(fake)
        let state = Paths.Folder.folder(folder.path)
        let waits = waits
        let procedure = RenewalProcedure(
            by: client, of: server, in: store,
            StateEnvironment(
                state, now: { self.now }, sleep: lockSleep ?? { waits.add("\($0)") },
                notify: reported.add), target: { target })
        return Session(
            client: client, authorization: .bearer(session.accessToken),
            renewal: TokenRenewal(
                session, offset: offset, procedure: procedure, key: { key.map(Redacted.init) }))
    }

    /// Stores the sign-in and starts a run with it.
    func signedIn(_ session: StoredSession = session()) async throws -> Session {
        try await keep(session)
        return run(session)
    }

    /// Takes the lock of the sign-in, as a process does that hangs afterwards.
    func lock() async throws -> FileLock? {
        let environment = StateEnvironment(
            .folder(folder.path), now: { self.now }, sleep: { _ in }, notify: { _ in })
        return try await environment.takeSessionLock(server)
    }

    func remember(_ password: String) async throws {
        try await store.write(
            Redacted(Array(password.utf8)), for: CredentialKey(server, .password))
    }

    /// The bearer tokens of the requests to a path, by the names of their tokens.
    func bearers(of target: String) -> [String] {
        fake.requests.filter { $0.target == target }.map { request in
            for header in request.headers where header.name == "Authorization" {
                guard case .secret(let value) = header.value else { continue }
                let token = Redacted(String(value.reveal().dropFirst("Bearer ".count)))
                return JWTClaims(token)?.subject ?? "?"
            }
            return "none"
        }
    }

    /// The bodies of the requests to a path.
    func bodies(of target: String) -> [String] {
        fake.requests.filter { $0.target == target }.map {
            String(decoding: $0.body?.bytes ?? [], as: UTF8.self)
        }
    }

    func callMe(_ session: Session) async -> APIError? {
        await failure { () async throws(APIError) in
            try await session.call(AccountRoutes.me, ())
        }
    }
}
