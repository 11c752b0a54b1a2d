internal import CProcess
import Glibc
import Synchronization

/// A nameless temporary file, deleted with its owner.
package final class SpoolFile: ByteDestination {
    private let path: String
    private let descriptor: OwnedDescriptor
    private let written = Atomic(0)

    private init(_ number: Int32, in path: String) throws(FileSystemError) {
        guard number >= 0 else { throw .current(.create, path) }
        self.path = path
        descriptor = OwnedDescriptor(owning: number)
    }

    /// Creates the file in a folder, 0600.
    /// - Throws: `FileSystemError`.
    package convenience init(in folder: String) throws(FileSystemError) {
        try self.init(Self.nameless(in: folder), in: folder)
    }

    /// Creates a file in memory that holds these bytes (memfd_create(2)).
    /// - Throws: `FileSystemError`.
    package convenience init(inMemory bytes: [UInt8]) throws(FileSystemError) {
        try self.init(argus_memory_file("argus"), in: "a file in memory")
        try write(bytes)
    }

    /// Lends the descriptor, at the first byte, for a child that reads the file as its stdin.
    package func withStream<Value, Failure: Error>(
        _ body: (Int32) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        lseek(descriptor.rawValue, 0, SEEK_SET)
        return try body(descriptor.rawValue)
    }

    /// Opens a file without a name; -1 on failure.
    private static func nameless(in folder: String) -> Int32 {
        let flags = O_RDWR | O_EXCL | O_CLOEXEC
        let number = retryingInterrupts { open(folder, flags | argus_nameless_flag(), 0o600) }
        if number >= 0 { return number }
        // Not every file system makes files without names (open(2)).
        let path = folder + "/.argus-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let named = retryingInterrupts { open(path, flags | O_CREAT | O_NOFOLLOW, 0o600) }
        if named >= 0 { unlink(path) }
        return named
    }

    package var size: Int { written.load(ordering: .sequentiallyConsistent) }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        try writeAll(bytes, to: descriptor.rawValue, named: path)
        written.add(bytes.count, ordering: .sequentiallyConsistent)
    }

    /// Writes bytes at an offset, over those that are there; one task at a time.
    /// - Throws: `FileSystemError`.
    package func write(
        _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(FileSystemError) {
        lseek(descriptor.rawValue, offset, SEEK_SET)
        try writeAll(bytes, to: descriptor.rawValue, named: path)
        written.max(offset + bytes.count, ordering: .sequentiallyConsistent)
    }

    /// The SHA-256 of all bytes in lower-case hexadecimal.
    package var sha256: String {
        get throws(FileSystemError) { try Checksum.sha256(read(from:count:)) }
    }

    /// Reads `count` bytes at an offset, fewer at the end of the file.
    /// - Throws: `FileSystemError`.
    package func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try readPart(of: descriptor.rawValue, named: path, from: offset, count: count)
    }
}
