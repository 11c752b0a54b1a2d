import ArgusCore
import CCurl
import Glibc

extension EasyHandle {
    /// Bytes of libcurl's receive buffer; a larger one is mapped and unmapped for each request.
    private static var receiveBufferSize: Int { 96 << 10 }

    /// Sets how a request is sent: every option but the URL, the lists and the callbacks.
    /// - Throws: `.identityRefused` or `.libraryMissing`.
    borrowing func configure(for submission: Submission) throws(TransportError) {
        let request = submission.request
        try set(CURLOPT_PATH_AS_IS, true)
        // The text form of newer versions allows no more.
        try set(CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
        // A libcurl without HTTP/2 refuses the option and speaks HTTP/1.1.
        setIfKnown(
            CURLOPT_HTTP_VERSION,
            request.purpose == .webSocket ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS)
        try setConnection(submission)
        if request.purpose == .certificate {
            try look(request.origin.scheme)
        } else {
            try require(request.proof, for: request.origin.scheme)
        }
        try set(CURLOPT_ACCEPT_ENCODING, "")
        try set(CURLOPT_BUFFERSIZE, Self.receiveBufferSize)
        try setMethod(request)
    }

    private borrowing func setConnection(_ submission: Submission) throws(TransportError) {
        let request = submission.request
        try set(CURLOPT_NOSIGNAL, true)
        try set(socketCallback: setUpSocket)
        // libcurl shares this time out among the addresses of a name.
        try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, request.deadlines.connect.wholeMilliseconds))
        // Otherwise giving up on a name waits for the resolver to give up.
        setIfKnown(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_MAXAGE_CONN, Int(request.deadlines.pooled.components.seconds))
        // libcurl repeats any method when a pooled connection breaks.
        try set(
            CURLOPT_FRESH_CONNECT, submission.needsFreshConnection || !request.mayBeRepeated)
        // Requests that start together wait to share one HTTP/2 connection.
        try set(CURLOPT_PIPEWAIT, request.origin.scheme == .https)
        // Empty texts keep libcurl from reading the environment.
        try set(CURLOPT_PROXY, submission.proxy?.reveal() ?? "")
        try set(CURLOPT_NOPROXY, "")
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        if let scope = request.proof.socketAddress?.scope { try set(CURLOPT_ADDRESS_SCOPE, scope) }
        guard request.purpose != .answer else { return }
        try set(CURLOPT_CONNECT_ONLY, 1)
        try set(CURLOPT_CERTINFO, true)
        // Bytes that libcurl does not send as a request need a tunnel, even over plain http.
        if request.purpose == .webSocket { try set(CURLOPT_HTTPPROXYTUNNEL, true) }
    }

    private borrowing func setMethod(_ request: HTTPRequest) throws(TransportError) {
        switch request.method {
        case .get: try set(CURLOPT_HTTPGET, true)
        case .head: try set(CURLOPT_NOBODY, true)
        case .delete where request.body == nil: break
        case .post, .put, .patch, .delete:
            try set(CURLOPT_POST, true)
            try setBody(request.body?.bytes ?? [])
        }
        if request.method != .head { try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
    }
}

extension HTTPRequest {
    /// The header fields in the form of CURLOPT_HTTPHEADER(3).
    var headerLines: [String] {
        var lines = headers.map(\.line)
        if !headers.contains(where: { $0.name.equalsWithoutCase("Content-Type") }) {
            // Without a value libcurl leaves its own field away.
            lines.append("Content-Type:" + (body.map { " \($0.contentType)" } ?? ""))
        }
        return lines + ["Expect:"]
    }

    /// The fixed addresses for libcurl (CURLOPT_RESOLVE(3)): `localhost` names always mean loopback.
    var resolvedAddresses: [String] {
        origin.isLocalhostName ? ["\(origin.host):\(origin.port):127.0.0.1,::1"] : []
    }

    /// The address to connect to instead of the origin (CURLOPT_CONNECT_TO(3)).
    var connectionAddresses: [String] {
        proof.socketAddress.map { ["::\($0.hostAndPort)"] } ?? []
    }
}

extension SocketAddress {
    /// The number of the interface that the address is valid on; nil if it needs none.
    fileprivate var scope: Int? {
        guard let percent = address.firstIndex(of: "%") else { return nil }
        let index = if_nametoindex(String(address[address.index(after: percent)...]))
        // An interface that has gone: without a number the connection fails, as it should.
        return index == 0 ? nil : Int(index)
    }

    /// The address without its zone, which libcurl takes as a number.
    fileprivate var hostAndPort: String {
        let bare = String(address.prefix { $0 != "%" })
        return bare.contains(":") ? "[\(bare)]:\(port)" : "\(bare):\(port)"
    }
}

extension HTTPHeader {
    /// The field in libcurl's form; a semicolon stands for an empty value.
    fileprivate var line: String { text.isEmpty ? "\(name);" : "\(name): \(text)" }
}

/// Sets up a new socket (CURLOPT_SOCKOPTFUNCTION(3)): a connection breaks soon after the machine has
/// left the network that it goes through, so that another endpoint is tried.
///
/// Bounds the time of unacknowledged bytes and probes an idle peer (tcp(7)). A kernel that refuses
/// only notices later.
private func setUpSocket(
    _ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype
) -> Int32 {
    let tcp = Int32(IPPROTO_TCP)
    let options = [
        (SOL_SOCKET, SO_KEEPALIVE, 1), (tcp, TCP_KEEPIDLE, 4), (tcp, TCP_KEEPINTVL, 2),
        (tcp, TCP_USER_TIMEOUT, 8000),
    ]
    for (level, option, value) in options {
        var value = Int32(value)
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    return CURL_SOCKOPT_OK
}
