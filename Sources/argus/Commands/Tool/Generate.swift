import ArgusCore
import CommandLineKit

enum Generate: ArgusCommand {
    enum Kind: String, Choice, Sendable {
        case man, completions
    }

    struct Options: VerbOptions {
        @Required var kind: Kind
        @Required var folder: String
    }

    static let about = CommandInfo(
        name: "generate", summary: "Write manual pages or completions", effect: .reads,
        description: "For packagers.",
        examples: ["argus generate man --to man": "The manual pages"],
        exitStatuses: [0, 1, 2], isHidden: true)

    static let flags: [Flag<Options>] = [
        .option("to", value: "DIR", sets: \.$folder, "The folder to write to")
            .completing(.directory)
    ]

    static let arguments: [Argument<Options>] = [
        .required("KIND", sets: \.$kind, "One of man and completions")
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let files = options.kind == .man ? GeneratedFiles.manualPages : GeneratedFiles.completions
        for file in files {
            try attempt(
                AtomicFile.write(
                    Array(file.contents.utf8), to: options.folder + "/" + file.name, for: .person,
                    replacing: true))
        }
    }
}
