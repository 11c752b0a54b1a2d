import ArgusAccount
import ArgusCore
import ArgusTransport

extension Failure {
    /// This failure, with both fingerprints if the server shows an untrusted certificate, or the
    /// failure of a remembered file that is missing.
    ///
    /// Connects once more to read the server's certificate; sends nothing.
    func addingFingerprints(
        of client: APIClient, _ error: APIError, on server: String,
        trusted endpoint: Endpoint?
    ) async -> Failure {
        guard case .transport(let cause) = error.kind else { return self }
        if cause.kind == .unusableFile, let endpoint,
            let gone = endpoint.unreadableFile(of: client.proof)
        {
            return .unreadable(gone, endpoint, on: server)
        }
        guard cause.kind == .identityRefused, !cause.isByDates, cause.redirectedTo == nil,
            client.address.origin.scheme == .https,
            let seen = try? await client.certificate(holding: nil),
            // The refused one may be another server, to which this one redirected.
            (try? await client.certificate(holding: client.proof)) == nil
        else { return self }
        var failure = self
        guard case .pin(let pin) = client.proof.identity else {
            failure.message += "; its certificate has the SHA-256 \(seen.fingerprint)"
            guard endpoint != nil else { return failure }
            failure.hint = Self.attackHint("argus server trust \(server) --fingerprint SHA256")
            return failure
        }
        let stored = endpoint?.fingerprint.map { "SHA-256 \($0)" } ?? "the key pin sha256/\(pin)"
        failure.message =
            "the identity of '\(server)' has changed: trusted was \(stored), "
            + "seen is SHA-256 \(seen.fingerprint)"
        failure.hint = Self.attackHint("argus server trust \(server)")
        failure.reason = "pin_changed"
        return failure
    }

    private static func attackHint(_ command: String) -> String {
        "nothing was sent; this may be an attack. Read the fingerprint on the server itself (openssl "
            + "x509 -noout -fingerprint -sha256 -in CERT); if it is the one seen, trust it with "
            + "'\(command)'"
    }

    /// Reports that a file stored with an endpoint is unreadable.
    private static func unreadable(
        _ gone: (option: String, error: FileSystemError), _ endpoint: Endpoint, on server: String
    ) -> Failure {
        Failure(
            .failed, "the file of \(gone.option) for '\(server)' is gone: \(gone.error)",
            hint: "put it back, or name another one: argus server set \(server) "
                + "--\(endpoint.kind.rawValue) \(endpoint.address) \(gone.option) FILE",
            reason: "remembered_file_unreadable")
    }
}

extension Endpoint {
    /// The first unreadable file of an endpoint that a proof needs.
    fileprivate func unreadableFile(
        of proof: ServerProof
    ) -> (option: String, error: FileSystemError)? {
        var files: [(option: String, path: String?)] = []
        if case .publicCertificate(let file) = proof.identity, file == authorities {
            files.append(("--cacert", file))
        }
        if let shown = proof.clientCertificate, shown.certificatePath == certificate {
            files += [("--cert", certificate), ("--key", key)]
        }
        for (option, path) in files {
            guard let path else { continue }
            do throws(FileSystemError) {
                try FileContents.expectReadable(path)
            } catch { return (option, error) }
        }
        return nil
    }
}
