import ArgusKit
import CommandLineKit

/// The command `argus logout`.
enum Logout: ArgusCommand {
    static let about = CommandInfo(
        name: "logout", summary: "Sign out, here and on the server",
        paragraphs: [
            """
            The credentials on this machine are forgotten even when the server cannot be reached. \
            Today's servers accept an access token until it expires, whatever is signed out; the \
            command says until when. An API key stays valid until it is revoked. Of a pairing, the \
            refresh token is ended; the device stays in the server's list.
            """
        ],
        examples: [
            Example("argus logout", "Sign out of the server in use"),
            Example("argus logout --server cottage", "Sign out of 'cottage'"),
        ],
        exitStatuses: [0, 1, 2, 3, 4], fields: AccountView.fields.infos(),
        formats: OutputFormat.objects)

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: AccountView.fields, .operands(1))
        let known = try context.knownServers()
        let record = try context.knownServer(try context.serverName()?.text, in: known)
        guard let credential = try await context.storedCredential(of: record) else {
            throw Failure(
                .notSignedIn, "not signed in to '\(record.name)'", reason: "no_credentials")
        }
        if case .session = credential {
            await endSession(record, credential, in: context)
        } else {
            context.say("the API key stays valid until it is revoked on the server")
        }
        try await context.eraseCredentials(of: record)
        try await context.changeServers { list throws(ServerListError) in
            try list.change(record.id) { $0.account = nil }
        }
        try context.report(
            status(of: record, credential), with: printer, "signed out of '\(record.name)'")
    }

    /// What was ended; it needs no way to the server that is allowed here and now.
    private static func status(of record: ServerRecord, _ credential: Credential) -> AccountStatus {
        let way = record.ways.first
        return AccountStatus(
            user: nil, server: record.name, url: way?.address ?? "",
            via: way?.kind == .relay ? .relay : .local,
            signIn: (record.account?.kind ?? .password).rawValue,
            credentialSource: record.credentialStore.name, expiresAt: credential.expiresAt)
    }

    /// Ends the session at the server as far as that is possible; it never keeps the rest back.
    private static func endSession(
        _ record: ServerRecord, _ credential: Credential, in context: Context
    ) async {
        do throws(Failure) {
            if credential.isPairing {
                try await endPairing(record, credential, in: context)
            } else {
                let home = try context.home(record, credential, from: record.credentialStore.name)
                try await home.attempt("sign out") { () async throws(APIError) in
                    try await home.session.call(
                        AccountRoutes.logout, credential.refreshToken(when: context.now()))
                }
            }
        } catch {
            if error.kind == .unsupported, credential.isPairing {
                context.say("this server cannot end a pairing: remove the device in its dashboard")
            }
            // A token that the server refuses already, or a server without the route, is signed out.
            if error.kind != .notSignedIn, error.kind != .unsupported {
                context.warn("the session on the server was not ended: \(error.message)")
            }
        }
        if let expiresAt = credential.expiresAt, expiresAt > context.now() {
            let until = expiresAt.displayText(in: context.timeZone)
            context.say("the server may accept the access token until \(until)")
        }
    }
}

extension Logout {
    /// Ends a paired device's tokens; servers take the refresh token only from who has an access
    /// token too, which is renewed for that where it must be.
    private static func endPairing(
        _ record: ServerRecord, _ credential: Credential, in context: Context
    ) async throws(Failure) {
        let home = try context.home(
            record, credential, from: record.credentialStore.name, renewing: true)
        _ = await home.session.renewal?.current()
        guard case .session(let session) = await home.renewed.credential,
            let token = session.refreshToken
        else { return }
        try await home.attempt("sign out") { () async throws(APIError) in
            try await home.session.call(PairingRoutes.revoke, token)
        }
    }
}

extension Credential {
    /// Whether it is that of a paired device.
    fileprivate var isPairing: Bool {
        if case .session(let session) = self { session.kind == .mobile } else { false }
    }

    /// What names the session to the server once the access token no longer does.
    fileprivate func refreshToken(when now: Timestamp) -> Redacted<String>? {
        guard case .session(let session) = self, let expiresAt, expiresAt <= now else { return nil }
        return session.refreshToken
    }
}
