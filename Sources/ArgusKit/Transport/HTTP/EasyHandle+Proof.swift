import ArgusCore
import CCurl

extension EasyHandle {
    /// Makes the handle refuse every server that does not satisfy the proof.
    /// - Throws: `.identityRefused` if the proof does not fit the scheme; nothing is sent then.
    borrowing func require(_ proof: ServerProof, for scheme: Origin.Scheme) throws(TransportError) {
        try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        switch (proof.identity, scheme) {
        case (.plain, .http):
            guard proof.clientCertificate == nil else {
                throw Self.mismatch("a client certificate needs https")
            }
        case (.publicCertificate(let authorities), .https):
            try set(CURLOPT_SSL_VERIFYPEER, true)
            try set(CURLOPT_SSL_VERIFYHOST, 2)
            if let authorities { try set(CURLOPT_CAINFO, authorities) }
        case (.pin(let pin), .https):
            try trustOnly(pin: pin)
        case (.plain, .https):
            throw Self.mismatch("https needs a certificate or a pin as proof")
        case (.publicCertificate, .http), (.pin, .http):
            throw Self.mismatch("plain http cannot prove a certificate")
        }
        if let certificate = proof.clientCertificate { try present(certificate) }
    }

    /// Trusts only the public key with this SHA-256 (base64), and no certificate authority.
    ///
    /// libcurl compares the pin after the handshake and sends no byte of the request if it differs
    /// (CURLOPT_PINNEDPUBLICKEY(3)).
    private borrowing func trustOnly(pin: String) throws(TransportError) {
        // Anything else could be parsed as a list of pins or as a file name.
        let isBase64 = pin.dropLast().allSatisfy { character in
            character.isASCII && (character.isLetter || character.isNumber)
                || "+/".contains(character)
        }
        guard pin.utf8.count == 44, pin.last == "=", isBase64 else {
            throw Self.mismatch("the pin is not a base64 SHA-256")
        }
        try set(CURLOPT_PINNEDPUBLICKEY, "sha256//\(pin)")
        try leaveOutAuthorities()
    }

    /// Accepts any certificate, on a connection that cannot send a request.
    /// - Throws: `.identityRefused` for a scheme without certificates.
    borrowing func look(_ scheme: Origin.Scheme) throws(TransportError) {
        guard scheme == .https else { throw Self.mismatch("plain http has no certificate") }
        try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        try set(CURLOPT_CONNECT_ONLY, 1)
        try leaveOutAuthorities()
    }

    /// Turns off libcurl's certificate checks; the only function that does.
    ///
    /// The callers replace them by a pin, or by a connection that sends nothing.
    private borrowing func leaveOutAuthorities() throws(TransportError) {
        try set(CURLOPT_SSL_VERIFYPEER, false)
        try set(CURLOPT_SSL_VERIFYHOST, 0)
    }

    private borrowing func present(_ certificate: ClientCertificate) throws(TransportError) {
        try set(CURLOPT_SSLCERT, certificate.certificatePath)
        try set(CURLOPT_SSLKEY, certificate.keyPath ?? certificate.certificatePath)
        // Without a passphrase OpenSSL prompts for one on the terminal.
        try set(CURLOPT_KEYPASSWD, "")
    }

    private static func mismatch(_ words: String) -> TransportError {
        TransportError(.identityRefused, words, nothingSent: true)
    }
}
