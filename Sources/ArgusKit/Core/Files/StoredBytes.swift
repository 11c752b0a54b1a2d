internal import CProcess
import Glibc
import Synchronization

/// Bytes received from a network: few in memory, many in a nameless file.
package struct StoredBytes: Sendable {
    private enum Place: Sendable {
        case memory([UInt8])
        case file(SpoolFile)
    }

    private let place: Place
    package let count: Int

    package init(_ bytes: [UInt8]) {
        place = .memory(bytes)
        count = bytes.count
    }

    /// Takes the bytes of a file that no longer grows.
    package init(_ file: SpoolFile) {
        place = .file(file)
        count = file.size
    }

    /// The folder of the file; nil for bytes in memory.
    var folder: String? {
        if case .file(let file) = place { file.folder } else { nil }
    }

    /// Reports a file that holds fewer bytes than were written.
    package static let lost = FileSystemError(
        .read, "a temporary file", .errno(Errno(rawValue: EIO)))

    /// Reads `count` bytes at an offset, fewer only at the end.
    /// - Throws: `FileSystemError`.
    package func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        let start = min(offset, self.count)
        let end = min(start + count, self.count)
        switch place {
        case .memory(let bytes): return Array(bytes[start..<end])
        case .file(let file):
            var bytes = try file.read(from: start, count: end - start)
            while bytes.count < end - start {
                let next = start + bytes.count
                let more = try file.read(from: next, count: end - next)
                guard !more.isEmpty else { throw Self.lost }
                bytes += more
            }
            return bytes
        }
    }

    /// An iterator over all bytes, a block at a time.
    package struct Blocks {
        fileprivate let bytes: StoredBytes
        private var offset = 0

        fileprivate init(_ bytes: StoredBytes) { self.bytes = bytes }

        /// The next block; nil at the end.
        /// - Throws: `FileSystemError`.
        package mutating func next() throws(FileSystemError) -> [UInt8]? {
            guard offset < bytes.count else { return nil }
            let block: [UInt8]
            if let held = bytes.held {
                block = held
            } else {
                block = try bytes.read(from: offset, count: ByteWindow.size)
            }
            offset += block.count
            return block
        }
    }

    /// Iterates over all bytes, a block at a time.
    package func blocks() -> Blocks { Blocks(self) }

    /// The bytes if they are in memory.
    fileprivate var held: [UInt8]? {
        if case .memory(let bytes) = place { bytes } else { nil }
    }
}

/// Random access to stored bytes, mostly forwards, with one block in memory.
struct ByteWindow {
    /// The size of a block in bytes.
    static let size = 64 << 10

    let bytes: StoredBytes
    private var block: [UInt8]
    private var start = 0

    init(_ bytes: StoredBytes) {
        self.bytes = bytes
        block = bytes.held ?? []
    }

    var count: Int { bytes.count }

    /// The byte at a position before the end.
    @inline(__always)
    mutating func byte(at position: Int) throws(FileSystemError) -> UInt8 {
        let index = position - start
        if index >= 0, index < block.count { return block[index] }
        return try load(position)
    }

    /// The first position of a byte from `first` on; nil if there is none.
    mutating func position(of byte: UInt8, from first: Int) throws(FileSystemError) -> Int? {
        var position = first
        while position < count {
            _ = try self.byte(at: position)
            if let index = block[(position - start)...].firstIndex(of: byte) {
                return start + index
            }
            position = start + block.count
        }
        return nil
    }

    private mutating func load(_ position: Int) throws(FileSystemError) -> UInt8 {
        block = try bytes.read(from: position, count: Self.size)
        start = position
        guard let byte = block.first else { throw StoredBytes.lost }
        return byte
    }

    /// The bytes of a range that fits in memory.
    func bytes(in range: Range<Int>) throws(FileSystemError) -> [UInt8] {
        let first = range.lowerBound - start
        if first >= 0, first + range.count <= block.count {
            return Array(block[first..<first + range.count])
        }
        return try bytes.read(from: range.lowerBound, count: range.count)
    }
}

/// A nameless temporary file for data too long for memory; deleted with its owner.
package final class SpoolFile: ByteDestination {
    package let folder: String
    private let path: String
    private let descriptor: OwnedDescriptor
    private let written = Atomic(0)

    /// Creates the file, 0600: in one of the folders, else in memory (memfd_create(2)).
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

    /// Creates a file in memory that holds these bytes (memfd_create(2)).
    /// - Throws: `FileSystemError`.
    package convenience init(inMemory bytes: [UInt8]) throws(FileSystemError) {
        try self.init(in: "", else: [])
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

    /// Reads `count` bytes at an offset, fewer at the end of the file.
    /// - Throws: `FileSystemError`.
    package func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try readPart(of: descriptor.rawValue, named: path, from: offset, count: count)
    }
}
