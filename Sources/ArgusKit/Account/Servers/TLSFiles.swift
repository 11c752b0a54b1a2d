import ArgusCore
package import ArgusTransport

/// The files that the options `--cacert`, `--cert` and `--key` name.
package struct TLSFiles: Sendable {
    /// The path of the certificate authorities.
    package var authorities: String?
    /// The path of the client certificate.
    package var certificate: String?
    /// The path of the client certificate's key, if it is another file.
    package var key: String?
    /// Returns the absolute path of the working directory; nil if it was deleted.
    package var workingFolder: @Sendable () -> String? = { nil }

    package init() {}

    /// The proof of an endpoint and the client certificate for it in this run.
    package func proof(of endpoint: Endpoint) -> ServerProof {
        let identity: ServerProof.Identity =
            switch endpoint.proof {
            case .plain: .plain
            case .pin(let digest): .pin(digest)
            case .publicCertificate:
                .publicCertificate(authorities: authorities ?? endpoint.authorities)
            }
        // A key belongs to its certificate: both are of this run, or both are remembered.
        let (file, key) =
            certificate.map { ($0, self.key) } ?? (endpoint.certificate, endpoint.key)
        let isPlain = endpoint.proof == .plain
        let shown = file.map { ClientCertificate(certificatePath: $0, keyPath: key) }
        // Plain http shows none, and must not pass through a proxy, which would read it.
        return ServerProof(
            identity, clientCertificate: isPlain ? nil : shown, avoidsProxies: isPlain)
    }

    /// Stores the absolute paths of the given files in an endpoint; temporary files, such as pipes, are
    /// reported instead.
    package func remember(
        in endpoint: inout Endpoint, fleeting: (_ options: String, _ path: String) -> Void
    ) {
        func lasts(_ paths: [String], _ options: String) -> Bool {
            guard let path = paths.first(where: { !FileContents.isLasting($0) }) else {
                return true
            }
            fleeting(options, path)
            return false
        }
        if let authorities, lasts([authorities], "--cacert") {
            endpoint.authorities = absolute(authorities)
        }
        // A key belongs to its certificate: both are remembered, or none is.
        let files = [certificate, key].compactMap { $0 }
        if let certificate, lasts(files, files.count > 1 ? "--cert and --key" : "--cert") {
            (endpoint.certificate, endpoint.key) = (absolute(certificate), key.map(absolute))
        }
    }

    /// True if an endpoint has the client certificate of this run.
    package func areRemembered(in endpoint: Endpoint) -> Bool {
        certificate.map { absolute($0) == endpoint.certificate } ?? false
    }

    private func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = workingFolder() else { return path }
        return folder + "/" + path
    }
}
