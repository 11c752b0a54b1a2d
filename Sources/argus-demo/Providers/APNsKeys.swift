import Crypto

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

    /// The seconds that a token lives, and those before another may take its place.
    private static let lifetime = 3600
    private static let shortestUse: Int64 = 20 * 60

    /// Verifies the `authorization` field of a request.
    ///
    /// - Returns: The team that sends.
    /// - Throws: The reason for refusing it.
    func verify(_ request: SimulatorRequest, _ token: WebToken?) throws(APNsReason) -> String {
        guard request["authorization"] != nil else { throw .missingProviderToken }
        guard let token, let id = token.header["kid"]?.string,
            let key = keys.first(where: { $0.id == id }),
            token.claims["iss"] == .text(key.team), token.isSigned(by: key.signing.publicKey),
            let issued = token.issued
        else { throw .invalidProviderToken }
        guard abs(Int(request.now.seconds) - issued) <= APNsKeys.lifetime else {
            throw .expiredProviderToken
        }
        try request.line.withState { state throws(APNsReason) in
            guard state.team ?? key.team == key.team else { throw .invalidProviderToken }
            guard state.keyID ?? id == id else { throw .unrelatedKeyIDInToken }
            if !state.tokens.contains(token.id) {
                let use = request.now.seconds - state.newestToken
                guard state.tokens.isEmpty || use >= APNsKeys.shortestUse else {
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
