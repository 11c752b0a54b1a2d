internal import CCryptoBoringSSL
internal import Crypto
internal import FoundationEssentials

/// An RSA key of 2048 bits or more, by the BoringSSL in swift-crypto.
///
/// Linking the Swift types in CryptoExtras made every start 8 % slower.
struct RSAKey: ~Copyable {
    private let key: OpaquePointer

    /// Parses a private key in PEM, PKCS #8 or PKCS #1; nil for anything else.
    init?(pem: String) {
        let lines = pem.split(whereSeparator: \.isNewline)
        let body = lines.drop { !$0.hasPrefix("-----BEGIN ") }.dropFirst()
            .prefix { !$0.hasPrefix("-----END ") }
        guard let first = lines.first(where: { $0.hasPrefix("-----BEGIN ") }),
            first.contains("PRIVATE KEY"), let der = Data(base64Encoded: body.joined()),
            let key = Self.parse(Array(der))
        else { return nil }
        guard let rsa = CCryptoBoringSSL_EVP_PKEY_get0_RSA(key),
            CCryptoBoringSSL_RSA_bits(rsa) >= 2048
        else {
            CCryptoBoringSSL_EVP_PKEY_free(key)
            return nil
        }
        self.key = key
    }

    private static func parse(_ der: [UInt8]) -> OpaquePointer? {
        der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return CCryptoBoringSSL_d2i_AutoPrivateKey(nil, &start, bytes.count)
        }
    }

    deinit { CCryptoBoringSSL_EVP_PKEY_free(key) }

    /// The signature of the SHA-256 of some bytes (RFC 8017, section 8.2); nil if it fails.
    func signature(of bytes: [UInt8]) -> [UInt8]? {
        let digest = Array(SHA256.hash(data: bytes))
        guard let rsa = CCryptoBoringSSL_EVP_PKEY_get0_RSA(key) else { return nil }
        var isSigned = false
        let size = Int(CCryptoBoringSSL_RSA_size(rsa))
        let signature = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var length: UInt32 = 0
            isSigned =
                CCryptoBoringSSL_RSA_sign(
                    NID_sha256, digest, digest.count, buffer.baseAddress, &length, rsa) == 1
            count = isSigned ? min(Int(length), size) : 0
        }
        return isSigned ? signature : nil
    }
}
