import ArgusCore
package import ArgusTransport

/// Pairs this machine with one server: requests a code, waits for its confirmation, stores the
/// tokens.
package struct PairingService: Sendable {
    /// The sign-in from a code, exchanged here or by another process.
    package struct Paired: Sendable {
        package var record: ServerRecord
        package var session: StoredSession
    }

    private let server: UnverifiedServer
    private let pendings: PendingPairings
    private let transaction: SignInTransaction
    private var environment: StateEnvironment { transaction.environment }

    /// Prepares to pair with a server that has proved its identity.
    package init(
        _ server: UnverifiedServer, _ pendings: PendingPairings, _ transaction: SignInTransaction
    ) {
        self.server = server
        self.pendings = pendings
        self.transaction = transaction
    }

    /// Requests a code from the server and stores the pairing.
    ///
    /// - Throws: `.request`; `.unstored` if neither the pairing nor later tokens can be stored.
    package func begin(_ device: PairingDevice) async throws(PairingError) -> PendingPairing {
        let offer = try await rethrowing(
            awaiting: await server.client.call(PairingRoutes.start, device),
            as: PairingError.request)
        let moment = environment.now()
        let pairing = pending(offer.code, device, begunAt: moment, endingAt: offer.end(at: moment))
        try await rethrowing(awaiting: await pendings.add(pairing), as: PairingError.unstored)
        return pairing
    }

    private func pending(
        _ code: PairingCode, _ device: PairingDevice, begunAt start: Timestamp,
        endingAt end: Timestamp
    ) -> PendingPairing {
        var record =
            server.record ?? ServerRecord(name: server.name, endpoints: [], addedAt: start)
        record.endpoints = [server.endpoint]
        if let allowance = server.allowance { record.plainHTTPAllowances.append(allowance) }
        return PendingPairing(
            code: code, device: device, startedAt: start, expiresAt: end, server: record,
            isNameGiven: server.isNameGiven)
    }

    /// Waits until a code is confirmed or has ended; calls `report` at least every `tick`.
    ///
    /// The pairing is removed once it is over.
    ///
    /// - Throws: `PairingError`; `.unused` or `.notStored` if the tokens could not be stored.
    package func wait(
        for pairing: PendingPairing, _ report: (PairingWait.Progress) async -> Void, tick: Duration
    ) async throws(PairingError) -> Paired {
        do throws(PairingError) {
            let paired = try await outcome(of: pairing, report, tick: tick).get()
            await forget(pairing)
            return paired
        } catch {
            if error.isEndOfCode { await forget(pairing) }
            throw error
        }
    }

    private func outcome(
        of pairing: PendingPairing, _ report: (PairingWait.Progress) async -> Void, tick: Duration
    ) async throws(PairingError) -> Result<Paired, PairingError> {
        if let result = await pendings.exchanging({ await finished(pairing) }) { return result }
        let wait = PairingWait(
            client: server.client, tick: tick, now: environment.now, sleep: environment.sleep)
        return try await wait.run(pairing.code, until: pairing.expiresAt, report: report) {
            () async throws(APIError) in
            try await exchange(pairing)
        } elsewhere: {
            await pendings.exchanging { await finished(pairing) }
        }
    }

    /// Exchanges a code that the server's dashboard shows.
    ///
    /// - Throws: `.refused`, or as `wait`.
    package func redeem(
        _ code: PairingCode, by device: PairingDevice
    ) async throws(PairingError) -> Paired {
        let moment = environment.now()
        let pairing = pending(code, device, begunAt: moment, endingAt: moment)
        let result = try await rethrowing(
            awaiting: await exchange(pairing, by: PairingRoutes.redeem(code)),
            as: PairingError.refused)
        let paired = try result.get()
        await forget(pairing)
        return paired
    }

    private func forget(_ pairing: PendingPairing) async {
        do throws(AccountError) {
            try await pendings.remove(pairing)
        } catch {
            environment.debug("the ended pairing is not forgotten: \(error)")
        }
    }
}

/// The reason why a pairing brought no sign-in.
package enum PairingError: Error, Sendable {
    /// The server issued no code.
    case request(APIError)
    /// Neither the pairing nor the tokens can be stored.
    case unstored(AccountError)
    /// The code was not confirmed in time.
    case expired
    /// The code disappeared early.
    case vanished
    /// The code was exchanged, but the answer with the tokens was lost.
    case answerLost
    /// The server did not say whether the code is confirmed.
    case unanswered(APIError)
    /// The server refused a code that the user typed.
    case refused(APIError)
    /// Tokens could not be stored, so the code was not used and is still valid.
    case unused(AccountError)
    /// The sign-in could not be stored; the tokens are with the pairing, or lost.
    case notStored(AccountError, tokensWait: Bool)

    /// True if the code brings no tokens any more.
    fileprivate var isEndOfCode: Bool {
        switch self {
        case .expired, .vanished, .answerLost: true
        default: false
        }
    }
}

extension PairingService {
    private func exchange(
        _ pairing: PendingPairing
    ) async throws(APIError) -> Result<Paired, PairingError> {
        try await pendings.exchanging { () async throws(APIError) in
            if let result = await finished(pairing) { return result }
            return try await exchange(pairing, by: PairingRoutes.exchange)
        }
    }

    private func exchange(
        _ pairing: PendingPairing, by operation: Operation<PairingClaim, PairingGrant>
    ) async throws(APIError) -> Result<Paired, PairingError> {
        let hold = SignInTransaction.hold()
        defer { hold.end() }
        var isAside = true
        let aside = try await pendings.puttingAside(pairing) { problem in
            environment.debug("the tokens could not be set aside: \(problem)")
            isAside = false
        } _: { () async throws(APIError) in
            let claim = PairingClaim(code: pairing.code, device: pairing.device)
            let grant = try await server.client.call(operation, claim, holding: hold)
            var session = StoredSession(
                kind: .mobile, grant: grant.tokens, at: environment.now(),
                deviceRowID: grant.deviceRowID ?? pairing.device.hardwareID,
                username: JWTClaims(grant.tokens.accessToken)?.username)
            session.hardwareID = pairing.device.hardwareID
            return session
        }
        switch aside {
        case .success(let session):
            return await keep(session, begunAt: pairing.startedAt, isAside: isAside)
        case .failure(let error): return .failure(.unused(error))
        }
    }

    /// The result of a pairing whose tokens already exist.
    ///
    /// Another process stored them or, killed or out of disk space, only set them aside.
    private func finished(_ pairing: PendingPairing) async -> Result<Paired, PairingError>? {
        if let paired = await pairedElsewhere(pairing) { return .success(paired) }
        let waiting = try? await pendings.load()
        guard let session = waiting?.first(where: pairing.isSame)?.session else { return nil }
        return await keep(session, begunAt: pairing.startedAt, isAside: true)
    }

    /// The sign-in that another or a killed process made from the same pairing.
    private func pairedElsewhere(_ pairing: PendingPairing) async -> Paired? {
        let secrets = transaction.secrets
        guard let list = try? secrets.directory.load() else { return nil }
        for record in list.servers(at: server.client.address)
        where record.account?.pairedAt == pairing.startedAt {
            // Another user may have signed in to the record since.
            guard case .session(let session)? = try? await secrets.credential(of: record),
                session.kind == .mobile, let issuedAt = session.issuedAt,
                issuedAt >= pairing.startedAt
            else { continue }
            return Paired(record: record, session: session)
        }
        return nil
    }

    /// Stores the tokens as a sign-in does.
    private func keep(
        _ session: StoredSession, begunAt: Timestamp, isAside: Bool
    ) async -> Result<Paired, PairingError> {
        var session = session
        var user = User(
            id: JWTClaims(session.accessToken)?.subject, username: session.username)
        if user.username == nil {
            var client = server.client
            client.pairingID = session.hardwareID
            let signIn = SignIn(client: client, sleep: environment.pause)
            user = (try? await signIn.owner(of: .bearer(session.accessToken))) ?? user
            session.username = user.username
        }
        let account = VerifiedAccount(
            kind: .pairing, user: user.withoutSecrets(), credential: .session(session),
            clockOffset: session.offsetAtIssue, pairedAt: begunAt)
        do throws(AccountError) {
            let record = try await transaction.keep(account, at: server)
            return .success(Paired(record: record, session: session))
        } catch {
            return .failure(.notStored(error, tokensWait: isAside))
        }
    }
}
