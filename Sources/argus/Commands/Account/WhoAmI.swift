import ArgusKit
import CommandLineKit

enum WhoAmI: ArgusCommand {
    static let about = CommandInfo(
        name: "whoami", summary: "Show who is signed in, where, and until when",
        description: """
            Queries the server, so status 0 means that the credentials work. A warning reports when
            the sign-in ends if argus cannot renew it for 7 more days.
            """,
        examples: [
            "argus whoami": "Who you are on the server in use",
            "argus whoami --json | jq -r .expires_at": "When the sign-in ends",
        ],
        exitStatuses: .requests(), prints: .objects(AccountView.fields))

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: AccountView.fields, .operands(1))
        let answer = try await server.attempt(
            "read the account", await server.session.whoAmI())
        if answer.user?.mustChangePassword == true {
            context.console.warn("the password of '\(answer.user?.username ?? "")' must be changed")
        }
        if let warning = await server.endWarning(in: context) { context.console.warn(warning) }
        let renewed = await server.renewed
        try printer.writeOnly(renewed.status(of: answer.user), raw: answer.view)
    }
}
