import Glibc

/// Resolves links that users made.
package enum SymbolicLink {
    /// The path that a chain of links leads to, which need not exist.
    package static func destination(of path: String) -> String {
        if let found = realpath(path, nil) {
            defer { free(found) }
            return String(cString: found)
        }
        var path = path
        // As many as the kernel follows (path_resolution(7)); a loop fails when it is written to.
        for _ in 0..<40 {
            guard let target = target(of: path) else { break }
            path = target.hasPrefix("/") ? target : FileRename.folder(of: path) + "/" + target
        }
        return path
    }

    /// The target of a link (readlink(2)); nil for anything else.
    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(path, &bytes, bytes.count)
        guard length > 0 else { return nil }
        return String(decoding: bytes.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
