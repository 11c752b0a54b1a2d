import Crypto
import FoundationEssentials

/// A certificate for the loopback addresses, made anew at each start (RFC 5280).
struct SelfSignedCertificate: Sendable {
    let certificate: String
    let key: String

    /// Makes a key and its certificate, valid from yesterday for a year.
    init(now: Moment) throws {
        let key = P256.Signing.PrivateKey()
        let body = SelfSignedCertificate.body(of: key.publicKey, now: now)
        let signature = try key.signature(for: body).derRepresentation
        let whole = DER.sequence(body, DER.ecdsaWithSHA256, DER.value(0x03, [0] + signature))
        let lines = Data(whole).base64EncodedString(
            options: [.lineLength64Characters, .endLineWithLineFeed])
        certificate = "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
        self.key = key.pemRepresentation + "\n"
    }

    private static func body(of key: P256.Signing.PublicKey, now: Moment) -> [UInt8] {
        let name = DER.sequence(
            DER.value(
                0x31, DER.sequence(DER.commonName, DER.value(0x0C, Array("argus-demo".utf8)))))
        let serial = Secrets.bytes(15)
        let names = DER.sequence(
            DER.value(0x82, Array("localhost".utf8)), DER.value(0x87, [127, 0, 0, 1]))
        let extensions = DER.sequence(
            DER.sequence(DER.subjectAltName, DER.value(0x04, names)),
            DER.sequence(
                DER.basicConstraints, DER.value(0x01, [0xFF]),
                DER.value(0x04, DER.sequence(DER.value(0x01, [0xFF])))))
        return DER.sequence(
            DER.value(0xA0, DER.value(0x02, [2])), DER.value(0x02, [0x40] + serial),
            DER.ecdsaWithSHA256, name,
            DER.sequence(DER.time(now + -86_400), DER.time(now + 365 * 86_400)), name,
            Array(key.derRepresentation), DER.value(0xA3, extensions))
    }
}

/// The encoding of certificates (ITU-T X.690), as far as one needs it.
private enum DER {
    static let ecdsaWithSHA256 = sequence(
        value(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))
    static let commonName = value(0x06, [0x55, 0x04, 0x03])
    static let subjectAltName = value(0x06, [0x55, 0x1D, 0x11])
    static let basicConstraints = value(0x06, [0x55, 0x1D, 0x13])

    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        // The length takes as few bytes as it can.
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]
            }
        return [tag] + length + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, parts.flatMap { $0 }) }

    /// A UTCTime, `YYMMDDHHMMSSZ`.
    static func time(_ moment: Moment) -> [UInt8] {
        value(0x17, Array((moment.stampText.filter(\.isNumber).dropFirst(2) + "Z").utf8))
    }
}
