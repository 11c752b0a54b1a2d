import ArgusAccount
import ArgusCore
import Testing

@Suite("JWTClaims")
struct JWTClaimsTests {
    private func claims(_ payload: String) -> JWTClaims? {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        var bits = 0
        var count = 0
        for byte in payload.utf8 {
            bits = bits << 8 | Int(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[bits >> count & 63])
            }
        }
        if count > 0 { text.append(alphabet[bits << (6 - count) & 63]) }
        return JWTClaims(Redacted("e30." + String(decoding: text, as: UTF8.self) + ".c2ln"))
    }

    @Test("expiry, issue, subject and user name are read")
    func readsClaims() {
        let read = claims(#"{"sub":"u-1","username":"ädmin?>","exp":1795212000,"iat":1.5}"#)
        #expect(read?.expiresAt == Timestamp(seconds: 1_795_212_000))
        #expect(read?.issuedAt == Timestamp(microseconds: 1_500_000))
        #expect(read?.subject == "u-1")
        #expect(read?.username == "ädmin?>")
    }

    @Test("a claim of another type is left out, the others are read")
    func toleratesTypes() {
        let read = claims(#"{"sub":7,"username":[],"exp":"soon","iat":1e300}"#)
        #expect(read != nil)
        #expect(read?.subject == "7")
        #expect(read?.username == nil)
        #expect(read?.expiresAt == nil)
        #expect(read?.issuedAt == nil)
    }

    @Test(
        "what is no JWT has no claims",
        arguments: ["", "opaque", "a.b", "a.b.c", "..", "e30.!!!!.x", "e30.W10.x"])
    func refusesOthers(token: String) {
        #expect(JWTClaims(Redacted(token)) == nil)
    }
}
