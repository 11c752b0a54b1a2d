internal import Crypto

/// Checksums of files that argus writes.
package enum Checksum {
    /// The SHA-256 of the bytes in lower-case hexadecimal (FIPS 180-4).
    package static func sha256(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".unicodeScalars)
        var text = String.UnicodeScalarView()
        for byte in SHA256.hash(data: bytes) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xF)])
        }
        return String(text)
    }
}
