import ArgusKit

/// The server that a command talks to, with the credentials that it uses.
struct SignedInServer: Sendable, ServerOperations {
    /// The record of the server; nil for one that was only named by URL.
    var record: ServerRecord?
    /// What the person calls it.
    var name: String
    var session: Session
    var credential: Credential
    /// Where the credential comes from, such as `sealed file`.
    var credentialSource: String
    /// What knows by which way the server is reached; nil for one that was only named by URL.
    var endpoints: FailoverTransport?

    /// The kind of way in use.
    var via: Via { endpoints?.current?.kind == .relay ? .relay : .local }

    /// The address in use.
    var address: ServerAddress { endpoints?.current?.address ?? session.client.address }

    func failure(_ error: APIError, doing: String) async -> Failure {
        let endpoint = record?.endpoints.first { $0.leads(to: session.client.address.description) }
        return await Failure(error, doing: doing, on: name, remedy: remedy)
            .showing(certificateOf: session.client, error, on: name, trusted: endpoint)
    }

    /// What to do when the server refuses the credentials.
    private var remedy: String {
        let login = "argus login \(session.client.address)"
        guard isStored else {
            return "the credentials are those of \(credentialSource)"
        }
        return switch credential {
        case .session: "sign in again with '\(login)'"
        case .apiKey: "use another key with '\(login) --api-key-stdin'"
        }
    }

    /// Whether the credential is the one that is kept of the server, and not one of this run.
    var isStored: Bool { credentialSource == record?.credentialStore.name }

    /// The home with the credential as renewals have left it.
    var renewed: SignedInServer {
        get async {
            guard let renewal = session.renewal else { return self }
            var server = self
            server.credential = .session(await renewal.session)
            return server
        }
    }

    /// The access token; nil when the server is used with an API key.
    var accessToken: Redacted<String>? {
        if case .session(let session) = credential { session.accessToken } else { nil }
    }

    /// When the access token ends, as far as anybody knows.
    var expiresAt: Timestamp? { credential.expiresAt }

    /// The account as `whoami` shows it.
    func status(of user: User?) -> AccountStatus {
        let kind: ServerAccount.Kind =
            switch credential {
            case .apiKey: .apiKey
            // A token of this run says nothing of how the record's own account signed in.
            case .session(let session) where session.kind == .imported: .token
            case .session: record?.account?.kind ?? .token
            }
        return AccountStatus(
            user: user, server: name, url: address.description, via: via,
            signIn: kind.rawValue, credentialSource: credentialSource, expiresAt: expiresAt)
    }
}

/// A server that is asked something without credentials, such as before a sign-in.
struct UnverifiedServer: Sendable, ServerOperations {
    var name: String
    var client: APIClient
    /// The record that was named, whatever account it has had.
    var record: ServerRecord?
    /// Whether the person chose the name.
    var isNameGiven = false
    /// Whether somebody signed in at the address before, so that its proof stands.
    var isKnown = false
    /// The way as a record would keep it.
    var endpoint: Endpoint
    /// What knows by which way a known server is reached.
    var endpoints: FailoverTransport?
    /// The permission of plain http that goes with it.
    var allowance: PlainHTTPAllowance?

    /// What to call it before it has its name: the host as it was typed, which a name for it may
    /// only resemble.
    var title: String {
        let host = client.address.origin.host
        let namesItself = host.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: ":") }
        return isNameGiven || isKnown || namesItself ? name : host
    }

    func failure(_ error: APIError, doing: String) async -> Failure {
        await Failure(error, doing: doing, on: title, remedy: "check what you sign in with")
            .showing(certificateOf: client, error, on: title, trusted: isKnown ? endpoint : nil)
    }
}

/// Credentials that a server has accepted, about to be kept.
struct VerifiedAccount: Sendable {
    var kind: ServerAccount.Kind
    /// nil for an API key, which belongs to no user that the server tells.
    var user: User?
    var credential: Credential
    var mustChangePassword: Bool
    /// The password to keep for later sign-ins.
    var password: Redacted<String>?
    /// The server's clock less ours, where its answer told.
    var clockOffset: Duration?
    /// When the pairing was begun that gave the tokens.
    var pairedAt: Timestamp?

    var username: String? { user?.username }

    /// Who it is, in words.
    var displayName: String {
        kind == .apiKey ? "the owner of an API key" : "'\(username ?? "an unknown user")'"
    }
}

extension Credential {
    /// When the access token ends: by its own claim, else as the server said; a key tells nothing.
    var expiresAt: Timestamp? {
        if case .session(let session) = self { session.endsAt } else { nil }
    }

    /// What a request carries of it.
    var authorization: Authorization {
        switch self {
        case .session(let session): session.authorization
        case .apiKey(let key): .apiKey(key)
        }
    }
}
