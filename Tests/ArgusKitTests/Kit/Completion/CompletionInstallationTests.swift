import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore
@testable import ArgusKit

@Suite("What makes a shell complete argus")
struct CompletionInstallationTests {
    private let folder: TemporaryFolder
    private let unknown = UserShell.Completion(isLoaded: false, searchesFolder: false)

    init() throws {
        folder = try TemporaryFolder()
    }

    private func plan(
        _ shell: UserShell, _ state: UserShell.Completion?, script: String = "script\n"
    ) throws -> CompletionInstallation {
        try #require(
            try CompletionInstallation(
                of: script, named: "argus", for: shell, in: Environment(["HOME": folder.path]),
                state))
    }

    private func make(_ shell: UserShell, _ state: UserShell.Completion?) throws {
        let plan = try plan(shell, state)
        for change in plan.changes { try plan.make(change) }
    }

    @Test("a shell that completes already needs nothing, one that searches needs the script")
    func states() throws {
        let loaded = UserShell.Completion(isLoaded: true, searchesFolder: false)
        let searching = UserShell.Completion(isLoaded: false, searchesFolder: true)
        let script = folder.file(".local/share/zsh/site-functions/argus")
        #expect(try plan(.zsh, loaded).changes == [])
        #expect(try plan(.zsh, searching).changes == [.script(script)])
        #expect(try plan(.zsh, unknown).changes.count == 2)
        #expect(
            try plan(.fish, nil).changes == [.script(folder.file(".config/fish/completions/argus"))]
        )
        try make(.zsh, searching)
        #expect(try folder.text(".local/share/zsh/site-functions/argus") == "script\n")
        // A script of an older argus is replaced.
        #expect(try plan(.zsh, loaded).changes == [])
        #expect(try plan(.zsh, loaded, script: "newer\n").changes == [.script(script)])
    }

    @Test("a line is added once, on a line of its own, and a link stays a link")
    func line() throws {
        try folder.plant("alias l=ls", "dotfiles", mode: 0o644)
        symlink("dotfiles", folder.file(".bashrc"))
        try make(.bash, unknown)
        try make(.bash, nil)
        let script = "~/.local/share/bash-completion/completions/argus"
        #expect(
            try folder.text("dotfiles")
                == "alias l=ls\nif [[ -r \(script) ]]; then . \(script); fi  # completion of argus\n"
        )
        #expect(try permissions(folder.file("dotfiles")) == 0o644)
        #expect(try plan(.bash, unknown).changes == [])
    }

    @Test("folders from the environment, with a quote in the name")
    func folders() throws {
        let data = folder.file("it's data")
        let plan = try #require(
            try CompletionInstallation(
                of: "script", named: "_argus", for: .zsh,
                in: Environment([
                    "HOME": folder.path, "XDG_DATA_HOME": data, "ZDOTDIR": folder.file("z"),
                ]), nil))
        #expect(plan.changes.first == .script(data + "/zsh/site-functions/_argus"))
        #expect(plan.changes.count == 2)
        if case .line(let line, let file) = plan.changes.last {
            #expect(file == folder.file("z/.zshrc"))
            #expect(line.contains("it'\\''s data/zsh/site-functions/_argus'"))
        }
        let homeless = try CompletionInstallation(
            of: "", named: "_argus", for: .zsh, in: Environment(["HOME": "here"]), nil)
        #expect(homeless == nil)
    }

    @Test("an answer stands below what start-up files print, and no answer is none")
    func answers() {
        #expect(
            UserShell.answer(in: "hello\nargus-completion:,\n\nargus-completion:yes,\nbye\n")
                == .init(isLoaded: true, searchesFolder: false))
        #expect(UserShell.answer(in: "argus-completion:,yes\n")?.searchesFolder == true)
        for output in ["", "hello\n", "argus-completion:yes\n"] {
            #expect(UserShell.answer(in: output) == nil)
        }
    }

    @Test("a shell is asked with its start-up files and without secrets")
    func asks() async throws {
        let variables = [
            "HOME": folder.path, "PATH": "/usr/bin:/bin", "SHELL": "/bin/dash",
            "ARGUS_TOKEN": "planted", "GITHUB_TOKEN": "planted",
        ]
        #expect(UserShell.used(in: Environment(variables)) == [])
        try folder.plant("env >$HOME/seen; _argus() { :; }; complete -F _argus argus\n", ".bashrc")
        #expect(UserShell.used(in: Environment(variables)) == [.bash])
        let state = await UserShell.bash.completion(Environment(variables), within: .seconds(60))
        #expect(state?.isLoaded == true)
        #expect(try !folder.text("seen").contains("planted"))
        #expect(
            await UserShell.bash.completion(
                Environment(["HOME": folder.path]), within: .seconds(60)) == nil)
    }
}
