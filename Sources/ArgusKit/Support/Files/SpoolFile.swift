import Glibc
import Synchronization

/// A nameless file for what is too long for memory; gone when its owner is.
package final class SpoolFile: Sendable {
    /// The folder in which it has no name.
    package let folder: String
    private let path: String
    private let descriptor: OwnedDescriptor
    private let written = Atomic(0)

    /// Makes the file in a folder, readable by its owner only, and takes its name away at once.
    ///
    /// - Throws: `FileSystemError` when the folder cannot be written.
    package init(in folder: String) throws(FileSystemError) {
        self.folder = folder
        path = folder + "/.argus-" + String(UInt64.random(in: .min ... .max), radix: 36)
        descriptor = try OwnedDescriptor(
            path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, for: .create)
        unlink(path)
    }

    /// Bytes that were written to the file.
    package var size: Int { written.load(ordering: .sequentiallyConsistent) }

    /// Adds bytes at the end.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        try descriptor.writeAll(bytes, to: path)
        written.add(bytes.count, ordering: .sequentiallyConsistent)
    }

    /// Adds bytes at the end.
    package func write(_ bytes: [UInt8]) throws(FileSystemError) {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(FileSystemError) in try write(buffer) }
        }.get()
    }

    /// The bytes from a place on; none at the end.
    package func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try readPart(of: descriptor.rawValue, named: path, from: offset, count: count)
    }
}
