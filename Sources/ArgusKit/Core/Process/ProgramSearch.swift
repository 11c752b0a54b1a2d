import Glibc

/// Finds the programs that argus runs by name, as git finds its own.
package enum ProgramSearch {
    /// The path of a program in the folder of this binary or in PATH; nil if there is none.
    ///
    /// Skips empty and relative entries of PATH, which would run programs of the current folder.
    package static func path(of program: String, in environment: Environment) -> String? {
        folders(environment).lazy.map { "\($0)/\(program)" }.first(where: isProgram)
    }

    /// The names of programs that begin with a prefix, sorted.
    package static func programs(withPrefix word: String, in environment: Environment) -> [String] {
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
