import CryptoExtras
import NIOConcurrencyHelpers

struct ServiceAccount: Sendable {
    let project: String
    let email: String
    let key: _RSA.Signing.PrivateKey
    let keyID: String

    init(project: String) throws {
        self.project = project
        email = "firebase-adminsdk-demo@\(project).iam.gserviceaccount.com"
        key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        keyID = Hexadecimal.encode(Secrets.bytes(20))
    }

    /// The file as Google's console hands it out.
    func file(tokenURL: String) -> JSON {
        [
            "type": "service_account", "project_id": .text(project),
            "private_key_id": .text(keyID), "private_key": .text(key.pkcs8PEMRepresentation + "\n"),
            "client_email": .text(email), "client_id": "100000000000000000001",
            "auth_uri": "https://accounts.google.com/o/oauth2/auth", "token_uri": .text(tokenURL),
            "auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs",
            "universe_domain": "googleapis.com",
        ]
    }
}

/// Google's service for access tokens (RFC 7523).
final class SimulatedOAuth: Sendable {
    let accounts: [ServiceAccount]
    private let tokens = NIOLockedValueBox<[String: (project: String, end: Moment)]>([:])

    private static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"

    init(_ accounts: [ServiceAccount]) { self.accounts = accounts }

    /// The project whose access token this is; nil if it is none, or has ended.
    func project(of token: some StringProtocol, at now: Moment) -> String? {
        tokens.withLockedValue { tokens in
            tokens[String(token)].flatMap { $0.end > now ? $0.project : nil }
        }
    }

    func answer(
        _ request: inout SimulatorRequest, at address: String
    ) throws(SimulatorRefusal) -> Answer {
        let form = Request(
            method: .POST, target: "/?" + String(decoding: request.body, as: UTF8.self),
            now: request.now)
        request.record.webToken = form.queryValue("assertion").flatMap { WebToken($0) }
        let type = request["content-type"] ?? ""
        guard request.method == .POST, type.hasPrefix("application/x-www-form-urlencoded")
        else { throw OAuthError.invalidRequest.refusal("Bad Request") }
        guard form.queryValue("grant_type") == SimulatedOAuth.grant else {
            throw OAuthError.unsupportedGrantType.refusal("Invalid grant_type")
        }
        let account = try verify(request.record.webToken, at: address, now: request.now)
        let token = "ya29.c." + Base64URL.encode(Secrets.bytes(96))
        tokens.withLockedValue { $0[token] = (account.project, request.now + 3599) }
        return .json(
            ["access_token": .text(token), "expires_in": 3599, "token_type": "Bearer"],
            type: "application/json; charset=utf-8")
    }

    private func verify(
        _ token: WebToken?, at address: String, now: Moment
    ) throws(SimulatorRefusal) -> ServiceAccount {
        guard let token else { throw OAuthError.invalidGrant.refusal("Bad Request") }
        let claims = token.claims
        guard let account = accounts.first(where: { claims["iss"] == .text($0.email) }) else {
            throw OAuthError.invalidGrant.refusal("Invalid grant: account not found")
        }
        guard token.isSigned(by: account.key.publicKey) else {
            throw OAuthError.invalidGrant.refusal("Invalid JWT Signature.")
        }
        guard claims["aud"] == .text(address) else {
            throw OAuthError.invalidGrant.refusal("Invalid JWT: Failed audience check.")
        }
        let scopes = (claims["scope"]?.string ?? "").split(separator: " ")
        guard scopes.contains(where: { $0 == SimulatedOAuth.scope }) else {
            throw OAuthError.invalidScope.refusal(
                "Invalid OAuth scope or ID token audience provided.")
        }
        // Five minutes of skew, as Google grants them.
        let time = Int(now.seconds)
        guard let issued = token.issued, let end = claims["exp"]?.int, issued <= time + 300,
            end > time - 300, end - issued <= 3600
        else {
            throw OAuthError.invalidGrant.refusal(
                "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable "
                    + "timeframe. Check your iat and exp values in the JWT claim.")
        }
        return account
    }
}
