import ArgusKit

/// Pairs this machine with one server: gets a code, waits for its confirmation, keeps the tokens.
struct PairingDesk: Sendable {
    /// What came of a code that was exchanged, here or by another process.
    struct Paired: Sendable {
        var record: ServerRecord
        var session: StoredSession
    }

    let context: Context
    let unverified: UnverifiedServer
    let pendings: PendingPairings

    init(_ unverified: UnverifiedServer, in context: Context) throws(Failure) {
        self.context = context
        self.unverified = unverified
        pendings = try context.pendingPairings()
    }

    /// Asks the server for a code.
    func begin(_ device: PairingDevice) async throws(Failure) -> PendingPairing {
        let offer: PairingOffer
        do throws(APIError) {
            offer = try await unverified.client.call(PairingRoutes.start, device)
        } catch {
            throw await failure(error, doing: "pair")
        }
        let moment = context.now()
        return pending(offer.code, device, begunAt: moment, endingAt: offer.end(at: moment))
    }

    private func pending(
        _ code: PairingCode, _ device: PairingDevice, begunAt start: Timestamp,
        endingAt end: Timestamp
    ) -> PendingPairing {
        var server =
            unverified.record
            ?? ServerRecord(name: unverified.name, endpoints: [], addedAt: start)
        server.endpoints = [unverified.endpoint]
        if let allowance = unverified.allowance { server.plainHTTPAllowances.append(allowance) }
        return PendingPairing(
            code: code, device: device, startedAt: start, expiresAt: end, server: server,
            isNameGiven: unverified.isNameGiven)
    }

    /// Waits for a code until it was confirmed or has ended.
    func wait(
        for pairing: PendingPairing, _ report: (PairingWait.Progress) async -> Void, tick: Duration
    ) async throws(PairingWait.Failure) -> Result<Paired, Failure> {
        let wait = PairingWait(
            client: unverified.client, tick: tick, now: context.now, sleep: context.system.sleep)
        let steps = PairingWait.Steps<Result<Paired, Failure>> { () async throws(APIError) in
            try await exchange(pairing)
        } elsewhere: {
            await pendings.exchanging { await finished(pairing) }
        }
        if let result = await pendings.exchanging({ await finished(pairing) }) { return result }
        return try await wait.run(pairing.code, until: pairing.expiresAt, steps, report: report)
    }

    /// Exchanges a code that the server's dashboard shows.
    func redeem(
        _ code: PairingCode, by device: PairingDevice
    ) async throws(Failure) -> Paired {
        let moment = context.now()
        let pairing = pending(code, device, begunAt: moment, endingAt: moment)
        let result: Result<Paired, Failure>
        do throws(APIError) {
            result = try await exchange(pairing, by: PairingRoutes.redeem(code))
        } catch {
            throw await refusal(error)
        }
        let paired = try result.get()
        await forget(pairing)
        return paired
    }

    /// Forgets a pairing that is over.
    func forget(_ pairing: PendingPairing) async {
        do throws(CredentialStoreError) {
            try await pendings.remove(pairing)
        } catch {
            context.debug("the ended pairing is not forgotten: \(error)")
        }
    }

    /// What a failed request of the pairing means.
    func failure(_ error: APIError, doing: String) async -> Failure {
        var error = error
        if error.kind == .rateLimited {
            // Today's server names no time; it allows 5 codes a minute.
            error.retryAfterSeconds = error.retryAfterSeconds ?? 60
        }
        var failure = await unverified.failure(error, doing: doing)
        if error.kind == .unsupported(PairingRoutes.start.purpose) {
            failure.hint =
                "take the code that its dashboard shows: "
                + "argus pair \(unverified.client.address) --code"
        }
        return failure
    }
}

extension PairingDesk {
    private func exchange(
        _ pairing: PendingPairing
    ) async throws(APIError) -> Result<Paired, Failure> {
        try await pendings.exchanging { () async throws(APIError) in
            if let result = await finished(pairing) { return result }
            return try await exchange(pairing, by: PairingRoutes.exchange)
        }
    }

    private func exchange(
        _ pairing: PendingPairing, by operation: Operation<PairingClaim, PairingGrant>
    ) async throws(APIError) -> Result<Paired, Failure> {
        let hold = Context.signInHold()
        defer { hold.end() }
        var isAside = true
        let aside = try await pendings.puttingAside(pairing) { problem in
            context.debug("the tokens could not be put aside: \(problem)")
            isAside = false
        } _: { () async throws(APIError) in
            let claim = PairingClaim(pairing.code, by: pairing.device)
            let grant = try await unverified.client.call(operation, claim, holding: hold)
            return session(of: grant, pairing.device)
        }
        switch aside {
        case .success(let session):
            return await keep(session, begunAt: pairing.startedAt, isAside: isAside)
        case .failure(let error):
            var failure = Failure(error)
            failure.hint = failure.hint ?? "the code was not used and is still good"
            return .failure(failure)
        }
    }

    /// What became of a pairing whose tokens are here already: another process keeps them, or one
    /// that was killed, or had no room, put them aside.
    private func finished(_ pairing: PendingPairing) async -> Result<Paired, Failure>? {
        if let paired = await pairedElsewhere(pairing) { return .success(paired) }
        let waiting = (try? await pendings.load()) ?? []
        guard
            let session = waiting.first(where: {
                $0.code == pairing.code && $0.startedAt == pairing.startedAt
            })?.session
        else { return nil }
        return await keep(session, begunAt: pairing.startedAt, isAside: true)
    }

    /// The sign-in that another process made of the same pairing, or that this one would have told
    /// of, had it not been killed.
    private func pairedElsewhere(_ pairing: PendingPairing) async -> Paired? {
        guard let list = try? context.knownServers() else { return nil }
        for record in list.servers(at: unverified.client.address)
        where record.account?.pairedAt == pairing.startedAt {
            // Somebody else may have signed in to the record since.
            guard case .session(let session)? = try? await context.storedCredential(of: record),
                session.kind == .mobile, let issuedAt = session.issuedAt,
                issuedAt >= pairing.startedAt
            else { continue }
            return Paired(record: record, session: session)
        }
        return nil
    }

    /// The sign-in that the tokens are, received now.
    private func session(of grant: PairingGrant, _ device: PairingDevice) -> StoredSession {
        StoredSession(
            kind: .mobile, grant: grant.tokens, at: context.now(),
            deviceRowID: grant.deviceRowID ?? device.hardwareID,
            username: JWTClaims(grant.tokens.accessToken)?.username)
    }

    /// Keeps the tokens as a sign-in does.
    private func keep(
        _ session: StoredSession, begunAt: Timestamp, isAside: Bool
    ) async -> Result<Paired, Failure> {
        var session = session
        var user = User(
            id: JWTClaims(session.accessToken)?.subject, username: session.username)
        if user.username == nil {
            let signIn = SignIn(client: unverified.client, sleep: context.sleep)
            user = (try? await signIn.prove(token: session.accessToken)) ?? user
            session.username = user.username
        }
        var account = VerifiedAccount(
            kind: .pairing, user: user.withoutSecrets(), credential: .session(session),
            mustChangePassword: false)
        account.pairedAt = begunAt
        account.clockOffset = session.offsetAtIssue
        do throws(Failure) {
            let record = try await context.remember(account, at: unverified)
            return .success(Paired(record: record, session: session))
        } catch {
            var failure = error
            failure.hint =
                isAside
                ? "the tokens are put aside: try 'argus pair resume'"
                : "the tokens are lost: pair again"
            return .failure(failure)
        }
    }

    /// What the refusal of a code means that a person typed.
    private func refusal(_ error: APIError) async -> Failure {
        var failure = await failure(error, doing: "pair")
        switch error.kind {
        case .unauthorized, .notFound, .rejected:
            let because = error.detail.isEmpty ? "" : ": \(error.detail)"
            failure.kind = .rejected
            failure.message = "'\(unverified.title)' does not take the code\(because)"
            failure.hint = "look at the code again, or let the dashboard make another one"
            failure.reason = "code_refused"
        default: break
        }
        return failure
    }
}
