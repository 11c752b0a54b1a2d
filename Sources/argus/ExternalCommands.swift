import ArgusKit
import CommandLineKit
import Glibc

/// Runs `argus-NAME` as git runs `git-NAME`.
enum ExternalCommands {
    /// Replaces this process by the program; returns only when there is none.
    static func run(
        _ name: String, _ arguments: [String], _ environment: Environment
    ) -> Failure {
        let program = "\(Tool.name)-\(name)"
        for folder in folders(environment) {
            let path = "\(folder)/\(program)"
            guard isProgram(path) else { continue }
            var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
            words.append(nil)
            Signals.prepareForAnotherProgram()
            execv(path, &words)
            let reason = Errno.current
            words.forEach { free($0) }
            return Failure(.failed, "cannot run '\(path)': \(reason)")
        }
        return Failure(Tool.commandLine.unknownCommand(name))
    }

    /// Whether a path leads to a file that may be run; a folder of that name is passed by.
    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && access(path, X_OK) == 0
    }

    /// The folder of this binary, then those of PATH; empty and relative entries are skipped,
    /// because they would run whatever lies in the current folder.
    private static func folders(_ environment: Environment) -> [String] {
        let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (ownFolder.map { [$0] } ?? []) + path.filter { $0.hasPrefix("/") }
    }

    private static var ownFolder: String? {
        guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(resolved) }
        let path = String(cString: resolved)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
