package import ArgusCore
package import ArgusTransport

// The renewals of stored sign-ins.
extension ServerSecrets {
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
        let procedure = RenewalProcedure(
            by: client, of: record.id, in: store(of: record), environment, target: target)
        return TokenRenewal(session, offset: record.clockOffset, procedure: procedure) {
            await storedKey(of: record)?.secret
        }
    }

    /// The end of a stored sign-in; nil if none is foreseeable, or if it is not a session.
    package func end(of server: SignedInServer) async -> SignInEnd? {
        guard let record = server.record, let renewal = server.session.renewal,
            let end = await SignInEnd(
                of: renewal.session, at: renewal.serverTime,
                pairsAsToday: record.knowledge.pairsAsToday)
        else { return nil }
        if await storedKey(of: record)?.secret != nil { return nil }
        let password = try? await store(of: record).read(CredentialKey(record.id, .password))
        return password?.reveal().isEmpty == false ? nil : end
    }

    /// The API key of a sign-in; nil if there is none, or if the store does not answer.
    package func storedKey(of record: ServerRecord) async -> StoredKey? {
        guard record.account != nil else { return nil }
        return try? await store(of: record).storedKey(of: record.id)
    }
}

/// The foreseeable end of a stored sign-in.
package struct SignInEnd: Sendable, Equatable {
    /// The time before the end in which commands other than `whoami` warn.
    private static let warningTime = Duration.seconds(3 * 86_400)

    /// The reasons why a sign-in ends.
    package enum Cause: Sendable, Equatable {
        /// The server renews it until this time at most.
        case renewableUntil(Timestamp)
        /// The server no longer renews it.
        case notRenewable
        /// The server may be unable to renew a pairing.
        case unproved
        /// The server crashes at its renewal.
        case broken
    }

    /// The end of the access token by the server's clock.
    package var until: Timestamp
    package var cause: Cause
    /// True in the last 3 days, renewals included.
    package private(set) var isNear: Bool

    /// The end of a session; nil if it is unknown.
    ///
    /// Today's servers may be unable to renew a pairing; `pairsAsToday` is true for them.
    init?(of session: StoredSession, at serverTime: Timestamp, pairsAsToday: Bool) {
        guard let end = session.endsAt else { return nil }
        until = end
        isNear = end - serverTime < Self.warningTime
        if session.isRenewalBroken {
            cause = .broken
        } else if session.refreshToken == nil {
            cause = .notRenewable
        } else if session.kind == .mobile, session.renewedAt == nil, pairsAsToday {
            cause = .unproved
        } else if let last = session.renewableUntil {
            cause = last > serverTime ? .renewableUntil(last) : .notRenewable
            isNear = max(end, last) - serverTime < Self.warningTime
        } else {
            return nil
        }
    }
}

extension ServerKnowledge {
    /// True unless the server is known to pair as another generation than today's does.
    fileprivate var pairsAsToday: Bool {
        let known = generations[PairingRoutes.exchange.name] ?? generations["pairing.redeem"]
        return known.map { $0 == Generation.current.rawValue } ?? true
    }
}
