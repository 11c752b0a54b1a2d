import Glibc

/// The folder that relative paths start from.
package enum WorkingFolder {
    /// Its absolute path; nil when it is gone, may not be read or is no UTF-8 text (getcwd(3)).
    package static func path() -> String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(validatingCString: path)
    }
}
