import ArgusKit

// The services of sign-ins and their secrets.
extension Context {
    /// The secrets of the known servers.
    var secrets: ServerSecrets {
        let context = self
        let stores = CredentialStores(
            system.paths.state, passphrase: passphrase, environment: system.environment,
            machine: system.machineID, keyring: system.keyring, silences: silences
        ) { notice in
            switch notice {
            case .keySetAside(let path):
                context.warn("a damaged key file was set aside as '\(path)'; sign in again")
            case .notBound:
                context.debug(
                    "this machine has no id in /etc/machine-id: a copy of the home folder would "
                        + "hold the sign-in too")
            }
        }
        let environment = StateEnvironment(
            system.paths.state, now: now, sleep: system.sleep, notify: warn, debug: debug)
        return ServerSecrets(in: stores, of: directory, environment)
    }

    /// The transaction that keeps new sign-ins.
    ///
    /// - Throws: `Failure` 2 for a store that the configuration names wrongly.
    func signInTransaction() throws(Failure) -> SignInTransaction {
        SignInTransaction(
            secrets, chosenStore: try chosenStore(), replacesEndpoint: isGivenFiles)
    }

    /// The store that the user chose for new sign-ins; nil without a choice.
    func chosenStore() throws(Failure) -> CredentialStoreKind? {
        try setting(.credentialStore).flatMap { CredentialStoreKind($0.text) }
    }

    /// Makes sure, before a sign-in is begun, that it can be kept: servers allow few.
    ///
    /// - Throws: `Failure` of the state folder or of the store.
    func checkChosenStore() async throws(Failure) {
        let chosen = try chosenStore() ?? .file
        try expectWritableState()
        do throws(CredentialStoreError) {
            try await secrets.stores.expectUsable(chosen)
        } catch {
            throw Failure(error)
        }
    }

    /// Warns when a sign-in can soon be renewed no longer, where that is known.
    func warnOfLastRenewal(_ server: SignedInServer) async {
        if let warning = await renewalWarning(server) { warn(warning) }
    }

    /// The warning for a sign-in that can be renewed for less than 7 more days; nil for another.
    func renewalWarning(_ server: SignedInServer) async -> String? {
        guard let last = await secrets.lastRenewal(of: server) else { return nil }
        return last.hasPassed
            ? "this sign-in can be renewed no longer; sign in again with 'argus login'"
            : "this sign-in can be renewed until \(last.until.displayText(in: timeZone)); "
                + "after that sign in again"
    }
}
