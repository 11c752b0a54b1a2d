import ArgusAccount
import ArgusCore
import CommandLineKit

enum Passwd: ArgusCommand {
    struct Options: VerbOptions {
        var currentFile: String?
        var newFile: String?
    }

    static let about = CommandInfo(
        name: "passwd", summary: "Change your password on a server", effect: .changes,
        description: """
            Prompts for the current password and twice for the new one, or reads both from files.
            The new one needs at least 8 characters; some servers want more. Sessions in browsers
            can no longer be renewed and end within a day. This sign-in, paired devices and API
            keys keep working. A password stored by \(flag: "remember", of: "login") is replaced.
            """,
        examples: [
            "argus passwd": "Prompt for both passwords",
            "argus passwd --password-file old --new-password-file new": "In a script",
        ],
        exitStatuses: .requests(), prints: .objects(AccountView.fields),
        operandOption: "--server")

    static let flags: [Flag<Options>] = [
        .file("password-file", sets: \.currentFile, "Read the current password from FILE"),
        .file("new-password-file", sets: \.newFile, "Read the new password from FILE"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: AccountView.fields, .operands(1))
        let change = try passwords(options, for: server, in: context)
        let hold = SignalHold()
        try await server.attempt(
            "change the password",
            await server.session.call(PasswordChange.route, change, holding: hold))
        await remember(change.new, of: server, in: context)
        hold.end()
        context.console.notice(
            "sessions in browsers end within a day; this sign-in, paired devices and API keys keep "
                + "working")
        let user = server.record?.account?.username.map { " of '\($0)'" } ?? ""
        guard try context.isForMachines() else {
            return context.console.notice("changed the password\(user) on '\(server.name)'")
        }
        let answer = try await server.attempt("read the account", await server.session.whoAmI())
        let renewed = await server.renewed
        try printer.writeOnly(renewed.status(of: answer.user), raw: answer.view)
    }

    private static func passwords(
        _ options: Options, for server: SignedInServer, in context: Context
    ) throws(Failure) -> PasswordChange {
        let place = "on '\(server.name)'"
        let remedy = "--password-file and --new-password-file"
        func ask(_ prompt: String) throws(Failure) -> Redacted<String> {
            try context.console.askSecret(prompt, otherwise: remedy)
        }
        func password(_ path: String?, _ prompt: String) throws(Failure) -> Redacted<String> {
            guard let path else { return try ask(prompt) }
            return try context.console.secret(inFile: path, .anyText)
        }
        if options.currentFile == nil || options.newFile == nil {
            try context.console.expectTerminal(for: "Password \(place)", otherwise: remedy)
        }
        let current = try password(options.currentFile, "Current password \(place): ")
        let new = try password(options.newFile, "New password: ")
        if options.newFile == nil, try ask("New password again: ") != new {
            throw Failure(.usage, "the two new passwords differ; nothing was changed")
        }
        guard new.reveal().unicodeScalars.count >= PasswordChange.shortest else {
            throw Failure(
                .usage, "the new password has fewer than \(PasswordChange.shortest) characters")
        }
        guard new != current else {
            throw Failure(.usage, "the new password is the same as the current one")
        }
        return PasswordChange(current: current, new: new)
    }

    private static func remember(
        _ password: Redacted<String>, of server: SignedInServer, in context: Context
    ) async {
        guard let record = server.record, server.isStored else { return }
        do throws(AccountError) {
            try await context.secrets.replacePassword(of: record, by: password)
        } catch {
            context.console.warn("the stored password is still the old one: \(error)")
        }
    }
}
