import Glibc

/// The current folder, from which relative paths start.
package enum WorkingFolder {
    /// Its absolute path; nil if it is gone, unreadable or not UTF-8 (getcwd(3)).
    package static func path() -> String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(validatingCString: path)
    }
}
