import CryptoExtras
import Testing

@testable import ArgusAccount
@testable import ArgusCore

@Suite("Keys from passphrases")
struct ScryptTests {
    @Test("the dearest cost that a file may ask for is one that can be paid")
    func dearest() {
        let cost = SealedEnvelope.Cost(logRounds: 18, blockSize: 8, parallelism: 1)
        #expect(cost.isAcceptable)
        #expect(
            (try? KDF.Scrypt.deriveKey(
                from: [1] as [UInt8], salt: [2] as [UInt8], outputByteCount: 40,
                rounds: 1 << 18, blockSize: 8, parallelism: 1)) != nil)
    }

    @Test("a file that asks for a cost unknown to scrypt is damaged")
    func unknownCost() {
        let cost = SealedEnvelope.Cost(logRounds: 20, blockSize: 1, parallelism: 1)
        #expect(cost.isAcceptable)
        let secret = SealedEnvelope.Secret.passphrase(Redacted([1]))
        var file = SealedEnvelope.seal(Redacted([7]), for: "place", with: secret)
        file[10] = cost.logRounds
        file[11] = cost.blockSize
        #expect {
            try SealedEnvelope.open(file, for: "place", with: secret)
        } throws: { error in
            if case SealedEnvelope.Failure.damaged = error { true } else { false }
        }
    }
}
