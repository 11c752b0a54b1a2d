package import ArgusCore
internal import Crypto
internal import FoundationEssentials

/// The certificate that a server presented in a handshake, which proves nothing yet.
package struct PeerCertificate: Hashable, Sendable {
    /// The SHA-256 of the whole certificate, for users to compare.
    package let fingerprint: CertificateFingerprint
    /// The SHA-256 of its SubjectPublicKeyInfo in base64, which is enforced (RFC 7469, section
    /// 2.4).
    package let pin: String
    /// The subject, such as `CN=home, O=Example`; chosen by the certificate's creator.
    package let subject: String
    /// The issuer, in the same form.
    package let issuer: String
    /// The bounds of its validity, such as `2026-11-20 22:00:05 UTC`.
    package let validFrom: String
    package let validUntil: String

    /// The end of its validity.
    package var endsAt: Timestamp? {
        Timestamp(serverText: validUntil.replacing(" UTC", with: "Z").replacing(" ", with: "T"))
    }

    /// Parses an X.509 certificate (RFC 5280, section 4.1); nil for anything else.
    package init?(der: [UInt8]) {
        guard let outer = DERElement.all(in: der[...]), outer.count == 1,
            outer[0].tag == DERElement.sequence, let signed = outer[0].children?.first,
            signed.tag == DERElement.sequence, var fields = signed.children?[...]
        else { return nil }
        if fields.first?.tag == DERElement.version { fields = fields.dropFirst() }
        // Serial number, signature algorithm, issuer, validity, subject, public key.
        let parts = Array(fields.prefix(6))
        guard parts.count == 6, parts[0].tag == DERElement.integer,
            parts[1...].allSatisfy({ $0.tag == DERElement.sequence }),
            let validity = parts[3].children, validity.count == 2,
            let from = CertificateText.time(validity[0]),
            let until = CertificateText.time(validity[1])
        else { return nil }
        fingerprint = CertificateFingerprint(of: der)
        pin = Data(SHA256.hash(data: Array(parts[5].whole))).base64EncodedString()
        issuer = CertificateText.name(parts[2])
        subject = CertificateText.name(parts[4])
        (validFrom, validUntil) = (from, until)
    }

    /// Parses the first certificate of PEM text (RFC 7468, section 5).
    package init?(pem: String) {
        let lines = pem.split(whereSeparator: \.isNewline)
        let body = lines.drop { !$0.contains("-----BEGIN CERTIFICATE-----") }.dropFirst()
            .prefix { !$0.hasPrefix("-----END CERTIFICATE-----") }
        guard let der = Data(base64Encoded: body.joined()) else { return nil }
        self.init(der: Array(der))
    }
}

/// The SHA-256 of a certificate's DER, as users see and type it.
package struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    package let hex: String

    /// Computes the fingerprint of a certificate.
    package init(of der: [UInt8]) { hex = Checksum.sha256(der) }

    /// Parses 64 hexadecimal digits; nil for anything else.
    ///
    /// Ignores colons, blanks, case and a leading `sha256:`.
    package init?(_ text: String) {
        var digits = text.lowercased().filter { !$0.isWhitespace }
        if digits.hasPrefix("sha256:") { digits.removeFirst(7) }
        digits.removeAll { $0 == ":" }
        guard digits.utf8.count == 64, digits.utf8.allSatisfy("0123456789abcdef".utf8.contains)
        else { return nil }
        hex = digits
    }

    /// Upper-case pairs separated by colons, as openssl(1) prints a fingerprint.
    package var description: String {
        let digits = Array(hex.uppercased())
        return stride(from: 0, to: digits.count, by: 2).map { String(digits[$0..<$0 + 2]) }
            .joined(separator: ":")
    }
}

extension Transport {
    /// Connects and reads the server's certificate, without sending a request.
    ///
    /// Without a proof any certificate is accepted; it is shown, not trusted.
    /// - Throws: `TransportError`; `.identityRefused` if the proof does not hold,
    ///   `.handshakeFailed` if the server answers without a certificate, as for plain http.
    package func certificate(
        of origin: Origin, holding proof: ServerProof?, deadlines: Deadlines
    ) async throws(TransportError) -> PeerCertificate {
        var request = HTTPRequest(
            .get, origin, "/", proof: proof ?? ServerProof(.plain), deadlines: deadlines)
        request.purpose = proof == nil ? .certificate : .proof
        let answer = try await send(request)
        guard let certificate = PeerCertificate(pem: String(decoding: answer.body, as: UTF8.self))
        else {
            throw TransportError(
                .handshakeFailed, "the server's certificate cannot be read", nothingSent: true)
        }
        return certificate
    }
}
