import ArgusKit
import CommandLineKit
import Glibc

/// Runs `argus-NAME` as git runs `git-NAME`.
enum ExternalCommands {
    /// Replaces this process by the program; returns only if there is none.
    ///
    /// The program inherits every variable, including secrets, since it is a command of argus. The
    /// options before its name become variables.
    static func run(
        _ name: String, _ arguments: [String], _ globals: GlobalOptions, _ environment: Environment
    ) -> Failure {
        let program = "\(Tool.name)-\(name)"
        guard let path = ProgramSearch.path(of: program, in: environment) else {
            return Failure(Tool.commandLine.unknownCommand(name))
        }
        let inherited: [[CChar]]
        do throws(UsageError) {
            inherited = Environment.processWords(changing: try globals.exported())
        } catch {
            return Failure(error)
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        words.append(nil)
        // Not by setenv(3): another thread may be reading variables, to load libcurl.
        var variables: [UnsafeMutablePointer<CChar>?] = inherited.map { strdup($0) }
        variables.append(nil)
        Signals.prepareForAnotherProgram()
        CoreDumps.allowedAsUsual { _ = execve(path, &words, &variables) }
        let reason = Errno.current
        (words + variables).forEach { free($0) }
        return Failure(.failed, "cannot run '\(path)': \(reason)")
    }
}
