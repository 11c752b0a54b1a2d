import ArgusAccount
import CommandLineKit

enum WhoAmI: ArgusCommand {
    static let about = CommandInfo(
        name: "whoami", summary: "Show who is signed in, where, and until when", effect: .reads,
        description: """
            Asks the server: status 0 means that the credentials work. Warns when the sign-in ends,
            if that is foreseeable; \(command: "doctor") warns of it in the last 3 days.
            """,
        examples: [
            "argus whoami": "Who you are on the server in use",
            "argus whoami --server all": "On which servers you are signed in",
            "argus whoami --json | jq -r .expires_at": "When the sign-in ends",
        ],
        exitStatuses: .requests(), prints: .objects(AccountView.fields),
        guesses: ["status", "ping"], operandOption: "--server")

    static let takesSeveralServers = true

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let isAlone = context.collected == nil
        let (server, printer) = try await context.server(
            printing: isAlone ? AccountView.fields : AccountView.listFields, .operands(1))
        let place = isAlone ? "" : "'\(server.name)': "
        let answer = try await server.attempt("read the account", await server.session.whoAmI())
        if answer.user?.mustChangePassword == true {
            let name = answer.user?.username ?? ""
            context.console.warn(
                "\(place)the password of '\(name)' must be changed: run 'argus passwd'")
        }
        if let warning = await server.endWarning(always: true, in: context) {
            context.console.warn(place + warning)
        }
        let renewed = await server.renewed
        try printer.writeOnly(renewed.status(of: answer.user), raw: answer.view)
    }
}
