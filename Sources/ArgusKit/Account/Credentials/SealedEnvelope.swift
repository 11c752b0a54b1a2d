import ArgusCore
import Crypto
import CryptoExtras
import FoundationEssentials

/// The format of a sealed file: an authenticated header, then AES-256-GCM.
///
/// ```text
/// 8  "argusbox"          1  version (1)        1  key source (0 key file, 1 passphrase,
///                                                   2 key file and machine)
/// 1  log2 N  1  r  1  p  16  salt              8  key check
/// 12 nonce               …  ciphertext         16 tag
/// ```
/// The header and the label (server and item) are the additional data, so a file that was changed
/// or swapped does not open. Every file has its own salt and thus its own key. The key check,
/// derived beside the key, distinguishes a wrong key from a damaged file. A machine-bound key is
/// derived from the bytes of the key file followed by the machine's id, so neither opens a file
/// alone.
/// Sources: NIST SP 800-38D, RFC 5869 (key file), RFC 7914 (passphrase).
package enum SealedEnvelope {
    /// The input of a file's key derivation.
    enum Secret: Sendable {
        /// The 32 random bytes of the key file.
        case keyFile(Redacted<[UInt8]>)
        case passphrase(Redacted<[UInt8]>)
        /// The key file together with the id of this machine.
        case machineBoundKeyFile(Redacted<[UInt8]>, machine: Redacted<String>)

        fileprivate var source: Source {
            switch self {
            case .keyFile: .keyFile
            case .passphrase: .passphrase
            case .machineBoundKeyFile: .machineBoundKeyFile
            }
        }
    }

    /// The kind of secret that opens a file.
    enum Source: UInt8 { case keyFile, passphrase, machineBoundKeyFile }

    enum Failure: Error {
        /// Not a sealed file, truncated, or changed.
        case damaged
        case newerVersion
        /// Sealed with another secret.
        case wrongSecret
    }

    /// The cost of deriving a key from a passphrase: 32 MiB and 0.1 to 0.2 s.
    struct Cost: Equatable {
        var logRounds: UInt8 = 15
        var blockSize: UInt8 = 8
        var parallelism: UInt8 = 1

        /// True if a file may ask for this cost; a planted file must not take all memory (256 MiB).
        var isAcceptable: Bool {
            (1...20).contains(logRounds) && (1...32).contains(blockSize)
                && (1...16).contains(parallelism)
                && 128 * Int(blockSize) << Int(logRounds) <= 256 << 20
        }
    }

    private static let magic = Array("argusbox".utf8)
    private static let headerCount = 37
    private static let keyCount = 32
    private static let checkCount = 8

    /// Seals bytes under a label.
    static func seal(
        _ bytes: Redacted<[UInt8]>, for place: String, with secret: Secret, cost: Cost = Cost()
    ) -> [UInt8] {
        let salt = randomBytes(16)
        let source = secret.source
        let cost = source == .passphrase ? cost : Cost(logRounds: 0, blockSize: 0, parallelism: 0)
        guard let keys = derive(secret, salt: salt, cost: cost) else {
            preconditionFailure("the cost of a new file is one that scrypt knows")
        }
        var header = magic + [1, source.rawValue]
        header += [cost.logRounds, cost.blockSize, cost.parallelism]
        header += salt + keys.check
        guard
            let box = try? AES.GCM.seal(
                bytes.reveal(), using: keys.sealing, authenticating: header + Array(place.utf8)),
            let combined = box.combined
        else { preconditionFailure("a 256-bit key and a fresh nonce always seal") }
        return header + combined
    }

    /// The kind of secret that opens a sealed file.
    static func source(of file: [UInt8]) throws(Failure) -> Source {
        guard file.count > headerCount, Array(file[..<8]) == magic else { throw .damaged }
        guard file[8] == 1 else { throw .newerVersion }
        guard let source = Source(rawValue: file[9]) else { throw .newerVersion }
        return source
    }

    /// Opens a file that was sealed for `place` (its label: server and item) with `secret`.
    static func open(
        _ file: [UInt8], for place: String, with secret: Secret
    ) throws(Failure) -> Redacted<[UInt8]> {
        let source = try source(of: file)
        let cost = Cost(logRounds: file[10], blockSize: file[11], parallelism: file[12])
        guard secret.source == source else { throw .wrongSecret }
        if source == .passphrase, !cost.isAcceptable { throw .damaged }
        guard let keys = derive(secret, salt: Array(file[13..<29]), cost: cost) else {
            throw .damaged
        }
        // Not secret: an attacker with the file can read these eight bytes anyway.
        guard keys.check == Array(file[29..<headerCount]) else { throw .wrongSecret }
        let data = Array(file[..<headerCount]) + Array(place.utf8)
        guard let box = try? AES.GCM.SealedBox(combined: file[headerCount...]),
            let bytes = try? AES.GCM.open(box, using: keys.sealing, authenticating: data)
        else { throw .damaged }
        return Redacted(Array(bytes))
    }

    /// Random bytes from the kernel, for keys and salts.
    package static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Derives a file's key and its check; nil for a cost that scrypt does not support.
    private static func derive(
        _ secret: Secret, salt: [UInt8], cost: Cost
    ) -> (sealing: SymmetricKey, check: [UInt8])? {
        let count = keyCount + checkCount
        func expand(_ key: [UInt8], _ use: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key), salt: salt, info: Array(use.utf8),
                outputByteCount: count)
        }
        let both: SymmetricKey
        switch secret {
        case .keyFile(let key): both = expand(key.reveal(), "argus sealed file")
        case .machineBoundKeyFile(let key, let machine):
            both = expand(key.reveal() + machine.reveal().utf8, "argus sealed file of a machine")
        case .passphrase(let phrase):
            let key = try? KDF.Scrypt.deriveKey(
                from: phrase.reveal(), salt: salt, outputByteCount: count,
                rounds: 1 << Int(cost.logRounds), blockSize: Int(cost.blockSize),
                parallelism: Int(cost.parallelism))
            guard let key else { return nil }
            both = key
        }
        return both.withUnsafeBytes { bytes in
            (
                SymmetricKey(data: Array(bytes[..<keyCount])),
                Array(bytes[keyCount..<keyCount + checkCount])
            )
        }
    }
}
