package import ArgusCore

/// An account on a server, in the canonical shape.
///
///     {"id":"47ed2a12-…","username":"admin","role":"admin","is_active":true,
///      "created_at":"2026-11-20T23:22:42Z","last_login":null,"must_change_password":false}
package struct User: Sendable, Equatable {
    package var id: String?
    package var username: String?
    package var role: String?
    package var isActive: Bool?
    package var createdAt: Timestamp?
    package var lastLogin: Timestamp?
    package var mustChangePassword: Bool?
}

extension User {
    /// Decodes the user object of a login or of `/auth/me`; nil for a value that names no user.
    package init?(_ view: JSONView) {
        id = view["id"]?.string
        username = view["username"]?.string
        guard id != nil || username != nil else { return nil }
        role = view["role"]?.string
        isActive = view["is_active"]?.bool
        createdAt = view["created_at"]?.timestamp
        lastLogin = view["last_login"]?.timestamp
        mustChangePassword = view["must_change_password"]?.bool
    }

    /// The user without secrets for the record, since a server could send a secret as name or id.
    ///
    /// `name` is the user name that the user typed, which stays whatever it contains.
    package func withoutSecrets(calledBy name: String? = nil) -> User {
        var user = self
        if let reported = username, reported.lowercased() != name?.lowercased(),
            reported != reported.masked
        {
            user.username = nil
        }
        user.username = user.username ?? name
        if let id, id != id.masked { user.id = nil }
        return user
    }
}
