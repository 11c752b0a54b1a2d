import ArgusAccount
import ArgusCore

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

enum AccountView {
    static let fields: [Field<AccountStatus>] = [
        .column("id", "the user's id; null for an API key") { $0.user?.id },
        .column("username", "the user's name") { $0.user?.username }.asHeadline,
        .column("role", "admin, operator or viewer") { $0.user?.role },
        .column("active", "whether the account is enabled") { $0.user?.isActive },
        .column("created_at", "when the account was created") { $0.user?.createdAt },
        .column("last_login", "when the user last signed in") { $0.user?.lastLogin },
        .column("must_change_password", "whether the password is temporary") {
            $0.user?.mustChangePassword
        },
        .column("server", "the server's name here") { $0.server },
        .column("url", "the server's address") { $0.url }.shrinking(0, to: 16),
        .column("via", "the address in use: local or relay") { $0.via.rawValue },
        .column("sign_in", "password, pairing, token or api_key") { $0.signIn },
        .column("credentials", "where the credentials come from") { $0.credentialSource },
        .column("expires_at", "when the access token expires; null if unknown") { $0.expiresAt },
    ]

    /// The fields with fewer columns, for the list of several servers.
    static let listFields: [Field<AccountStatus>] = fields.map { field in
        var field = field
        field.isColumn = ["username", "role", "url", "sign_in", "expires_at"].contains(field.name)
        return field
    }
}

extension SignedInServer {
    func status(of user: User?) -> AccountStatus {
        let kind: ServerAccount.Kind =
            switch credential {
            case .apiKey: .apiKey
            // A token given for this run is not the record's own sign-in.
            case .session(let session) where session.kind == .imported: .token
            case .session: record?.account?.kind ?? .token
            }
        return AccountStatus(
            user: user, server: name, url: address.description, via: via, signIn: kind.rawValue,
            credentialSource: credentialSource, expiresAt: credential.expiresAt)
    }
}
