internal import Crypto

/// The content coding `aes128gcm` (RFC 8188).
///
/// ```text
/// 16 salt   4 record size   1 length of the key id   key id   records
/// ```
/// A record is AES-128-GCM over the text, one delimiter (1, or 2 in the last record) and zeros.
package enum ContentEncryption {
    /// The size of a record, with its tag, in the bodies made here.
    static let recordSize = 4096
    /// The bytes of a body besides text and key id: the header, the delimiter and the tag.
    static let overhead = 16 + 4 + 1 + 1 + 16

    private static let tagCount = 16

    /// Encrypts a text of at most 4,079 bytes as one record.
    ///
    /// `keyID` has at most 255 bytes, and `salt` has 16.
    static func encrypt(
        _ text: [UInt8], with key: SymmetricKey, salt: [UInt8], keyID: [UInt8]
    ) -> [UInt8]? {
        guard text.count + 1 + tagCount <= recordSize, keyID.count <= 255 else { return nil }
        let size = UInt32(recordSize)
        let header =
            salt + withUnsafeBytes(of: size.bigEndian) { Array($0) } + [UInt8(keyID.count)] + keyID
        let keys = RecordKeys(key, salt: salt)
        guard
            let box = try? AES.GCM.seal(text + [2], using: keys.key, nonce: keys.nonce(of: 0))
        else { return nil }
        return header + Array(box.ciphertext) + Array(box.tag)
    }

    /// A received body, parsed but not yet decrypted.
    package struct Body: Sendable {
        package var salt: [UInt8]
        /// The size of all records but the last, with their tags.
        package var recordSize: Int
        package var keyID: [UInt8]
        var records: [UInt8]

        /// Parses a body; nil for one that RFC 8188, section 2.1 does not allow.
        package init?(_ bytes: [UInt8]) {
            guard bytes.count > 21 else { return nil }
            salt = Array(bytes[..<16])
            recordSize = bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
            let start = 21 + Int(bytes[20])
            guard recordSize >= 18, bytes.count > start else { return nil }
            keyID = Array(bytes[21..<start])
            records = Array(bytes[start...])
        }

        /// Decrypts all records; nil if one was changed, is missing or has another key.
        func decrypted(with key: SymmetricKey) -> [UInt8]? {
            let keys = RecordKeys(key, salt: salt)
            var text: [UInt8] = []
            var rest = records[...]
            var number: UInt64 = 0
            while !rest.isEmpty {
                let record = rest.prefix(recordSize)
                rest = rest.dropFirst(record.count)
                guard record.count > tagCount, let nonce = try? keys.nonce(of: number),
                    let box = try? AES.GCM.SealedBox(
                        nonce: nonce, ciphertext: record.dropLast(tagCount),
                        tag: record.suffix(tagCount)),
                    let padded = try? AES.GCM.open(box, using: keys.key)
                else { return nil }
                let plain = Array(padded)
                let delimiter: UInt8 = rest.isEmpty ? 2 : 1
                guard let end = plain.lastIndex(where: { $0 != 0 }), plain[end] == delimiter
                else { return nil }
                text += plain[..<end]
                number += 1
            }
            return text
        }
    }

    /// The key of all records and the base of their nonces (RFC 8188, sections 2.2 and 2.3).
    private struct RecordKeys {
        let key: SymmetricKey
        private let base: [UInt8]

        init(_ input: SymmetricKey, salt: [UInt8]) {
            func derive(_ info: String, _ count: Int) -> SymmetricKey {
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: input, salt: salt, info: Array(info.utf8),
                    outputByteCount: count)
            }
            key = derive("Content-Encoding: aes128gcm\0", 16)
            base = derive("Content-Encoding: nonce\0", 12).withUnsafeBytes { Array($0) }
        }

        func nonce(of record: UInt64) throws -> AES.GCM.Nonce {
            var bytes = base
            for (index, byte) in withUnsafeBytes(of: record.bigEndian, Array.init).enumerated() {
                bytes[4 + index] ^= byte
            }
            return try AES.GCM.Nonce(data: bytes)
        }
    }
}
