import ArgusKit

extension Failure {
    /// The failure of a server that cannot be selected, reached or trusted.
    init(_ error: ServerError) {
        switch error {
        case .store(let cause):
            self.init(cause)
            return
        case .directory(let cause):
            self.init(cause)
            return
        case .endpoint(_, _, let cause):
            self.init(cause)
            message = "\(error)"
            return
        default: break
        }
        let (kind, reason): (ExitKind, String?) =
            switch error {
            case .invalidAddress, .addressMissing, .noDefault, .ambiguous, .serverNotNamed, .name,
                .certificateNeedsTLS, .fingerprintNeedsTLS, .invalidFingerprint, .fingerprintFile,
                .nothingNew, .noAddressLeft, .localAndRelay:
                (.usage, nil)
            case .absent: (.notFound, nil)
            case .noneKnown: (.notSignedIn, "no_server")
            case .notSignedIn: (.notSignedIn, "no_credentials")
            case .noEndpoint: (.unreachable, "no_address")
            case .noServerFound: (.unreachable, "no_server")
            case .plainHTTP, .plainRelay: (.identity, "plain_http")
            case .otherFingerprint, .fingerprintNotFound: (.identity, "fingerprint_mismatch")
            case .unknownServers: (.identity, "unknown_server")
            case .connection: (.unreachable, nil)
            case .store, .directory, .endpoint: (.failed, nil)
            }
        self.init(kind, "\(error)", hint: error.remedy, reason: reason)
        if case .noEndpoint = error { needsAction = true }
    }

    /// The failure of a server, with both fingerprints where it is not the one that was trusted.
    static func explained(_ error: ServerError) async -> Failure {
        if case .endpoint(let kind, let address, let cause) = error {
            var failure = await explained(cause)
            failure.message = "\(kind.rawValue) \(address): \(failure.message)"
            return failure
        }
        guard case .connection(let server, let cause) = error else { return Failure(error) }
        return await server.failure(APIError(.transport(cause), cause.detail), doing: "connect")
    }

    /// The failure of a search of the network.
    init(_ error: DiscoveryError) {
        self.init(.failed, "\(error)", hint: error.remedy, reason: "discovery_failed")
    }

    /// The failure to read or change the known servers.
    init(_ error: ServerDirectoryError) {
        switch error {
        case .list: self.init(.usage, "\(error)")
        case .file(let cause):
            self.init(.failed, "\(error)", hint: cause.remedy, reason: "state_failed")
        case .noPlace, .unwritable, .newerVersion:
            self.init(.failed, "\(error)", reason: "state_failed")
        }
    }
}
