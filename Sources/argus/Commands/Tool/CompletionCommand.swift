import CommandLineKit

enum CompletionCommand: ArgusCommand {
    struct Options: VerbOptions {
        @Required var shell: CompletionShell
    }

    static let about = CommandInfo(
        name: "completion", summary: "Print the completion script for a shell",
        description: "An installed argus has put the scripts in their places already.",
        examples: [
            "argus completion bash > ~/.local/share/bash-completion/completions/argus":
                "Install it for one user"
        ],
        exitStatuses: [0, 1, 2])

    static let arguments: [Argument<Options>] = [
        .required("SHELL", sets: \.$shell, "One of bash, zsh and fish")
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        try context.write(options.shell.script(for: Tool.name).contents)
    }
}
