import ArgusTestSupport
import Crypto
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusPush

@Suite("WebPushEncryption")
struct WebPushEncryptionTests {
    private static func bytes(_ text: String) throws -> [UInt8] {
        try #require(Base64.decodeEitherAlphabet(text))
    }

    @Test("the example of RFC 8188, section 3.1 is encrypted and decrypted")
    func oneRecord() throws {
        let salt = try Self.bytes("I1BsxtFttlv3u_Oo94xnmw")
        let key = SymmetricKey(data: try Self.bytes("yqdlZ-tYemfogSmv7Ws5PQ"))
        let text = Array("I am the walrus".utf8)
        let body = try #require(
            ContentEncryption.encrypt(text, with: key, salt: salt, keyID: []))
        #expect(
            Base64.encodeForURL(body)
                == "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg")
        #expect(ContentEncryption.Body(body)?.decrypted(with: key) == text)
    }

    @Test("the example of RFC 8188, section 3.2, with two padded records, is decrypted")
    func twoRecords() throws {
        let body = try Self.bytes(
            "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF1Fvkj6hQPdPHI51OEUKEpg"
                + "z3SsLWIqS_uA")
        let key = SymmetricKey(data: try Self.bytes("BO3ZVPxUlnLORbVGMpbT1Q"))
        let parsed = try #require(ContentEncryption.Body(body))
        #expect(parsed.recordSize == 25)
        #expect(String(decoding: parsed.keyID, as: UTF8.self) == "a1")
        #expect(parsed.decrypted(with: key) == Array("I am the walrus".utf8))
        // Without its second record the first is not the last one.
        let cut = try #require(ContentEncryption.Body(Array(body[..<48])))
        #expect(cut.decrypted(with: key) == nil)
    }

    private static let message = """
        DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS\
        6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu\
        lcy4a-fN
        """

    @Test("the example of RFC 8291, section 5 is encrypted and decrypted")
    func example() throws {
        let keys = try PushKeys(
            p256dh:
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNto"
                + "IAiw4", auth: "BTBZMqHH6r4Tts7J_aSIgg")
        let sender = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: Self.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let text = Array("When I grow up, I want to be a watermelon".utf8)
        let body = WebPushEncryption.encrypt(
            text, for: keys, sender: sender, salt: try Self.bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(body.map(Base64.encodeForURL) == Self.message)
        let receiver = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: Self.bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
        let parsed = try #require(ContentEncryption.Body(Self.bytes(Self.message)))
        let auth = try Self.bytes("BTBZMqHH6r4Tts7J_aSIgg")
        #expect(WebPushEncryption.decrypt(parsed, key: receiver, auth: auth) == text)
    }

    @Test("a push of a real server is decrypted")
    func recorded() throws {
        let sample = try Samples.json("push-encrypted-vector")
        func text(_ name: String) throws -> String { try #require(sample[name]?.string) }
        let key = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: Self.bytes(text("receiver_private_d_b64url")))
        let body = try #require(ContentEncryption.Body(Self.bytes(text("body_b64url"))))
        let plain = WebPushEncryption.decrypt(
            body, key: key, auth: try Self.bytes(text("auth_secret_b64url")))
        let expected = try text("plaintext")
        #expect(plain.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test("a body fits 4,096 bytes up to the longest text, and one byte more is refused")
    func limit() throws {
        let (receiver, keys) = try Self.receiver()
        for count in [0, 1, WebPushEncryption.longestText] {
            let text = [UInt8](repeating: 7, count: count)
            let body = try #require(WebPushEncryption.encrypt(text, for: keys))
            #expect(body.count == count + 103 && body.count <= 4096)
            let parsed = try #require(ContentEncryption.Body(body))
            let auth = try Self.bytes(keys.auth.reveal())
            #expect(WebPushEncryption.decrypt(parsed, key: receiver, auth: auth) == text)
        }
        #expect(WebPushEncryption.longestText == 3993)
        let long = [UInt8](repeating: 7, count: WebPushEncryption.longestText + 1)
        #expect(WebPushEncryption.encrypt(long, for: keys) == nil)
    }

    @Test("no bit of a body can be changed, no byte cut off, and no other receiver reads it")
    func tampering() throws {
        let (receiver, keys) = try Self.receiver()
        let auth = try Self.bytes(keys.auth.reveal())
        let body = try #require(WebPushEncryption.encrypt(Array("text".utf8), for: keys))
        func read(_ body: [UInt8], _ key: P256.KeyAgreement.PrivateKey) -> [UInt8]? {
            ContentEncryption.Body(body).flatMap {
                WebPushEncryption.decrypt($0, key: key, auth: auth)
            }
        }
        #expect(read(body, receiver) != nil)
        #expect(read(body, P256.KeyAgreement.PrivateKey()) == nil)
        // The record size is not authenticated while there is only one record.
        for index in body.indices where !(16..<20).contains(index) {
            var changed = body
            changed[index] ^= 1
            #expect(read(changed, receiver) == nil, "byte \(index)")
        }
        for count in 0..<body.count { #expect(read(Array(body[..<count]), receiver) == nil) }
    }

    @Test("each push has its own key and salt")
    func freshness() throws {
        let (_, keys) = try Self.receiver()
        let bodies = Set((0..<20).map { _ in WebPushEncryption.encrypt([1], for: keys) })
        #expect(bodies.count == 20)
    }

    static func receiver() throws -> (P256.KeyAgreement.PrivateKey, PushKeys) {
        let key = P256.KeyAgreement.PrivateKey()
        let keys = try PushKeys(
            p256dh: Base64.encodeForURL(Array(key.publicKey.x963Representation)),
            auth: Base64.encodeForURL(SealedEnvelope.randomBytes(16)))
        return (key, keys)
    }
}
