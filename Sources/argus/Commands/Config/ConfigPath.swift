import ArgusAccount
import CommandLineKit

enum ConfigPath: ArgusCommand {
    static let about = CommandInfo(
        name: "path", summary: "Print the path of the config file", effect: .reads,
        description: "The file may not exist yet.",
        examples: ["argus config path": "Where your settings are"], exitStatuses: [0, 1])

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        try context.write(try attempt(context.configuration.path()) + "\n")
    }
}
