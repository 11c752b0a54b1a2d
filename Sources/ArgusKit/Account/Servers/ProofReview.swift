package import ArgusTransport

/// The certificate that a server shows now, compared with the trusted one.
package struct ProofReview: Sendable {
    package let server: UnverifiedServer
    package let seen: PeerCertificate
    /// True if the certificate is publicly valid.
    package let isPublic: Bool
    /// The server with the proof that it shows now: the public certificate, else the key.
    package let proved: UnverifiedServer

    /// True if the server shows what is trusted.
    package var isUnchanged: Bool {
        switch server.endpoint.proof {
        case .pin(let pin): pin == seen.pin && !isPublic
        case .publicCertificate: isPublic
        case .plain: true
        }
    }

    /// True if an authority vouched for the server so far, and none does now.
    package var lacksAuthority: Bool { server.endpoint.proof == .publicCertificate && !isPublic }
}

extension ServerConnector {
    /// Reads the certificate that a known server shows now; nothing is sent.
    ///
    /// - Throws: `ServerError.connection`.
    package func review(_ server: UnverifiedServer) async throws(ServerError) -> ProofReview {
        let seen = try await certificate(of: server)
        let vouchedFor = trustAuthorities(of: server)
        let isPublic =
            (try? await vouchedFor.client.certificate(holding: vouchedFor.client.proof)) != nil
        return ProofReview(
            server: server, seen: seen, isPublic: isPublic,
            proved: isPublic ? vouchedFor : trust(seen, of: server))
    }
}

extension ServerDirectory {
    /// Replaces the proof of an endpoint, also in the records of other accounts at the same server.
    ///
    /// - Returns: The record as it is stored now.
    /// - Throws: `AccountError`.
    package func replaceProof(
        of record: ServerRecord, by trusted: UnverifiedServer
    ) async throws(AccountError) -> ServerRecord {
        try await update { list throws(AccountError) in
            for known in list.servers(at: trusted.client.address) {
                let isItself = known.id == record.id
                try list.change(known.id) {
                    if isItself { $0.replace(trusted.endpoint) } else { $0.trust(trusted.endpoint) }
                }
            }
            return list[record.id] ?? record
        }
    }
}
