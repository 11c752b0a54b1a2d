import ArgusAccount
package import ArgusCore
internal import CryptoExtras

/// A service account of Google, in whose name FCM is used.
package struct ServiceAccount: Sendable {
    package let projectID: String
    package let email: String
    /// The address at which Google exchanges assertions for tokens.
    let tokenURL: ServerAddress
    /// A digest of the key and its names, by which stored tokens are recognised.
    package let signer: String
    private let keyID: String?
    private let key: Redacted<String>

    /// Parses the JSON file of a key.
    ///
    /// The assertion goes only to Google, or to `simulator`.
    /// - Throws: `DeliveryError`, which never shows the key.
    package init(
        _ text: Redacted<String>, simulator: Origin? = nil
    ) throws(DeliveryError) {
        guard let file = try? JSONView.parse(Array(text.reveal().utf8)),
            file["type"]?.string == "service_account", let email = file["client_email"]?.string,
            let project = file["project_id"]?.string, let pem = file["private_key"]?.string
        else {
            throw DeliveryError(
                .credentials,
                "the file of push.fcm_credentials is not the key of a service account",
                hint:
                    "download one in the Firebase console under Project settings, Service accounts"
            )
        }
        key = Redacted(pem)
        guard (try? _RSA.Signing.PrivateKey(pemRepresentation: pem)) != nil else {
            throw DeliveryError(
                .credentials, "the private key of the service account is not an RSA key")
        }
        try Self.check(project: project)
        guard SecretText.isToken(email) else {
            throw DeliveryError(.credentials, "the service account has no valid address")
        }
        projectID = project
        self.email = email
        keyID = file["private_key_id"]?.string
        tokenURL = try Self.tokenURL(
            file["token_uri"]?.string ?? "https://oauth2.googleapis.com/token", simulator)
        let names = Array("\(email)/\(tokenURL.description)/".utf8)
        signer = Checksum.sha256(names + Array(pem.utf8))
    }

    /// Checks the id of a project, which is a part of a path.
    /// - Throws: `.settings`.
    package static func check(project: String) throws(DeliveryError) {
        let letters = project.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-.:".utf8.contains($0) }
        guard (4...63).contains(project.utf8.count), letters else {
            throw DeliveryError(.settings, "the id of the Firebase project is malformed")
        }
    }

    private static let google = ["oauth2.googleapis.com", "accounts.google.com"]

    private static func tokenURL(
        _ text: String, _ simulator: Origin?
    ) throws(DeliveryError) -> ServerAddress {
        guard let address = try? ServerAddress(parsing: text) else {
            throw DeliveryError(.credentials, "the token_uri of the service account is malformed")
        }
        let origin = address.origin
        let isGoogle = origin.scheme == .https && origin.port == 443 && google.contains(origin.host)
        guard isGoogle || (simulator != nil && origin.isLoopback) else {
            throw DeliveryError(
                .credentials,
                "the token_uri of the service account is '\(origin)', which is not Google's: nothing "
                    + "was sent")
        }
        return address
    }

    /// Signs an assertion for an access token (RFC 7523, section 2.1).
    /// - Throws: `.credentials` if the key cannot sign.
    func assertion(at now: Timestamp) throws(DeliveryError) -> Redacted<String> {
        let token = SignedToken.make {
            $0.member("alg", "RS256")
            $0.member("typ", "JWT")
            if let keyID { $0.member("kid", keyID) }
        } claims: {
            $0.member("iss", email)
            $0.member("scope", "https://www.googleapis.com/auth/firebase.messaging")
            $0.member("aud", tokenURL.description)
            $0.member("iat", Int(now.seconds))
            $0.member("exp", Int(now.seconds) + 3600)
        } sign: { bytes in
            // PKCS #1 v1.5, which RS256 means (RFC 7518, section 3.3).
            let key = try? _RSA.Signing.PrivateKey(pemRepresentation: key.reveal())
            let signature = try? key?.signature(for: bytes, padding: .insecurePKCS1v1_5)
            return signature.map { Array($0.rawRepresentation) }
        }
        guard let token else {
            throw DeliveryError(.credentials, "the key of the service account cannot sign")
        }
        return token
    }
}
