package import ArgusCore
package import ArgusTransport

/// A server with the credentials of a command.
package struct SignedInServer: Sendable {
    /// The record; nil for a server named only by URL.
    package var record: ServerRecord?
    /// The name in messages: that of the record, else the URL.
    package var name: String
    package var session: Session
    package var credential: Credential
    /// The source of the credential, such as `sealed file`.
    package var credentialSource: String
    /// The transport that selects the endpoint; nil for a server named only by URL.
    package var endpoints: FailoverTransport?

    /// The kind of endpoint in use.
    package var via: Via { endpoints?.current?.kind == .relay ? .relay : .local }

    /// The address in use.
    package var address: ServerAddress { endpoints?.current?.address ?? session.client.address }

    /// True if the credential is the stored one, not one of this run.
    package var isStored: Bool { credentialSource == record?.credentialStore.name }

    /// The server with its credential after renewals.
    package var renewed: SignedInServer {
        get async {
            guard let renewal = session.renewal else { return self }
            var server = self
            server.credential = .session(await renewal.session)
            if let key = await renewal.standIn() { server.credential = .apiKey(key) }
            return server
        }
    }

    /// The access token; nil for an API key.
    package var accessToken: Redacted<String>? {
        if case .session(let session) = credential { session.accessToken } else { nil }
    }

    /// Writes the learnt routes and clock offset of the server to its record.
    ///
    /// - Throws: `AccountError`; a lack of this knowledge only costs time.
    package func keepKnowledge(
        in directory: ServerDirectory, at moment: Timestamp
    ) async throws(AccountError) {
        let knowledge = session.client.knowledge
        let offset = await session.renewal?.learntOffset
        guard let record, knowledge.isChanged || offset != nil else { return }
        try await directory.update { list throws(AccountError) in
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
    /// Nil for an API key, for which no route names the user.
    package var user: User?
    package var credential: Credential
    package var mustChangePassword = false
    /// The password to store for later sign-ins.
    package var password: Redacted<String>?
    /// The server's clock minus the local one; nil if its answer had no date.
    package var clockOffset: Duration?
    /// The beginning of the pairing that brought the tokens.
    package var pairedAt: Timestamp?

    package var username: String? { user?.username }

    /// The account in a sentence.
    package var displayName: String {
        kind == .apiKey ? "the owner of an API key" : "'\(username ?? "an unknown user")'"
    }
}

extension Credential {
    /// The expiry of the access token by the server's clock; nil for an API key or if unknown.
    package var expiresAt: Timestamp? {
        if case .session(let session) = self { session.endsAt } else { nil }
    }

    /// The authorization of its requests.
    package var authorization: Authorization {
        switch self {
        case .session(let session): session.authorization
        case .apiKey(let key): .apiKey(key)
        }
    }
}
