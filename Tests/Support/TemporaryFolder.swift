import FoundationEssentials
package import Glibc
import Testing

/// A test's own folder, removed with its contents when it is released.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/argus-test-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder.
    package func file(_ name: String) -> String { path + "/" + name }

    /// The names in the folder, hidden ones too, sorted.
    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// The names in a folder below, hidden ones too, sorted.
    package func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file(name)).sorted()
    }

    /// Writes a file with the given mode, as another program would.
    @discardableResult
    package func plant(_ text: String, _ name: String, mode: mode_t = 0o600) throws -> String {
        let path = file(name)
        try Data(text.utf8).write(to: URL(filePath: path))
        try #require(chmod(path, mode) == 0)
        return path
    }

    /// The content of a file as text.
    package func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: file(name))), as: UTF8.self)
    }
}

/// The permission bits of a file or folder, links not followed.
package func permissions(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status.st_mode & 0o7777
}
