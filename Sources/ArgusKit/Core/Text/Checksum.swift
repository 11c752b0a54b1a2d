internal import Crypto
import Glibc

/// SHA-256 checksums of files and of bytes (FIPS 180-4).
package enum Checksum {
    /// The SHA-256 of the bytes in lower-case hexadecimal.
    package static func sha256(_ bytes: [UInt8]) -> String { sha256(bytes[...]) }

    /// The SHA-256 of the bytes in lower-case hexadecimal.
    package static func sha256(_ bytes: ArraySlice<UInt8>) -> String {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return text(hash.finalize())
    }

    /// The SHA-256 of the bytes in base64.
    package static func base64SHA256(_ bytes: [UInt8]) -> String {
        Base64.encode(Array(SHA256.hash(data: bytes)))
    }

    /// The SHA-256 of a file in lower-case hexadecimal, read a block at a time.
    /// - Throws: `FileSystemError` if a read fails.
    package static func sha256(of file: PartialFile) throws(FileSystemError) -> String {
        try sha256(file.read(from:count:))
    }

    /// The SHA-256 of a regular file in lower-case hexadecimal; nil if there is none.
    /// - Throws: `FileSystemError` if it cannot be read.
    package static func sha256(ofFile path: String) throws(FileSystemError) -> String? {
        let file: OwnedDescriptor
        do throws(FileSystemError) {
            file = try OwnedDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, for: .read)
        } catch  where error.isAbsent {
            return nil
        }
        guard try file.status(of: path).isRegularFile else {
            throw FileSystemError(.read, path, .notRegularFile)
        }
        let number = file.rawValue
        let text = try sha256 { (offset, count) throws(FileSystemError) in
            try readPart(of: number, named: path, from: offset, count: count)
        }
        withExtendedLifetime(file) {}
        return text
    }

    /// The SHA-256 in lower-case hexadecimal of what `read` returns for an offset and a count, up to
    /// where it returns nothing.
    /// - Throws: `FileSystemError` if a read fails.
    package static func sha256(
        _ read: (Int, Int) throws(FileSystemError) -> [UInt8]
    ) throws(FileSystemError) -> String {
        var hash = SHA256()
        var offset = 0
        while true {
            let bytes = try read(offset, 1 << 18)
            guard !bytes.isEmpty else { return text(hash.finalize()) }
            hash.update(data: bytes)
            offset += bytes.count
        }
    }

    private static func text(_ hash: SHA256Digest) -> String {
        String(unsafeUninitializedCapacity: 2 * SHA256.byteCount) { text in
            for (index, byte) in hash.enumerated() {
                text[2 * index] = (byte >> 4).hexDigit
                text[2 * index + 1] = (byte & 15).hexDigit
            }
            return 2 * SHA256.byteCount
        }
    }
}
