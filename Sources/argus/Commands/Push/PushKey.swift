import ArgusCore
import ArgusPush
import CommandLineKit

enum PushKey: ArgusCommand {
    static let about = CommandInfo(
        name: "key", summary: "Show the server's public key for Web Push", effect: .reads,
        examples: ["argus push key --json | jq -r .public_key": "The key alone"],
        exitStatuses: .requests(), prints: .objects(fields))

    private static let fields: [Field<String>] = [
        .column("public_key", "the applicationServerKey, in base64url") { $0 }
    ]

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: fields, .operands(1))
        let answer = try await server.attempt(
            "read the key for Web Push", await server.subscriber.key())
        try printer.writeOnly(answer.key, raw: answer.view)
    }
}
