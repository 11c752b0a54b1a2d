struct User: Sendable {
    var id: Identifier
    var username: String
    var password: String
    var role: String
    var isActive = true
    var mustChangePassword = false
    var createdAt: Moment
    var lastLogin: Moment?

    /// The `user` object of today's server.
    var json: JSON {
        [
            "id": .text(id.text), "username": .text(username), "email": nil, "role": .text(role),
            "is_active": .bool(isActive), "must_change_password": .bool(mustChangePassword),
            "created_at": .text(createdAt.text), "last_login": JSON(lastLogin?.text),
            "invited_by": nil, "invited_at": nil,
        ]
    }

    /// The `user` object of the documents.
    var documentedJSON: JSON {
        json.keeping("id", "username", "is_active", "created_at", "last_login")
    }
}

/// The users; one for each possible answer to a login.
struct Accounts: Sendable {
    /// The account that the greeting prints.
    static let username = "demo"
    /// The password of every account.
    static let password = "argus-demo-1"

    private(set) var users: [User]

    init(_ generator: inout SeededGenerator, now: Moment) {
        func user(_ username: String, _ role: String) -> User {
            User(
                id: Identifier(&generator), username: username, password: Accounts.password,
                role: role, createdAt: now + -30 * 86_400)
        }
        var newcomer = user("newcomer", "operator")
        newcomer.mustChangePassword = true
        var former = user("former", "viewer")
        former.isActive = false
        users = [user(Accounts.username, "admin"), user("viewer", "viewer"), newcomer, former]
    }

    subscript(username username: String) -> User? { users.first { $0.username == username } }

    subscript(id id: Identifier) -> User? { users.first { $0.id == id } }

    mutating func update(_ id: Identifier, _ change: (inout User) -> Void) {
        guard let index = users.firstIndex(where: { $0.id == id }) else { return }
        change(&users[index])
    }
}
