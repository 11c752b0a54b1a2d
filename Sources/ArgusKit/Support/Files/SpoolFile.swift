import Glibc

/// A nameless file for what comes faster than it can be worked on; gone when its owner is.
final class SpoolFile: Sendable {
    private let path: String
    private let descriptor: OwnedDescriptor

    /// Makes the file in a folder, readable by its owner only, and takes its name away at once.
    ///
    /// - Throws: `FileSystemError` when the folder cannot be written.
    init(in folder: String) throws(FileSystemError) {
        path = folder + "/.argus-" + String(UInt64.random(in: .min ... .max), radix: 36)
        descriptor = try OwnedDescriptor(
            path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, for: .create)
        unlink(path)
    }

    /// Adds bytes at the end.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        try descriptor.writeAll(bytes, to: path)
    }

    /// The bytes from a place on; none at the end.
    func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try readPart(of: descriptor.rawValue, named: path, from: offset, count: count)
    }
}
