internal import Crypto

/// SHA-256 checksums of files and of bytes (FIPS 180-4).
package enum Checksum {
    /// The SHA-256 of the bytes in lower-case hexadecimal.
    package static func sha256(_ bytes: [UInt8]) -> String { text(SHA256.hash(data: bytes)) }

    /// The SHA-256 of stored bytes in lower-case hexadecimal, read a block at a time.
    /// - Throws: `FileSystemError` if a read fails.
    package static func sha256(of bytes: StoredBytes) throws(FileSystemError) -> String {
        var hash = SHA256()
        var blocks = bytes.blocks()
        while let block = try blocks.next() { hash.update(data: block) }
        return text(hash.finalize())
    }

    /// The SHA-256 of a file in lower-case hexadecimal, read a block at a time.
    /// - Throws: `FileSystemError` if a read fails.
    package static func sha256(of file: PartialFile) throws(FileSystemError) -> String {
        var hash = SHA256()
        var offset = 0
        while true {
            let bytes = try file.read(from: offset, count: 1 << 18)
            guard !bytes.isEmpty else { return text(hash.finalize()) }
            hash.update(data: bytes)
            offset += bytes.count
        }
    }

    private static func text(_ hash: SHA256Digest) -> String {
        let digits = Array("0123456789abcdef".unicodeScalars)
        var text = String.UnicodeScalarView()
        for byte in hash {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xF)])
        }
        return String(text)
    }
}
