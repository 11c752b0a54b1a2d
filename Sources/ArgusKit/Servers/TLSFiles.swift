/// The files that the options `--cacert`, `--cert` and `--key` name.
package struct TLSFiles: Sendable {
    /// The path of the certificate authorities.
    package var authorities: String?
    /// The path of the client certificate.
    package var certificate: String?
    /// The path of the client certificate's key, where it is a file of its own.
    package var key: String?
    /// Finds the absolute path of the folder that relative paths start from; nil when it is gone.
    package var workingFolder: @Sendable () -> String? = { nil }

    package init() {}

    /// The proof that a server must give at an endpoint in this run, and what it is shown there.
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
        // Plain http shows none, and must not pass through a proxy, which would read it (contract
        // section 7.4).
        return ServerProof(
            identity, clientCertificate: isPlain ? nil : shown, avoidsProxies: isPlain)
    }

    /// Writes the files that were given to an endpoint, by absolute paths; files that do not last,
    /// such as pipes, are reported instead.
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

    /// True if the endpoint has the client certificate of this run.
    package func areRemembered(in endpoint: Endpoint) -> Bool {
        certificate.map { absolute($0) == endpoint.certificate } ?? false
    }

    private func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = workingFolder() else { return path }
        return folder + "/" + path
    }
}
