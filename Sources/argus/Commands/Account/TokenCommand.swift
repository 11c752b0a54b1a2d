import ArgusAccount
import ArgusTransport
import CommandLineKit

enum TokenCommand: ArgusCommand {
    static let about = CommandInfo(
        name: "token", summary: "Print the access token for another program", effect: .reads,
        description: """
            Renews a token that is about to expire, then prints it. With the token, anyone can use
            your account until it expires. If you signed in with an API key, there is no token.
            """,
        examples: [
            "argus token | sed 's/^/Authorization: Bearer /' | curl -H @- https://home.example/api":
                "Use it with curl, without showing it in the list of processes"
        ],
        exitStatuses: [0, 1, 2, 4, 5, 6, 7, 8, 9], operandOption: "--server")

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let stored = try await context.server()
        _ = await stored.session.renewal?.current()
        let server = await stored.renewed
        if await server.session.isServedByKey {
            throw await server.failure(APIError(.renewalBroken), doing: "print the access token")
        }
        guard let token = server.accessToken else {
            throw Failure(
                .forbidden,
                "you are signed in to '\(server.name)' with an API key, not with a token",
                hint: "sign in with a user name and a password", reason: "no_token")
        }
        let time = await server.session.renewal?.serverTime ?? context.now()
        if let expiresAt = server.credential.expiresAt, expiresAt <= time {
            let refusal = APIError(.unauthorized, "Token has expired")
            let error = await server.session.renewal?.error(after: refusal) ?? refusal
            guard error.kind == .unauthorized else {
                throw await server.failure(error, doing: "renew the access token")
            }
            throw Failure(
                .notSignedIn, "the access token of '\(server.name)' has expired",
                hint: "sign in again with '\(server.renewingCommand)'", reason: "session_expired")
        }
        try context.write(token)
    }
}
