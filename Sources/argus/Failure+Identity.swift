import ArgusKit

extension Failure {
    /// This failure, with both fingerprints where the server is not the one that was trusted.
    ///
    /// To learn what the server shows now, it is looked at once more; nothing is sent.
    func showing(
        certificateOf client: APIClient, _ error: APIError, on server: String,
        trusted way: ServerWay?
    ) async -> Failure {
        guard case .transport(let cause) = error.kind, cause.kind == .identityRefused,
            cause.redirectedTo == nil,
            client.address.origin.scheme == .https,
            let seen = try? await client.certificate(holding: nil),
            // The refused one may be another server, to which this one redirected.
            (try? await client.certificate(holding: client.proof)) == nil
        else { return self }
        var failure = self
        guard case .pin(let pin) = client.proof.identity else {
            failure.message += "; its certificate has the SHA-256 \(seen.fingerprint)"
            return failure
        }
        let stored = way?.fingerprint.map { "SHA-256 \($0)" } ?? "the key pin sha256/\(pin)"
        failure.message =
            "the identity of '\(server)' has changed: trusted was \(stored), "
            + "seen is SHA-256 \(seen.fingerprint)"
        failure.hint =
            "nothing was sent; this may be an attack. Read the fingerprint on the server itself "
            + "(openssl x509 -noout -fingerprint -sha256 -in CERT); if it is the one seen, "
            + "trust it with 'argus server trust \(server)'"
        failure.reason = "pin_changed"
        return failure
    }
}
