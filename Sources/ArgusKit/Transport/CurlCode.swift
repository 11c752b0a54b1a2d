import CCurl

/// A result of libcurl; codes of newer versions keep their identity (libcurl-errors(3)).
struct CurlCode: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(_ code: CURLcode) {
        self.rawValue = UInt32(code.rawValue)
    }

    /// CURLE_OK.
    static let ok = CurlCode(CURLE_OK)
    /// CURLE_OPERATION_TIMEDOUT.
    static let timedOut = CurlCode(CURLE_OPERATION_TIMEDOUT)
    /// CURLE_COULDNT_CONNECT.
    static let notConnected = CurlCode(CURLE_COULDNT_CONNECT)
}

extension CurlCode {
    /// What the code means to a caller, when nothing else is known about the transfer.
    var kind: TransportError.Kind {
        switch CURLcode(rawValue: .init(rawValue)) {
        case CURLE_COULDNT_RESOLVE_HOST: .unresolvedHost
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .notConnected
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxyFailed
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            .identityRefused
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED: .handshakeFailed
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CRL_BADFILE:
            .unusableFile
        case CURLE_PARTIAL_FILE, CURLE_BAD_CONTENT_ENCODING: .truncatedBody
        // HTTP/0.9, which any garbage is, counts as an unsupported protocol.
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: .malformedAnswer
        // An endless header line ends as "out of memory", or as the newer CURLE_TOO_LARGE.
        case CURLE_FILESIZE_EXCEEDED, CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100): .tooLarge
        case CURLE_URL_MALFORMAT: .invalidRequest
        default: .connectionLost
        }
    }
}
