import ArgusKit

// What this machine has registered for pushes.
extension Context {
    /// What is kept of a server; nothing where the server is only named by URL.
    func storedPush(of server: SignedInServer) async throws(Failure) -> StoredPush {
        guard let record = server.record else { return StoredPush() }
        return try await storedPush(of: record)
    }

    private func storedPush(of record: ServerRecord) async throws(Failure) -> StoredPush {
        do {
            return try await presentStore(of: record).storedPush(of: record.id)
        } catch {
            throw Failure(error)
        }
    }

    /// Changes what is kept of a server, while no other process does.
    func changeKeptPush(
        of server: SignedInServer, _ change: (inout StoredPush) -> Void
    ) async throws(Failure) {
        guard let record = server.record else {
            return debug("nothing is kept of a server that is only named by its URL")
        }
        try await withSessionLock(record) { () async throws(Failure) in
            do throws(CredentialStoreError) {
                let store = presentStore(of: record)
                let before = try await store.storedPush(of: record.id)
                var after = before
                change(&after)
                if after != before { try await store.keep(after, of: record.id) }
            } catch {
                throw Failure(error)
            }
        }
    }

    /// Whether a device id is this machine's, or one that argus registered from here.
    func isMine(_ deviceID: String, _ kept: StoredPush) -> Bool {
        system.device().id.lowercased() == deviceID.lowercased()
            || !kept.registrations(of: deviceID).isEmpty
    }

    /// The device of a push command that names none: the one registered from here, else this machine.
    ///
    /// `option` is what names one.
    func pushDevice(
        _ given: String?, _ kept: StoredPush, option: String
    ) throws(Failure) -> String {
        if let given { return given }
        let ids = Set(kept.registrations.map(\.device.id))
        if ids.isEmpty || ids.contains(system.device().id) { return system.device().id }
        guard ids.count == 1, let id = ids.first else {
            throw Failure(
                .usage,
                "several devices were registered from here: "
                    + ids.sorted().joined(separator: ", "), hint: "name one with \(option)")
        }
        return id
    }

    /// Takes back what this machine registered at a server, before it is signed out of; whatever
    /// fails is told and keeps nothing else back.
    func takeBackPush(of record: ServerRecord, _ credential: Credential) async {
        do throws(Failure) {
            let kept = try await storedPush(of: record)
            guard !kept.isEmpty else { return }
            let server = try self.signedInServer(
                record, credential, from: record.credentialStore.name, renewing: true)
            for subscription in kept.subscriptions {
                await attemptTakingBack("the push subscription", of: server) {
                    () async throws(APIError) in
                    try await PushSubscriber(session: server.session)
                        .unsubscribe(subscription.endpoint) ? .registration : .nothing
                }
            }
            for registration in kept.registrations {
                let device = registration.device
                let hasBoth = kept.registrations(of: device.id).count > 1
                await attemptTakingBack("the push registration", of: server) {
                    () async throws(APIError) in
                    try await PushRegistrar(session: server.session).unregister(
                        device.id, hasBoth ? device.service : nil, mayEndAll: true)
                }
            }
        } catch {
            warn("what was registered for pushes was not taken back: \(error.message)")
        }
    }

    private func attemptTakingBack(
        _ what: String, of server: SignedInServer,
        _ work: () async throws(APIError) -> PushRegistrar.Ended
    ) async {
        do throws(Failure) {
            let ended = try await server.attempt("take \(what) back", work)
            if case .nothing = ended {
                return notice("\(what) on '\(server.name)' was gone already")
            }
            notice("\(what) on '\(server.name)' was taken back")
            if case .all = ended { notice(PushRegistrar.Ended.endOfAll(on: server.name)) }
        } catch {
            warn("\(what) was not taken back: \(error.message)")
        }
    }
}

extension PushRegistrar.Ended {
    /// The sentence for a server that ended more than the registration of one device.
    static func endOfAll(on server: String) -> String {
        "'\(server)' ended the push registrations of all devices of this account"
    }
}
