package import ArgusCore
internal import Crypto

/// The key with which an Apple developer signs tokens for APNs.
package struct APNsKey: Sendable {
    package let keyID: String
    package let teamID: String
    /// A digest of key and names, by which stored tokens are recognised.
    package let signer: String
    private let secret: Redacted<String>

    /// Parses the text of a `.p8` file and checks the names of key and team.
    /// - Throws: `DeliveryError`, which never shows the key.
    package init(_ text: Redacted<String>, keyID: String, teamID: String) throws(DeliveryError) {
        try Self.check(keyID, "push.apns_key_id", "the key's id")
        try Self.check(teamID, "push.apns_team_id", "the team's id")
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: text.reveal()) else {
            throw DeliveryError(
                .credentials, "the APNs key is not a private key of P-256 in PEM",
                hint: "use the file AuthKey_….p8 from https://developer.apple.com/account")
        }
        self.keyID = keyID
        self.teamID = teamID
        secret = Redacted(key.pemRepresentation)
        let names = Array("\(keyID)/\(teamID)/".utf8)
        signer = Checksum.sha256(names + Array(key.publicKey.rawRepresentation))
    }

    /// Checks an id of Apple's, which has 10 letters and digits.
    private static func check(
        _ text: String, _ setting: String, _ what: String
    ) throws(DeliveryError) {
        guard text.utf8.count == 10, text.utf8.allSatisfy(\.isASCIIAlphanumeric) else {
            throw DeliveryError(
                .settings, "\(setting) is not \(what), which has 10 letters and digits")
        }
    }

    /// Signs a token (RFC 7518, section 3.4).
    /// - Throws: `.credentials` if the key cannot sign.
    func token(at now: Timestamp) throws(DeliveryError) -> Redacted<String> {
        let token = SignedToken.make {
            $0.member("alg", "ES256")
            $0.member("kid", keyID)
            $0.member("typ", "JWT")
        } claims: {
            $0.member("iss", teamID)
            $0.member("iat", Int(now.seconds))
        } sign: { bytes in
            let key = try? P256.Signing.PrivateKey(pemRepresentation: secret.reveal())
            return (try? key?.signature(for: bytes)).map { Array($0.rawRepresentation) }
        }
        guard let token else { throw DeliveryError(.credentials, "the APNs key cannot sign") }
        return token
    }
}
