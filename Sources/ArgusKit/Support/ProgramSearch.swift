import Glibc

/// Finds the programs that argus runs by name, as git finds its own.
package enum ProgramSearch {
    /// The path of a program: in the folder of this binary, else in those of PATH; nil when there
    /// is none.
    ///
    /// Empty and relative entries of PATH are skipped, because they would run whatever lies in the
    /// current folder; a folder of that name is passed by.
    package static func path(of program: String, in environment: Environment) -> String? {
        let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let folders = (ownFolder.map { [$0] } ?? []) + path.filter { $0.hasPrefix("/") }
        return folders.lazy.map { "\($0)/\(program)" }.first(where: isProgram)
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && access(path, X_OK) == 0
    }

    /// The folder of this binary.
    package static var ownFolder: String? {
        guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(resolved) }
        let path = String(cString: resolved)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
