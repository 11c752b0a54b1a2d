import ArgusKit
import CommandLineKit

enum CompletionCommand: ArgusCommand {
    struct Options: VerbOptions {
        var shell: CompletionShell?
        var installs = false
        var isTrial = false
    }

    static let about = CommandInfo(
        name: "completion", summary: "Print or install the completion script for a shell",
        effect: .changes,
        description: """
            \(flag: "install") makes TAB work in your shell. It writes the script to your folder
            of completions and, if the shell does not read that folder, adds a line to
            \(code: "~/.bashrc") or \(code: "~/.zshrc"). It reports each change. If TAB works
            already, it changes nothing.
            """,
        examples: [
            "argus completion --install": "Make TAB work in the shell that SHELL names",
            "argus completion --install zsh --dry-run": "Show what that would change for zsh",
            "argus completion bash > ~/.local/share/bash-completion/completions/argus":
                "Write the script yourself",
        ],
        exitStatuses: [0, 1, 2])

    static let flags: [Flag<Options>] = [
        .toggle("install", sets: \.installs, "Install the script for your user"),
        .toggle("dry-run", sets: \.isTrial, "Print the changes and make none"),
    ]

    static let arguments: [Argument<Options>] = [
        .optional("SHELL", sets: \.shell, "One of bash, zsh and fish")
    ]

    static func validate(_ options: Options) throws(UsageError) {
        if options.installs { return }
        if options.isTrial { throw UsageError("--dry-run needs --install") }
        if options.shell == nil { throw UsageError("missing SHELL", hint: "bash, zsh or fish") }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let environment = context.system.environment
        let preferred = UserShell.preferred(in: environment).map(\.rawValue)
        guard let shell = options.shell ?? preferred.flatMap(CompletionShell.init) else {
            throw Failure(
                .usage, "argus has no completion for the shell in SHELL",
                hint: "name one: argus completion --install bash")
        }
        let script = shell.script(for: Tool.name).contents
        guard options.installs else { return try context.write(script) }
        try await install(script, for: shell, isTrial: options.isTrial, in: context)
    }

    /// The longest wait for a shell to start.
    private static let startTimeout = Duration.seconds(5)

    private static func install(
        _ script: String, for choice: CompletionShell, isTrial: Bool, in context: Context
    ) async throws(Failure) {
        guard let shell = UserShell(rawValue: choice.rawValue) else { return }
        let environment = context.system.environment
        let state = await shell.completion(environment, within: startTimeout)
        let installation = try attempt(
            CompletionInstallation(
                of: script, named: choice.fileName(for: Tool.name), for: shell, in: environment,
                state))
        guard let installation else {
            throw Failure(.failed, "there is no home folder: HOME is not an absolute path")
        }
        for change in installation.changes {
            if !isTrial { try attempt(installation.make(change)) }
            switch change {
            case .script(let path):
                context.console.notice("\(isTrial ? "would write" : "wrote") '\(path)'")
            case .line(let line, let file):
                context.console.notice("\(isTrial ? "would add" : "added") to '\(file)': \(line)")
            }
        }
        if installation.changes.isEmpty {
            context.console.notice(
                state?.isLoaded == true
                    ? "nothing to change: \(shell) already completes argus"
                    : "nothing to change: start a new \(shell) to complete argus")
        } else if !isTrial {
            context.console.notice("new \(shell) sessions will complete argus")
        }
    }
}
