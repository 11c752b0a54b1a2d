import Testing

@testable import ArgusKit

@Suite("Keys from passphrases")
struct ScryptTests {
    @Test(
        "the vectors of RFC 7914, section 12, come out",
        arguments: [
            ("password", "NaCl", 10, 8, 16, "fdbabe1c9d347200"),
            ("pleaseletmein", "SodiumChloride", 14, 8, 1, "7023bdcb3afd7348"),
        ])
    func vectors(
        passphrase: String, salt: String, logRounds: UInt8, blockSize: UInt8, parallelism: UInt8,
        beginning: String
    ) {
        let cost = SealedEnvelope.Cost(
            logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
        let key = Scrypt.derive(
            Array(passphrase.utf8), salt: Array(salt.utf8), cost: cost, count: 64)
        #expect(key?.prefix(8).map { Self.hex($0) }.joined() == beginning)
        #expect(key?.count == 64)
    }

    @Test("the dearest cost that a file may ask for is one that can be paid")
    func dearest() {
        let cost = SealedEnvelope.Cost(logRounds: 18, blockSize: 8, parallelism: 1)
        #expect(cost.isAcceptable)
        #expect(Scrypt.derive([1], salt: [2], cost: cost, count: 40) != nil)
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

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
