import FoundationEssentials
import Synchronization

@testable package import ArgusAccount
@testable package import ArgusCore
@testable package import ArgusTransport

/// A stored sign-in on a server that answers from a script, at a time of the test's choosing.
package final class RenewalFixture: Sendable {
    package static let refresh = "/api/v1/auth/refresh"
    package static let mobileRefresh = "/api/v1/mobile/auth/refresh"
    package static let login = "/api/v1/auth/login"
    package static let me = "/api/v1/auth/me"
    package static let begin = Timestamp(seconds: 1_795_200_000)

    package let fake = FakeTransport()
    package let folder: TemporaryFolder
    package let store: SealedFileStore
    package let reported = MessageLog()
    package let waits = MessageLog()
    package let server = ServerID.random()
    private let clock = Mutex(begin)

    package init() throws {
        folder = try TemporaryFolder()
        store = SealedFileStore(.folder(folder.path), machine: nil) { _ in }
    }

    package var now: Timestamp {
        get { clock.withLock { $0 } }
        set { clock.withLock { $0 = newValue } }
    }

    /// A JWT that lives an hour from `begin` plus `seconds`, told apart by `name`.
    package static func token(_ name: String, at seconds: Int64 = 0, lifetime: Int64 = 36_000)
        -> String
    {
        let iat = begin.seconds + seconds
        let claims = #"{"sub":"\#(name)","username":"ann","iat":\#(iat),"exp":\#(iat + lifetime)}"#
        let payload = Data(claims.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return "e30.\(payload).c2ln"
    }

    /// An answer with tokens.
    package static func answer(_ access: String, _ refresh: String?) -> String {
        let member = refresh.map { #","refresh_token":"\#($0)""# } ?? ""
        return #"{"access_token":"\#(access)"\#(member),"token_type":"bearer"}"#
    }

    /// A sign-in of ten hours from `begin`, with the refresh token `r1`.
    package static func session(
        _ kind: StoredSession.Kind = .web, refresh: String? = "r1"
    ) -> StoredSession {
        StoredSession(
            kind: kind, accessToken: Redacted(token("a1")),
            refreshToken: refresh.map(Redacted.init), deviceRowID: kind == .mobile ? "row-1" : nil,
            username: "ann", issuedAt: begin)
    }

    package func keep(_ session: StoredSession) async throws {
        try await store.keep(.session(session), of: server)
    }

    package func kept() async throws -> StoredSession? {
        guard case .session(let session)? = try await store.credential(of: server) else {
            return nil
        }
        return session
    }

    /// A run of argus that has read `session` from the store; the waits for the lock pass at once
    /// unless `lockSleep` says otherwise.
    package func run(
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
    package func signedIn(_ session: StoredSession = session()) async throws -> Session {
        try await keep(session)
        return run(session)
    }

    /// Takes the lock of the sign-in, as a process does that hangs afterwards.
    package func lock() async throws -> FileLock? {
        let environment = StateEnvironment(
            .folder(folder.path), now: { self.now }, sleep: { _ in }, notify: { _ in })
        return try await environment.takeSessionLock(server)
    }

    package func remember(_ password: String) async throws {
        try await store.write(
            Redacted(Array(password.utf8)), for: CredentialKey(server, .password))
    }

    /// The bearer tokens of the requests to a path, by the names of their tokens.
    package func bearers(of target: String) -> [String] {
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
    package func bodies(of target: String) -> [String] {
        fake.requests.filter { $0.target == target }.map {
            String(decoding: $0.body?.bytes ?? [], as: UTF8.self)
        }
    }

    package func callMe(_ session: Session) async -> APIError? {
        await failure { () async throws(APIError) in
            try await session.call(AccountRoutes.me, ())
        }
    }
}
