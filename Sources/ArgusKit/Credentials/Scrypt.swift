internal import CCryptoBoringSSL

/// The key derivation for passphrases (RFC 7914), by the BoringSSL in swift-crypto.
///
/// Linking the Swift function in CryptoExtras made every start 8 % slower.
enum Scrypt {
    /// Slightly more than the highest accepted cost needs, in bytes.
    private static let memoryLimit = 272 << 20

    /// Derives bytes from a passphrase; nil for a cost that scrypt does not support.
    static func derive(
        _ passphrase: [UInt8], salt: [UInt8], cost: SealedEnvelope.Cost, count: Int
    ) -> [UInt8]? {
        var isDerived = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { key, initialized in
            initialized = count
            isDerived =
                passphrase.withUnsafeBytes { passphrase in
                    CCryptoBoringSSL_EVP_PBE_scrypt(
                        passphrase.baseAddress, passphrase.count, salt, salt.count,
                        1 << UInt64(cost.logRounds), UInt64(cost.blockSize),
                        UInt64(cost.parallelism), memoryLimit, key.baseAddress, count)
                } == 1
        }
        return isDerived ? bytes : nil
    }
}
