import ArgusKit
import CommandLineKit

/// The command `argus token`.
enum TokenCommand: ArgusCommand {
    static let about = CommandInfo(
        name: "token", summary: "Print the access token, for another program",
        paragraphs: [
            """
            Whoever has the token is you, until it expires. An API key is no access token and is \
            not printed.
            """
        ],
        examples: [
            Example(
                "argus token | sed 's/^/Authorization: Bearer /' | curl -H @- https://home.example/api",
                "Use it with curl, without showing it in the list of processes")
        ],
        exitStatuses: [0, 1, 2, 4, 5, 9])

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let home = try await context.server()
        guard let token = home.accessToken else {
            throw Failure(
                .forbidden, "'\(home.name)' is used with an API key, not with a token",
                hint: "sign in with a user name and a password", reason: "no_token")
        }
        if let expiresAt = home.expiresAt, expiresAt <= context.now() {
            throw Failure(
                .notSignedIn, "the access token of '\(home.name)' has expired",
                hint: "sign in again with 'argus login'", reason: "session_expired")
        }
        try context.write(token.reveal() + "\n")
    }
}
