import Glibc
import Synchronization

/// Another program that takes over the terminal while it runs, such as an editor.
///
/// It inherits no secret variable. Ctrl-C reaches only the program, as in system(3).
package enum ForegroundProgram {
    /// The id of the latest program; 0 before one.
    static let process = Atomic<pid_t>(0)

    /// True while such a program, or a pager, runs.
    static var isRunning: Bool {
        let id = process.load(ordering: .acquiring)
        var info = siginfo_t()
        // Leaves an ended process for the thread that waits for it (waitid(2)).
        let code = waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT)
        return id > 0 && code == 0 && info.si_signo == 0
    }

    /// Runs a program, given by its path or a name to find in PATH, to its end.
    /// - Returns: The exit status; nil if a signal ended the program.
    /// - Throws: The errno if the program cannot be started.
    package static func run(
        _ program: String, _ arguments: [String], environment: Environment
    ) throws(Errno) -> Int32? {
        let id = try spawn(program, arguments, variables: environment.childWords)
        process.store(id, ordering: .releasing)
        var status: Int32 = 0
        guard retryingInterrupts({ waitpid(id, &status, 0) }) == id else { throw .current }
        return exitStatus(of: status)
    }
}

/// Finds the programs that argus runs by name, as git finds its own.
package enum ProgramSearch {
    /// The path of a program in the folder of this binary or in PATH; nil if there is none.
    ///
    /// Skips empty and relative entries of PATH, which would run programs of the current folder.
    package static func path(of program: String, in environment: Environment) -> String? {
        folders(environment).lazy.map { "\($0)/\(program)" }.first(where: isProgram)
    }

    /// The names of programs that begin with a prefix, sorted.
    package static func programs(beginning word: String, in environment: Environment) -> [String] {
        var names: Set<String> = []
        for folder in folders(environment) {
            for name in FolderNames.all(in: folder)
            where name.hasPrefix(word) && isProgram("\(folder)/\(name)") {
                names.insert(name)
            }
        }
        return names.sorted()
    }

    private static func folders(_ environment: Environment) -> [String] {
        let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return [ownFolder] + path.filter { $0.hasPrefix("/") }
    }

    /// Returns true for a regular file that this user may execute.
    package static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.isRegularFile && access(path, X_OK) == 0
    }

    /// The folder of this binary.
    package static var ownFolder: String {
        FileRename.folder(of: SymbolicLink.destination(of: "/proc/self/exe"))
    }
}
