internal import CProcess
import Glibc
import Synchronization

/// A nameless temporary file for data too long for memory; deleted with its owner.
package final class SpoolFile: Sendable {
    /// The requested folder.
    package let folder: String
    private let path: String
    private let descriptor: OwnedDescriptor
    private let written = Atomic(0)

    /// Creates the file, 0600: in `folder`, else in one of `others`, else in memory
    /// (memfd_create(2)).
    ///
    /// - Throws: `FileSystemError` if the system grants none of them.
    package init(
        in folder: String, else others: [String] = ["/tmp", "/var/tmp"]
    ) throws(FileSystemError) {
        self.folder = folder
        for place in [folder] + others where !place.isEmpty {
            let number = Self.nameless(in: place)
            guard number >= 0 else { continue }
            path = place
            descriptor = OwnedDescriptor(owning: number)
            return
        }
        path = "a file in memory"
        let number = argus_memory_file("argus")
        guard number >= 0 else { throw .current(.create, path) }
        descriptor = OwnedDescriptor(owning: number)
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

    /// The number of bytes written.
    package var size: Int { written.load(ordering: .sequentiallyConsistent) }

    /// Appends bytes.
    ///
    /// - Throws: `FileSystemError`.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        try descriptor.writeAll(bytes, to: path)
        written.add(bytes.count, ordering: .sequentiallyConsistent)
    }

    /// Appends bytes.
    ///
    /// - Throws: `FileSystemError`.
    package func write(_ bytes: [UInt8]) throws(FileSystemError) {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(FileSystemError) in try write(buffer) }
        }.get()
    }

    /// Reads `count` bytes at an offset, fewer at the end of the file.
    ///
    /// - Throws: `FileSystemError`.
    package func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try readPart(of: descriptor.rawValue, named: path, from: offset, count: count)
    }
}
