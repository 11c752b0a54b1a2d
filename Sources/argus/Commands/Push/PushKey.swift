import ArgusKit
import CommandLineKit

/// The command `argus push key`.
enum PushKey: ArgusCommand {
    static let about = CommandInfo(
        name: "key", summary: "Show the server's public key for Web Push",
        examples: ["argus push key --json | jq -r .public_key": "The key alone"],
        exitStatuses: .requests(), prints: .objects(fields))

    private static let fields: [Field<String>] = [
        Field("public_key", "the applicationServerKey, in base64url") { .text($0) }
    ]

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: fields, .operands(1))
        let server = try await context.server()
        let answer = try await server.attempt(
            "tell its key for Web Push", await PushSubscriber(session: server.session).key())
        try printer.write(answer.key, raw: answer.view)
        try printer.finish()
    }
}
