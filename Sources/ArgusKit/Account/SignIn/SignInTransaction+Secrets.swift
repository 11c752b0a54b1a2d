import ArgusCore

// The secrets of a sign-in: stored, read back, or restored.
extension SignInTransaction {
    /// Stores the secrets of a sign-in.
    ///
    /// The largest comes first, so that a store without space for it has lost nothing.
    ///
    /// - Returns: The error for the password, if it could not be stored or removed.
    /// - Throws: `StoringProblem` if the sign-in is not stored.
    func store(
        _ account: VerifiedAccount, of record: ServerRecord, in storeKind: CredentialStoreKind,
        isFresh: Bool, isReplacing: Bool, dropsKey: Bool
    ) async throws(StoringProblem) -> AccountError? {
        let (signIn, key) = (CredentialKey(record.id), CredentialKey(record.id, .password))
        let value = account.credential.encoded()
        let store: any CredentialStore
        let earlier: EarlierValue
        do throws(AccountError) {
            store = try secrets.stores.open(storeKind)
            earlier =
                isFresh ? .success(nil) : await EarlierValue(awaiting: try await store.read(signIn))
            try await store.write(value, for: signIn)
        } catch {
            throw StoringProblem(cause: error, isAsBefore: true)
        }
        do throws(AccountError) {
            // A store that is unavailable at the moment has not lost anything.
            guard (try? await store.read(signIn) == value) != false else {
                throw .loses(store: store.name)
            }
            // A password must never stay with the sign-in of another user.
            if isReplacing { try await store.erase(key) }
            // Nor must the key of another user.
            if dropsKey { try await store.erase(CredentialKey(record.id, .apiKey)) }
        } catch {
            let isAsBefore = await putBack(earlier, for: signIn, in: store)
            throw StoringProblem(cause: error, isAsBefore: isAsBefore)
        }
        do throws(AccountError) {
            guard let password = account.password else {
                if !isReplacing { try await store.erase(key) }
                return nil
            }
            let bytes = Redacted(Array(password.reveal().utf8))
            try await insisting(while: \.mayPass, pausing: environment.pause) {
                () async throws(AccountError) in
                try await store.write(bytes, for: key)
                try await store.expectKept(bytes, for: key)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Restores the earlier sign-in of a store, or else erases the new one; true if it is restored.
    private func putBack(
        _ earlier: EarlierValue, for key: CredentialKey, in store: any CredentialStore
    ) async -> Bool {
        do throws(AccountError) {
            guard case .success(let value?) = earlier else {
                try await store.erase(key)
                return earlier == .success(nil)
            }
            try await store.write(value, for: key)
            return try await store.read(key) == value
        } catch {
            environment.debug(
                "the sign-in is left in the \(store.name), where no record names it: \(error)")
            return false
        }
    }
}

/// The sign-in that a store had before; nil if there was none.
private typealias EarlierValue = Result<Redacted<[UInt8]>?, AccountError>

/// The reason why the secrets of a sign-in are not stored.
struct StoringProblem: Error {
    var cause: AccountError
    /// True if the store still has, or has again, its earlier secrets.
    var isAsBefore: Bool
}
