import FoundationEssentials

/// The layout of a credential inside a store; every store keeps these bytes.
///
/// ```json
/// {"version": 1, "type": "session", "kind": "web", "access_token": "…", "refresh_token": "…",
///  "username": "admin", "expires_at_us": 1795212000000000, "issued_at_us": 1795125600000000}
/// {"version": 1, "type": "api_key", "api_key": "…"}
/// ```
private struct CredentialDocument: Codable {
    var version = 1
    var type: String
    var apiKey: String?
    var kind: StoredSession.Kind?
    var accessToken: String?
    var refreshToken: String?
    var deviceRowID: String?
    var username: String?
    var expiresAt: Int64?
    var issuedAt: Int64?
    var renewableUntil: Int64?

    private enum CodingKeys: String, CodingKey {
        case version, type, kind, username
        case apiKey = "api_key"
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case deviceRowID = "device_row_id"
        case expiresAt = "expires_at_us"
        case issuedAt = "issued_at_us"
        case renewableUntil = "renewable_until_us"
    }
}

extension Credential {
    /// The bytes that a store keeps.
    package func encoded() -> Redacted<[UInt8]> {
        var document: CredentialDocument
        switch self {
        case .apiKey(let key):
            document = CredentialDocument(type: "api_key", apiKey: key.reveal())
        case .session(let session):
            document = CredentialDocument(type: "session")
            document.kind = session.kind
            document.accessToken = session.accessToken.reveal()
            document.refreshToken = session.refreshToken?.reveal()
            document.deviceRowID = session.deviceRowID
            document.username = session.username
            document.expiresAt = session.expiresAt?.microseconds
            document.issuedAt = session.issuedAt?.microseconds
            document.renewableUntil = session.renewableUntil?.microseconds
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(document) else {
            preconditionFailure("a credential holds nothing that JSON cannot say")
        }
        return Redacted(Array(data))
    }

    /// Reads the bytes of `encoded()`; nil for anything else.
    package init?(decoding bytes: Redacted<[UInt8]>) {
        guard
            let document = try? JSONDecoder().decode(
                CredentialDocument.self, from: Data(bytes.reveal()))
        else { return nil }
        if document.type == "api_key", let key = document.apiKey {
            self = .apiKey(Redacted(key))
            return
        }
        guard document.type == "session", let kind = document.kind,
            let accessToken = document.accessToken
        else { return nil }
        var session = StoredSession(
            kind: kind, accessToken: Redacted(accessToken),
            refreshToken: document.refreshToken.map(Redacted.init),
            deviceRowID: document.deviceRowID, username: document.username,
            expiresAt: document.expiresAt.map(Timestamp.init(microseconds:)),
            issuedAt: document.issuedAt.map(Timestamp.init(microseconds:)))
        session.renewableUntil = document.renewableUntil.map(Timestamp.init(microseconds:))
        self = .session(session)
    }
}
