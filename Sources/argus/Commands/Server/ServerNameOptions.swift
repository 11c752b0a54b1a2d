import ArgusKit
import CommandLineKit

/// The operand of commands about one known server.
struct ServerNameOptions: VerbOptions {
    @Required var name: String

    static let arguments: [Argument<ServerNameOptions>] = [
        .required("NAME", sets: \.$name, "A server's name or id").completing(.dynamic("servers"))
    ]
}
