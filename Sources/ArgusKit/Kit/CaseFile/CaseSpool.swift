package import ArgusCore
import Glibc
import Synchronization

/// What is collected for a case file, on disk and not in memory; several tasks may add to it.
package final class CaseSpool: Sendable {
    private let file: SpoolFile
    private let folder: String
    private let lock = Mutex(())

    /// A spool without a name in a folder.
    /// - Throws: `FileSystemError`.
    package init(in folder: String) throws(FileSystemError) {
        file = try SpoolFile(in: folder)
        self.folder = folder
    }

    /// Adds bytes.
    /// - Throws: `FileSystemError`.
    package func keep(_ bytes: [UInt8]) throws(FileSystemError) -> SpooledBytes {
        let start = try lock.withLock { _ throws(FileSystemError) in
            let start = file.size
            try file.write(bytes)
            return start
        }
        return SpooledBytes(
            file: file, start: start, count: bytes.count, sha256: Checksum.sha256(bytes))
    }

    /// Adds what `read` returns for an offset and a count, up to where it returns nothing.
    /// - Throws: `FileSystemError`.
    package func keep(
        _ read: (Int, Int) throws(FileSystemError) -> [UInt8]
    ) throws(FileSystemError) -> SpooledBytes {
        let (start, count) = try lock.withLock { _ throws(FileSystemError) in
            let start = file.size
            while true {
                let block = try read(file.size - start, 1 << 18)
                guard !block.isEmpty else { return (start, file.size - start) }
                try file.write(block)
            }
        }
        var part = SpooledBytes(file: file, start: start, count: count, sha256: "")
        part.sha256 = try Checksum.sha256(part.read(from:count:))
        return part
    }

    /// Adds the bytes of a regular file; nil if there is none, or something else in its place.
    /// - Throws: `FileSystemError`.
    package func keep(file path: String) throws(FileSystemError) -> SpooledBytes? {
        let opened: SharedDescriptor
        do throws(FileSystemError) {
            opened = SharedDescriptor(
                try OwnedDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, for: .read))
        } catch  where error.isAbsent || error.reason == .symbolicLink {
            return nil
        }
        guard try opened.descriptor.status(of: path).isFile else { return nil }
        return try keep { (offset, count) throws(FileSystemError) in
            try readPart(
                of: opened.descriptor.rawValue, named: path, from: offset, count: count)
        }
    }

    /// A file without a name beside the spool, for a download that is added when it is complete.
    /// - Throws: `FileSystemError`.
    func makePart() throws(FileSystemError) -> PartialFile {
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        let part = try PartialFile(
            "\(folder)/.argus-\(number)", remains: .replaced, advice: "the same command repeats it")
        part.discard()
        return part
    }
}

/// Bytes in a spool, which they keep open.
package struct SpooledBytes: Sendable {
    fileprivate let file: SpoolFile
    fileprivate let start: Int
    package let count: Int
    /// Their SHA-256 in lower-case hexadecimal.
    package fileprivate(set) var sha256: String

    /// Reads `count` bytes at an offset, fewer at their end.
    /// - Throws: `FileSystemError`.
    package func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        let rest = max(0, self.count - offset)
        return try file.read(from: start + offset, count: min(count, rest))
    }
}

extension stat {
    fileprivate var isFile: Bool { st_mode & S_IFMT == S_IFREG }
}
