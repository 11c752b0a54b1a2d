// The renewals of stored sign-ins.
extension ServerSecrets {
    /// The time before the last renewal in which the user is warned.
    private static let warningTime = Duration.seconds(7 * 86_400)

    /// The shared count of sign-ins.
    package var budget: SignInBudget {
        SignInBudget(environment.place, sleep: environment.sleep)
    }

    /// Makes the renewal of a stored sign-in; nil for a key or a token that the user provided.
    ///
    /// `target` returns the endpoint in use; nil if it is the client's.
    package func renewal(
        of record: ServerRecord, _ credential: Credential, by client: APIClient,
        target: @escaping @Sendable () -> EndpointTarget?
    ) -> TokenRenewal? {
        guard case .session(let session) = credential, session.kind != .imported else {
            return nil
        }
        let store = store(of: record)
        let methods = RenewalMethods(
            client: client, store: store, budget: budget, now: environment.now,
            sleep: environment.pause, target: target)
        let procedure = RenewalProcedure(methods, of: record.id, in: store, environment)
        return TokenRenewal(session, offset: record.clockOffset, procedure: procedure)
    }

    /// The end of renewals if it is less than 7 days ahead, and whether it has passed.
    ///
    /// Nil if it is later or unknown, or if a stored password makes it irrelevant.
    package func lastRenewal(
        of server: SignedInServer
    ) async -> (until: Timestamp, hasPassed: Bool)? {
        guard let record = server.record, let renewal = server.session.renewal,
            let until = await renewal.session.renewableUntil
        else { return nil }
        let left = await until - renewal.serverTime
        guard left < Self.warningTime, await !hasPassword(record) else { return nil }
        return (until, left <= .zero)
    }

    private func hasPassword(_ record: ServerRecord) async -> Bool {
        let key = CredentialKey(record.id, .password)
        let store = try? stores.open(record.credentialStore)
        guard let value = try? await store?.read(key) else { return false }
        return !value.reveal().isEmpty
    }
}
