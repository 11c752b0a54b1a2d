/// A server with the credentials that a command uses there.
package struct SignedInServer: Sendable {
    /// The record of the server; nil for one that was only named by URL.
    package var record: ServerRecord?
    /// The name in messages: that of the record, else the URL.
    package var name: String
    package var session: Session
    package var credential: Credential
    /// The source of the credential, such as `sealed file`.
    package var credentialSource: String
    /// The transport that selects the endpoint; nil for a server that was only named by URL.
    package var endpoints: FailoverTransport?

    package init(
        record: ServerRecord? = nil, name: String, session: Session, credential: Credential,
        credentialSource: String, endpoints: FailoverTransport? = nil
    ) {
        self.record = record
        self.name = name
        self.session = session
        self.credential = credential
        self.credentialSource = credentialSource
        self.endpoints = endpoints
    }

    /// The kind of endpoint in use.
    package var via: Via { endpoints?.current?.kind == .relay ? .relay : .local }

    /// The address in use.
    package var address: ServerAddress { endpoints?.current?.address ?? session.client.address }

    /// True if the credential is the stored one, not one of this run.
    package var isStored: Bool { credentialSource == record?.credentialStore.name }

    /// The server with the credential as renewals have left it.
    package var renewed: SignedInServer {
        get async {
            guard let renewal = session.renewal else { return self }
            var server = self
            server.credential = .session(await renewal.session)
            return server
        }
    }

    /// The access token; nil when the server is used with an API key.
    package var accessToken: Redacted<String>? {
        if case .session(let session) = credential { session.accessToken } else { nil }
    }

    /// When the access token ends; nil where that is unknown.
    package var expiresAt: Timestamp? { credential.expiresAt }

    /// Writes what was learnt of the server's routes and clock to its record.
    ///
    /// - Throws: `ServerDirectoryError`; missing the knowledge only costs time.
    package func keepKnowledge(
        in directory: ServerDirectory, at moment: Timestamp
    ) async throws(ServerDirectoryError) {
        let knowledge = session.client.knowledge
        let offset = await session.renewal?.learntOffset
        guard let record, knowledge.isChanged || offset != nil else { return }
        try await directory.update { list throws(ServerListError) in
            try list.change(record.id) { record in
                if knowledge.isChanged { record.knowledge.learn(knowledge, at: moment) }
                record.clockOffset = offset ?? record.clockOffset
            }
        }
    }
}

/// Credentials that a server has accepted, about to be stored.
package struct VerifiedAccount: Sendable {
    package var kind: ServerAccount.Kind
    /// nil for an API key, for which no route names the user.
    package var user: User?
    package var credential: Credential
    package var mustChangePassword: Bool
    /// The password to store for later sign-ins.
    package var password: Redacted<String>?
    /// The server's clock less ours; nil where its answer has no date.
    package var clockOffset: Duration?
    /// When the pairing began that gave the tokens.
    package var pairedAt: Timestamp?

    package init(
        kind: ServerAccount.Kind, user: User? = nil, credential: Credential,
        mustChangePassword: Bool = false, password: Redacted<String>? = nil,
        clockOffset: Duration? = nil, pairedAt: Timestamp? = nil
    ) {
        self.kind = kind
        self.user = user
        self.credential = credential
        self.mustChangePassword = mustChangePassword
        self.password = password
        self.clockOffset = clockOffset
        self.pairedAt = pairedAt
    }

    package var username: String? { user?.username }

    /// The account in a sentence.
    package var displayName: String {
        kind == .apiKey ? "the owner of an API key" : "'\(username ?? "an unknown user")'"
    }
}

extension Credential {
    /// When the access token ends, by its own claim, else as the server said; nil for an API key.
    package var expiresAt: Timestamp? {
        if case .session(let session) = self { session.endsAt } else { nil }
    }

    /// The authorization that a request carries.
    package var authorization: Authorization {
        switch self {
        case .session(let session): session.authorization
        case .apiKey(let key): .apiKey(key)
        }
    }
}
