import ArgusAccount
package import ArgusCore

/// An interactive shell with its user's start-up file.
package enum UserShell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The state of argus's completion in a shell.
    package struct Completion: Hashable, Sendable {
        /// True if TAB completes argus in a new shell.
        package var isLoaded: Bool
        /// True if the shell finds a script in the user's own folder by itself.
        package var searchesFolder: Bool
    }

    /// The shell that `SHELL` names.
    package static func preferred(in environment: Environment) -> UserShell? {
        environment["SHELL"]?.split(separator: "/").last.flatMap { UserShell(rawValue: String($0)) }
    }

    /// The user's shells in PATH: those with a start-up file, and the preferred one.
    package static func used(in environment: Environment) -> [UserShell] {
        guard let home = UserHome(environment) else { return [] }
        return allCases.filter { shell in
            let isUsed =
                shell == preferred(in: environment)
                || FileContents.exists(home.startUpFile(of: shell))
            return isUsed && ProgramSearch.path(of: shell.rawValue, in: environment) != nil
        }
    }

    /// Starts the shell with the user's start-up files and queries the state of argus's completion.
    ///
    /// The shell inherits only the variables that lead to its files, and thus no secret.
    /// - Returns: Nil if there is no such shell, or if it does not answer in time.
    package func completion(
        _ environment: Environment, within time: Duration
    ) async -> Completion? {
        guard let home = UserHome(environment),
            let path = ProgramSearch.path(of: rawValue, in: environment)
        else { return nil }
        // fish passes the words after a script as arguments; other shells take the first as a name.
        let name = self == .fish ? [] : [rawValue]
        let ending = try? await Subprocess.run(
            path, ["-i", "-c", question] + name + [home.scriptFolder(of: self)],
            environment: Self.inherited(from: environment), timeout: time, outputLimit: 1 << 20)
        guard let ending else { return nil }
        return Self.answer(in: String(decoding: ending.output.reveal(), as: UTF8.self))
    }

    /// Finds the answer after any output of the start-up files.
    static func answer(in output: String) -> Completion? {
        guard let line = output.split(separator: "\n").last(where: { $0.hasPrefix(mark) })
        else { return nil }
        let words = line.dropFirst(mark.count).split(
            separator: ",", omittingEmptySubsequences: false)
        guard words.count == 2 else { return nil }
        return Completion(isLoaded: words[0] == "yes", searchesFolder: words[1] == "yes")
    }

    private static let mark = "argus-completion:"

    private static func inherited(from environment: Environment) -> Environment {
        let names = [
            "HOME", "PATH", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR",
            "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CACHE_HOME", "ZDOTDIR",
            "FPATH", "BASH_COMPLETION_USER_DIR",
        ]
        var variables = environment.variables.filter { names.contains($0.key) }
        variables["TERM"] = "dumb"
        return Environment(variables)
    }

    /// A script that prints the answer; its first argument is the folder.
    private var question: String {
        switch self {
        case .bash:
            // The package bash-completion loads the script of a command at its first TAB.
            """
            loaded='' searches=''
            for load in _comp_load __load_completion _completion_loader; do
                if declare -F "$load" >/dev/null; then
                    searches=yes
                    "$load" argus >/dev/null 2>&1
                    break
                fi
            done
            if [[ $(complete -p argus 2>/dev/null) == *_argus* ]]; then loaded=yes; fi
            printf '\\n\(Self.mark)%s,%s\\n' "$loaded" "$searches"
            """
        case .zsh:
            """
            loaded='' searches=''
            if (( $+functions[compdef] && ${fpath[(Ie)$1]} )); then searches=yes; fi
            if [[ -n ${_comps[argus]-} ]]; then loaded=yes; fi
            printf '\\n\(Self.mark)%s,%s\\n' "$loaded" "$searches"
            """
        case .fish:
            """
            set -l loaded ''
            set -l searches ''
            complete -c argus | string length -q; and set loaded yes
            for folder in $fish_complete_path
                test -e $folder/argus.fish; and set loaded yes
            end
            contains -- $argv[1] $fish_complete_path; and set searches yes
            printf '\\n\(Self.mark)%s,%s\\n' "$loaded" "$searches"
            """
        }
    }
}

/// The places of a user's shell files.
struct UserHome: Sendable {
    private let home: String
    private let environment: Environment

    init?(_ environment: Environment) {
        guard let home = environment["HOME"] ?? Paths.homeFromUserDatabase(), home.hasPrefix("/")
        else { return nil }
        self.home = FileRename.withoutSlash(home)
        self.environment = environment
    }

    private func folder(_ variable: String) -> String? {
        environment[variable].flatMap { $0.hasPrefix("/") ? FileRename.withoutSlash($0) : nil }
    }

    /// The file that an interactive shell reads at its start.
    func startUpFile(of shell: UserShell) -> String {
        switch shell {
        case .bash: home + "/.bashrc"
        case .zsh: (folder("ZDOTDIR") ?? home) + "/.zshrc"
        case .fish: (folder("XDG_CONFIG_HOME") ?? home + "/.config") + "/fish/config.fish"
        }
    }

    /// The user's own folder of completion scripts.
    func scriptFolder(of shell: UserShell) -> String {
        let data = folder("XDG_DATA_HOME") ?? home + "/.local/share"
        return switch shell {
        case .bash:
            (folder("BASH_COMPLETION_USER_DIR") ?? data + "/bash-completion") + "/completions"
        case .zsh: data + "/zsh/site-functions"
        case .fish: (folder("XDG_CONFIG_HOME") ?? home + "/.config") + "/fish/completions"
        }
    }

    /// A path as a shell reads it, short below the home folder.
    func quoted(_ path: String) -> String {
        let short = path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
        let isPlain = short.utf8.allSatisfy { $0.isASCIIAlphanumeric || "~/._-".utf8.contains($0) }
        if isPlain { return short }
        let parts = path.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }
}
