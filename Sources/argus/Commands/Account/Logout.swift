import ArgusKit
import CommandLineKit

/// The command `argus logout`.
enum Logout: ArgusCommand {
    struct Options: Sendable, Equatable {
        var keepsPush = false
    }

    static let about = CommandInfo(
        name: "logout", summary: "Sign out, here and on the server",
        paragraphs: [
            """
            The credentials on this machine are forgotten even when the server cannot be reached. \
            Today's servers accept an access token until it expires, whatever is signed out; the \
            command says until when. An API key stays valid until it is revoked. Of a pairing, the \
            refresh token is ended; the device stays in the server's list.
            """,
            """
            A push registration or subscription that argus made on this machine is taken back \
            first, as far as the server can be reached; \(flag: "keep-push") leaves it, and argus \
            knows it again after the next sign-in.
            """,
        ],
        examples: [
            Example("argus logout", "Sign out of the server in use"),
            Example("argus logout --server cottage", "Sign out of 'cottage'"),
        ],
        exitStatuses: [0, 1, 2, 3, 4], fields: AccountView.fields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()

    static let flags: [Flag<Options>] = [
        .toggle("keep-push", sets: \.keepsPush, "Leave push registrations as they are")
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: AccountView.fields, .operands(1))
        let known = try context.knownServers()
        let record = try context.knownServer(try context.serverName()?.text, in: known)
        guard let credential = try await context.storedCredential(of: record) else {
            throw Failure(
                .notSignedIn, "not signed in to '\(record.name)'", reason: "no_credentials")
        }
        try await context.signOut(of: record, credential, keepsPush: options.keepsPush)
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
}
