import Glibc

/// A file that another program may read while this value exists; 0600 and removed with it, by a signal
/// too.
package final class PrivateTemporaryFile: Sendable {
    package let path: String
    private static let prefix = "argus-"
    private let slot: TemporaryFiles.Slot?

    /// True for the name of such a file, which a kill may have left.
    static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// Writes the bytes to a new file in a folder; `kind` is its extension.
    /// - Throws: `FileSystemError`; no file is left behind.
    package init(
        _ bytes: StoredBytes, in folder: String, kind: String
    ) throws(FileSystemError) {
        let number = UInt64.random(in: .min ... .max)
        path = "\(folder)/\(Self.prefix)\(String(number, radix: 36)).\(kind)"
        slot = TemporaryFiles.register(path)
        do throws(FileSystemError) {
            let file = try OwnedDescriptor(
                path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, for: .create)
            // A umask such as 0777 takes away bits that the reader needs.
            _ = fchmod(file.rawValue, 0o600)
            var blocks = bytes.blocks()
            while let block = try blocks.next() {
                try writeAll(block, to: file.rawValue, named: path)
            }
        } catch {
            remove()
            throw error
        }
    }

    deinit { remove() }

    private func remove() {
        unlink(path)
        slot.map(TemporaryFiles.forget)
    }
}
