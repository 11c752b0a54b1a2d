import ArgusKit
import CommandLineKit
import Glibc

/// Runs `argus-NAME` as git runs `git-NAME`.
enum ExternalCommands {
    /// Replaces this process by the program; returns only when there is none.
    ///
    /// It inherits every variable, secrets too: it is a command of argus, and signs in as one. The
    /// options before its name become variables.
    static func run(
        _ name: String, _ arguments: [String], _ globals: GlobalOptions, _ environment: Environment
    ) -> Failure {
        let program = "\(Tool.name)-\(name)"
        guard let path = ProgramSearch.path(of: program, in: environment) else {
            return Failure(Tool.commandLine.unknownCommand(name))
        }
        do throws(UsageError) {
            for (name, value) in try globals.exported() {
                if let value { setenv(name, value, 1) } else { unsetenv(name) }
            }
        } catch {
            return Failure(error)
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        words.append(nil)
        Signals.prepareForAnotherProgram()
        execv(path, &words)
        let reason = Errno.current
        words.forEach { free($0) }
        return Failure(.failed, "cannot run '\(path)': \(reason)")
    }
}
