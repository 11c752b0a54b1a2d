import ArgusKit

// What this machine has registered for pushes.
extension Context {
    /// What is kept of a server; nothing where the server is only named by URL.
    func keptPush(of home: Home) async throws(Failure) -> KeptPush {
        guard let record = home.record else { return KeptPush() }
        return try await keptPush(of: record)
    }

    private func keptPush(of record: ServerRecord) async throws(Failure) -> KeptPush {
        do {
            return try await presentStore(of: record).keptPush(of: record.id)
        } catch {
            throw Failure(error)
        }
    }

    /// Changes what is kept of a server, while no other process does.
    func changeKeptPush(
        of home: Home, _ change: (inout KeptPush) -> Void
    ) async throws(Failure) {
        guard let record = home.record else {
            return note("nothing is kept of a server that is only named by its URL")
        }
        try await whileNothingRenews(record) { () async throws(Failure) in
            do throws(CredentialStoreError) {
                let store = presentStore(of: record)
                let before = try await store.keptPush(of: record.id)
                var after = before
                change(&after)
                if after != before { try await store.keep(after, of: record.id) }
            } catch {
                throw Failure(error)
            }
        }
    }

    /// Whether a device id is this machine's, or one that argus registered from here.
    func isMine(_ deviceID: String, _ kept: KeptPush) -> Bool {
        world.device().id.lowercased() == deviceID.lowercased()
            || !kept.registrations(of: deviceID).isEmpty
    }

    /// The device of a push command that names none: the one registered from here, else this machine.
    ///
    /// `option` is what names one.
    func pushDevice(
        _ given: String?, _ kept: KeptPush, option: String
    ) throws(Failure) -> String {
        if let given { return given }
        let ids = Set(kept.registrations.map(\.device.id))
        if ids.isEmpty || ids.contains(world.device().id) { return world.device().id }
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
            let kept = try await keptPush(of: record)
            guard !kept.isEmpty else { return }
            let home = try self.home(
                record, credential, from: record.credentialStore.name, renewing: true)
            for subscription in kept.subscriptions {
                await attemptTakingBack("the push subscription", of: home) {
                    () async throws(APIError) in
                    try await PushSubscriber(session: home.session)
                        .unsubscribe(subscription.endpoint) ? .registration : .nothing
                }
            }
            for registration in kept.registrations {
                let device = registration.device
                let hasBoth = kept.registrations(of: device.id).count > 1
                await attemptTakingBack("the push registration", of: home) {
                    () async throws(APIError) in
                    try await PushRegistrar(session: home.session).unregister(
                        device.id, hasBoth ? device.service : nil, mayEndAll: true)
                }
            }
        } catch {
            warn("what was registered for pushes was not taken back: \(error.message)")
        }
    }

    private func attemptTakingBack(
        _ what: String, of home: Home, _ work: () async throws(APIError) -> PushRegistrar.Ended
    ) async {
        do throws(Failure) {
            let ended = try await home.attempt("take \(what) back", work)
            if case .nothing = ended { return say("\(what) on '\(home.name)' was gone already") }
            say("\(what) on '\(home.name)' was taken back")
            if case .all = ended { say(PushRegistrar.Ended.endOfAll(on: home.name)) }
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
