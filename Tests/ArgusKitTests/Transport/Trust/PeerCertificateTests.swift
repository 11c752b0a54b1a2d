import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusTransport

@Suite("certificates that servers show", .hangLimit)
struct PeerCertificateTests {
    /// What openssl(1) prints for a certificate, without its `NAME=` in front.
    private func openssl(_ option: String, _ folder: TemporaryFolder) throws -> String {
        let output = folder.file("printed\(option)")
        let status = try ChildProcess(
            ["openssl", "x509", "-noout", "-sha256", option, "-in", folder.file("cert.pem")],
            output: output
        ).wait()
        try #require(status == 0)
        let text = try folder.text("printed\(option)").prefix { $0 != "\n" }
        return String(text.drop { $0 != "=" }.dropFirst())
    }

    @Test("fingerprint, pin and names are those that openssl computes")
    func agreesWithOpenSSL() throws {
        let folder = try TemporaryFolder()
        let pin = try TLSServer.makeCertificate("cert", "/CN=my home/O=Exämple", folder)
        let certificate = try #require(PeerCertificate(pem: try folder.text("cert.pem")))
        #expect(certificate.pin == pin)
        let fingerprint = try openssl("-fingerprint", folder)
        #expect(certificate.fingerprint.description == fingerprint)
        #expect(certificate.subject.hasPrefix("CN=my home, O="))
        #expect(certificate.issuer == certificate.subject)
        // openssl writes "Nov 21 02:47:55 2026 GMT"; the time of the day is common to both.
        let start = try openssl("-startdate", folder)
        let time = certificate.validFrom.split(separator: " ")[1]
        #expect(start.contains(time))
        #expect(certificate.validUntil > certificate.validFrom)
    }

    @Test("bytes that are no certificate are refused, wherever they break off or differ")
    func damaged() throws {
        let folder = try TemporaryFolder()
        _ = try TLSServer.makeCertificate("cert", "/CN=home", folder)
        let pem = try folder.text("cert.pem")
        #expect(PeerCertificate(pem: "") == nil)
        #expect(PeerCertificate(pem: "-----BEGIN CERTIFICATE-----\nAAAA\n") == nil)
        let whole = try #require(PeerCertificate(pem: pem))
        let der = try #require(
            Base64.decodeDataURI(
                pem.split(separator: "\n").filter {
                    !$0.hasPrefix("-----")
                }.joined()))
        #expect(PeerCertificate(der: der) == whole)
        for count in 0..<der.count { #expect(PeerCertificate(der: Array(der[..<count])) == nil) }
        // Any byte may be changed without a trap; what comes out is another certificate or none.
        for index in der.indices {
            for byte: UInt8 in [0x00, 0x7F, 0x80, 0x84, 0xFF] where der[index] != byte {
                var changed = der
                changed[index] = byte
                #expect(PeerCertificate(der: changed)?.fingerprint != whole.fingerprint)
            }
        }
        #expect(PeerCertificate(der: der + [0]) == nil)
    }

    @Test("a fingerprint is read with colons, in any case, and with its algorithm in front")
    func fingerprints() throws {
        let hex = String(repeating: "0a", count: 32)
        let colons = Array(repeating: "0A", count: 32).joined(separator: ":")
        for text in [
            hex, colons, hex.uppercased(), "sha256:\(hex)", "SHA256:\(colons)", " \(hex)\n",
        ] {
            #expect(CertificateFingerprint(text)?.hex == hex)
        }
        #expect(CertificateFingerprint(hex)?.description == colons)
        for text in [
            "", String(hex.dropLast()), hex + "0", String(hex.dropLast()) + "g", "sha256:",
        ] {
            #expect(CertificateFingerprint(text) == nil)
        }
    }
}
