import ArgusCore
import CCurl

extension Transfer {
    func outcome(_ code: CURLcode, at now: TransferClock.Instant) -> TransferResult {
        if stopReason == nil, code == CURLE_OK {
            if submission.request.purpose != .answer {
                // Nothing was requested; the body is the certificate that the server presented.
                let shown = easy.peerCertificate() ?? ""
                return .success(HTTPResponse(status: 0, body: Array(shown.utf8)))
            }
            guard head.status >= 100 else {
                return .failure(failure(.malformedAnswer, "the answer is not HTTP"))
            }
            return .success(
                HTTPResponse(
                    status: head.status, headers: head.headers, body: body,
                    duration: now - submission.started))
        }
        if stopReason == nil, code == CURLE_COULDNT_CONNECT, let refusedAddress {
            return .failure(
                failure(
                    .identityRefused,
                    "its name resolves to \(refusedAddress), on this machine or the local network"))
        }
        let kind = stopReason ?? kind(of: code)
        if [.notConnected, .unresolvedHost].contains(kind), let shortage = Errno.ofNewSocket {
            return .failure(failure(.noResources, shortage.description))
        }
        var failure = failure(kind, stopWords ?? words(for: kind, code))
        if kind == .identityRefused, let words = wrongDates {
            failure.error.detail = words
            failure.error.isByDates = true
        }
        return .failure(failure)
    }

    /// The sentence about a certificate that is refused only by its dates; nil for any other.
    ///
    /// OpenSSL checks them last, after signatures and authorities (X509_verify_cert(3)).
    private var wrongDates: String? {
        let fault: String
        switch easy.long(CURLINFO_SSL_VERIFYRESULT) {
        // X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED.
        case 9: fault = "its certificate is not valid yet"
        case 10: fault = "its certificate has expired"
        default: return nil
        }
        let clock = Timestamp.current().displayText(in: .utc)
        return "by this machine's clock, \(clock) UTC, \(fault); either the clock is wrong, or the "
            + "server needs another certificate"
    }

    func timeout(_ phase: TransportError.Phase) -> TransferFailure {
        // libcurl applies the same limit to connecting; either may fire first.
        let phase = phase == .connect ? connectPhase : phase
        return failure(.timedOut(phase), timeoutWords(phase))
    }

    func failure(_ kind: TransportError.Kind, _ words: String) -> TransferFailure {
        TransferFailure(
            error: TransportError(kind, words, nothingSent: nothingSent),
            brokeReusedConnection: kind == .connectionLost && head.byteCount == 0
                && easy.long(CURLINFO_NUM_CONNECTS) == 0)
    }

    /// True if no byte of the request was written to a connection.
    private var nothingSent: Bool { easy.long(CURLINFO_REQUEST_SIZE) == 0 }

    /// True once the connection is established, so that the request is being sent or answered.
    var isConnected: Bool { easy.offset(CURLINFO_PRETRANSFER_TIME_T) != 0 }

    /// The unfinished part of connecting: libcurl counts the connection once a peer has accepted it,
    /// and sets its time once TLS is finished.
    private var connectPhase: TransportError.Phase {
        submission.request.origin.scheme == .https && submission.proxy == nil
            && easy.long(CURLINFO_NUM_CONNECTS) > 0
            && easy.offset(CURLINFO_APPCONNECT_TIME_T) == 0 ? .handshake : .connect
    }

    private func kind(of code: CURLcode) -> TransportError.Kind {
        // libcurl enforces only the time limit for connecting, possibly of a second connection
        // after a pooled one broke.
        if code == CURLE_OPERATION_TIMEDOUT { return .timedOut(connectPhase) }
        if submission.proxy != nil {
            // A proxy that refuses the tunnel has a status of its own.
            let tunnel = easy.long(CURLINFO_HTTP_CONNECTCODE)
            if code == CURLE_COULDNT_CONNECT || (tunnel != 0 && !(200..<300 ~= tunnel)) {
                return .proxyFailed
            }
        }
        switch code.kind {
        case .connectionLost where errorWords.hasSuffix("in chunked-encoding"):
            return .malformedAnswer
        case .connectionLost where nothingSent:
            return .notConnected
        case let kind:
            return kind
        }
    }

    func words(for kind: TransportError.Kind, _ code: CURLcode) -> String {
        switch kind {
        case .unresolvedHost: "no address for this host name"
        case .timedOut(let phase): timeoutWords(phase)
        case .tooLarge: "the answer is larger than allowed"
        case .receiverStopped: "the receiver stopped"
        case .truncatedBody: "the answer ended early or its encoding is broken"
        case .malformedAnswer: "the answer is not valid HTTP"
        case .proxyFailed: proxyWords
        case .notConnected, .connectionLost: connectionWords(code)
        case .handshakeFailed: handshakeWords(code)
        case .unusableFile: "\(fileWords(code)) cannot be used: \(libraryWords(code))"
        default: libraryWords(code)
        }
    }

    private func timeoutWords(_ phase: TransportError.Phase) -> String {
        let deadlines = submission.request.deadlines
        return switch phase {
        case .connect:
            "no connection\(proxyName.map { " by the proxy \($0)" } ?? "") within "
                + deadlines.connect.words
        case .handshake: "no TLS handshake within \(deadlines.connect.words)"
        case .firstByte: "no answer within \(deadlines.firstByte.words)"
        case .total: "no complete answer within \((deadlines.total ?? .zero).words)"
        case .idle: "no byte for \(deadlines.idle.words)"
        }
    }

    private func connectionWords(_ code: CURLcode) -> String {
        if let systemWords { return systemWords }
        return switch code {
        case CURLE_GOT_NOTHING: "the server closed the connection without an answer"
        case CURLE_COULDNT_CONNECT: "no connection"
        default: libraryWords(code)
        }
    }

    /// libcurl's own text would contain the proxy's URL, which may contain a password.
    private var proxyWords: String {
        let tunnel = easy.long(CURLINFO_HTTP_CONNECTCODE)
        if tunnel != 0 { return "the proxy answered \(tunnel)" }
        let name = proxyName.map { " \($0)" } ?? ""
        return systemWords.map { "the proxy\(name): \($0)" } ?? "the proxy\(name) cannot be used"
    }

    /// The proxy's scheme, host and port, without its user; nil without a proxy, or for a malformed
    /// address.
    private var proxyName: String? {
        guard let proxy = submission.proxy?.reveal() else { return nil }
        let scheme = proxy.firstRange(of: "://").map { proxy[..<$0.upperBound] } ?? ""
        let rest = proxy.dropFirst(scheme.count).prefix { $0 != "/" }
        let place = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
        guard let address = try? ServerAddress(parsing: "http://\(place)") else { return nil }
        return "'\(scheme)\(place.contains(":") ? String(place) : address.origin.host)'"
    }

    /// The C library's message for the connection's error.
    private var systemWords: String? {
        let number = easy.long(CURLINFO_OS_ERRNO)
        return number == 0 ? nil : Errno(rawValue: Int32(truncatingIfNeeded: number)).description
    }

    private func handshakeWords(_ code: CURLcode) -> String {
        let words = libraryWords(code)
        // The message of OpenSSL for an answer that is not TLS, such as plain http.
        return words == "wrong version number"
            ? "the server does not speak TLS on this port" : "the TLS handshake failed: \(words)"
    }

    private func fileWords(_ code: CURLcode) -> String {
        switch code {
        case CURLE_SSL_CERTPROBLEM: "the client certificate or its key"
        case CURLE_SSL_CACERT_BADFILE: "the file of certificate authorities"
        case CURLE_SSL_CRL_BADFILE: "the file of revoked certificates"
        default: "a file"
        }
    }

    private func libraryWords(_ code: CURLcode) -> String {
        guard code != CURLE_SSL_PINNEDPUBKEYNOTMATCH else {
            return "its key differs from the trusted one"
        }
        let words = errorWords.isEmpty ? easy.words(for: code) : errorWords
        return words.asCauseOfFailure
    }
}

extension String {
    /// libcurl's message as a clause: printable, lower case, without its preamble.
    fileprivate var asCauseOfFailure: String {
        var text = self[...]
        for preamble in ["SSL certificate problem: ", "SSL: "] where text.hasPrefix(preamble) {
            text = text.dropFirst(preamble.count)
        }
        // OpenSSL's numbers precede its message (ERR_error_string(3)).
        if text.contains(":SSL routines:"), let colon = text.lastIndex(of: ":") {
            text = text[text.index(after: colon)...]
        }
        // The message may quote a certificate.
        let safe = text.unicodeScalars.map { (" "..."~").contains($0) ? Character($0) : "?" }
        // An acronym such as SSL keeps its case.
        guard let first = safe.first, !(safe.dropFirst().first?.isUppercase ?? false) else {
            return String(safe)
        }
        return first.lowercased() + String(safe.dropFirst())
    }
}
