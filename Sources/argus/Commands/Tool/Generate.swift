import ArgusCore
import CommandLineKit

enum Generate: ArgusCommand {
    enum Kind: String, Choice, Sendable {
        case man, completions, json
    }

    struct Options: VerbOptions {
        @Required var kind: Kind
        var folder: String?
    }

    static let about = CommandInfo(
        name: "generate", summary: "Write manual pages, completions or a description of the tool",
        effect: .reads,
        description: """
            For packagers. The JSON description has every command, option, field and exit status,
            and goes to stdout.
            """,
        examples: [
            "argus generate man --to man": "The manual pages",
            "argus generate json | jq -r '.command.verbs[].path[]'": "What argus can do",
        ],
        exitStatuses: [0, 1, 2], isHidden: true)

    static let flags: [Flag<Options>] = [
        .option("to", value: "DIR", sets: \.folder, "The folder to write to").completing(.directory)
    ]

    static let arguments: [Argument<Options>] = [
        .required("KIND", sets: \.$kind, "One of man, completions and json")
    ]

    static func validate(_ options: Options) throws(UsageError) {
        if options.kind != .json, options.folder == nil {
            throw UsageError("--to is missing")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        guard let folder = options.folder else {
            return try context.write(Tool.commandLine.description.json)
        }
        let files = options.kind == .man ? GeneratedFiles.manualPages : GeneratedFiles.completions
        for file in files {
            try attempt(
                AtomicFile.write(
                    Array(file.contents.utf8), to: folder + "/" + file.name, for: .person,
                    replacing: true))
        }
    }
}
