import ArgusKit

/// A server's account and the expiry of its sign-in.
struct AccountStatus: Sendable {
    var user: User?
    var server: String
    var url: String
    var via: Via
    /// `password`, `pairing`, `token` or `api_key`.
    var signIn: String
    /// The source of the credentials, such as `sealed file` or `ARGUS_TOKEN`.
    var credentialSource: String
    var expiresAt: Timestamp?
}

/// The canonical fields of an account (contract section 2).
enum AccountView {
    static let fields: [Field<AccountStatus>] = [
        Field("id", "the user's id; null for an API key") { FieldValue($0.user?.id) },
        Field("username", "the user's name") { FieldValue($0.user?.username) },
        Field("role", "admin, operator or viewer") { FieldValue($0.user?.role) },
        Field("active", "whether the account is enabled") { FieldValue($0.user?.isActive) },
        Field("created_at", "when the account was made") { FieldValue($0.user?.createdAt) },
        Field("last_login", "when the user last signed in") { FieldValue($0.user?.lastLogin) },
        Field("must_change_password", "whether the password is a temporary one") {
            FieldValue($0.user?.mustChangePassword)
        },
        Field("server", "what the server is called here") { .text($0.server) },
        Field("url", "the address that is used") { .text($0.url) },
        Field("via", "by which way: local or relay") { .text($0.via.rawValue) },
        Field("sign_in", "password, pairing, token or api_key") { .text($0.signIn) },
        Field("credentials", "where the credentials come from") { .text($0.credentialSource) },
        Field("expires_at", "when the access token ends; null when nobody knows") {
            FieldValue($0.expiresAt)
        },
    ]
}

extension SignedInServer {
    /// The account as `whoami` shows it.
    func status(of user: User?) -> AccountStatus {
        let kind: ServerAccount.Kind =
            switch credential {
            case .apiKey: .apiKey
            // A token of this run does not show how the record's own account signed in.
            case .session(let session) where session.kind == .imported: .token
            case .session: record?.account?.kind ?? .token
            }
        return AccountStatus(
            user: user, server: name, url: address.description, via: via,
            signIn: kind.rawValue, credentialSource: credentialSource, expiresAt: expiresAt)
    }
}
