import ArgusKit

// Signing out, and its words.
extension Context {
    /// The service that signs out of servers.
    var signOut: SignOut {
        let context = self
        return SignOut(secrets) { (record, credential, renewing) throws(SignOut.Unreachable) in
            do throws(Failure) {
                return try context.signedInServer(
                    record, credential, from: record.credentialStore.name, renewing: renewing)
            } catch {
                throw SignOut.Unreachable(reason: error.message)
            }
        } takePushBack: { record, credential in
            await context.takePushBack(of: record, credential)
        } report: { notice in
            await context.report(notice)
        }
    }

    private func report(_ problem: SignOut.Notice) async {
        switch problem {
        case .unreadable(let server, let error):
            warn("the server of '\(server)' was not told: \(error)")
        case .keyStaysValid(let server):
            notice("the API key of '\(server)' stays valid until it is revoked on the server")
        case .pairingStays(let server):
            notice("'\(server)' cannot end a pairing: remove the device in its dashboard")
        case .notReached(let server, let reason):
            warn("the session on the server '\(server)' was not ended: \(reason)")
        case .notEnded(let server, let error):
            let failure = await server.failure(error, doing: "sign out")
            warn("the session on the server '\(server.name)' was not ended: \(failure.message)")
        case .acceptedUntil(let end, let server):
            notice("'\(server)' may accept the access token until \(end.displayText(in: timeZone))")
        }
    }

    /// Takes back what this machine registered for pushes; a failure is reported and keeps nothing
    /// else back.
    private func takePushBack(of record: ServerRecord, _ credential: Credential) async {
        do throws(Failure) {
            let push = try await storedPush(of: record)
            guard !push.isEmpty else { return }
            let server = try signedInServer(
                record, credential, from: record.credentialStore.name, renewing: true)
            await PushSignOut(session: server.session).takeBack(push) { item, result in
                await report(item.rawValue, result, on: server)
            }
        } catch {
            warn("what was registered for pushes was not taken back: \(error.message)")
        }
    }

    private func report(
        _ item: String, _ result: Result<PushRegistrar.Ended, APIError>, on server: SignedInServer
    ) async {
        switch result {
        case .failure(let error):
            let failure = await server.failure(error, doing: "take \(item) back")
            warn("\(item) was not taken back: \(failure.message)")
        case .success(.nothing): notice("\(item) on '\(server.name)' was gone already")
        case .success(let ended):
            notice("\(item) on '\(server.name)' was taken back")
            if case .all = ended { notice(PushRegistrar.Ended.endOfAll(on: server.name)) }
        }
    }
}

// What this machine has registered for pushes.
extension Context {
    /// What this machine has registered at a server; nothing where it is only named by URL.
    func storedPush(of server: SignedInServer) async throws(Failure) -> StoredPush {
        guard let record = server.record else { return StoredPush() }
        return try await storedPush(of: record)
    }

    private func storedPush(of record: ServerRecord) async throws(Failure) -> StoredPush {
        return try await attempt(awaiting: await secrets.storedPush(of: record))
    }

    /// Changes what this machine has registered at a server, while no other process does.
    func changeKeptPush(
        of server: SignedInServer, _ change: (inout StoredPush) -> Void
    ) async throws(Failure) {
        guard let record = server.record else {
            return debug("nothing is kept of a server that is only named by its URL")
        }
        try await attempt(awaiting: await secrets.changePush(of: record, change))
    }

    /// Whether a device id is this machine's, or one that argus registered from here.
    func isMine(_ deviceID: String, _ push: StoredPush) -> Bool {
        system.device().id.lowercased() == deviceID.lowercased()
            || !push.registrations(of: deviceID).isEmpty
    }

    /// The device of a push command that names none: the one registered from here, else this machine.
    ///
    /// `option` is the one that names a device.
    ///
    /// - Throws: `Failure` 2 where several devices were registered from here.
    func pushDevice(
        _ given: String?, _ push: StoredPush, option: String
    ) throws(Failure) -> String {
        if let given { return given }
        let ids = push.deviceIDs(onMachine: system.device().id)
        guard ids.count == 1, let id = ids.first else {
            throw Failure(
                .usage,
                "several devices were registered from here: "
                    + ids.sorted().joined(separator: ", "), hint: "name one with \(option)")
        }
        return id
    }
}

extension PushRegistrar.Ended {
    /// The sentence for a server that ended more than the registration of one device.
    static func endOfAll(on server: String) -> String {
        "'\(server)' ended the push registrations of all devices of this account"
    }
}
