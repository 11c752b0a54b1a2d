import Crypto
import Synchronization

/// A key of a developer's account, with which it signs provider tokens.
struct APNsKey: Sendable {
    var id: String
    var team: String
    let signing = P256.Signing.PrivateKey()

    /// The file as Apple hands it out, `AuthKey_ID.p8`.
    var file: String { signing.pemRepresentation + "\n" }
}

/// The keys that Apple knows, and the rules for tokens that are signed with them.
struct APNsKeys: Sendable {
    let keys: [APNsKey]
    /// The team whose app it is.
    let team: String

    /// Verifies the `authorization` field of a request, and returns the team that sends.
    ///
    /// A token lives for an hour, and another may take its place after 20 minutes.
    func verify(_ request: SimulatorRequest) throws(APNsReason) -> String {
        guard request["authorization"] != nil else { throw .missingProviderToken }
        guard let token = request.record.webToken, let id = token.header["kid"]?.string,
            let key = keys.first(where: { $0.id == id }),
            token.claims["iss"] == .text(key.team), token.isSigned(by: key.signing.publicKey),
            let issued = token.issued
        else { throw .invalidProviderToken }
        guard abs(Int(request.now.seconds) - issued) <= 3600 else {
            throw .expiredProviderToken
        }
        try request.line.state.withLock { state throws(APNsReason) in
            guard state.team ?? key.team == key.team else { throw .invalidProviderToken }
            guard state.keyID ?? id == id else { throw .unrelatedKeyIdInToken }
            if !state.tokens.contains(token.id) {
                let use = request.now.seconds - state.newestToken
                guard state.tokens.isEmpty || use >= 20 * 60 else {
                    throw .tooManyProviderTokenUpdates
                }
                state.tokens.append(token.id)
                state.newestToken = request.now.seconds
            }
            (state.team, state.keyID) = (key.team, id)
        }
        return key.team
    }

    /// The token that a request shows in `authorization: bearer TOKEN`.
    static func token(of request: SimulatorRequest) -> WebToken? {
        let words = (request["authorization"] ?? "").split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return WebToken(words[1])
    }
}
