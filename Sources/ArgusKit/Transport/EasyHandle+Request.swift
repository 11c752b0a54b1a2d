import CCurl
import Glibc

extension EasyHandle {
    /// Bytes of libcurl's receive buffer; a larger one is mapped and unmapped for each request.
    private static var receiveBufferSize: Int { 96 << 10 }

    /// Sets every option of a request but the callbacks and the lists.
    ///
    /// - Throws: `.identityRefused` or `.libraryMissing`.
    borrowing func configure(
        for submission: Submission, curl: CurlLibrary
    ) throws(TransportError) {
        let request = submission.request
        try set(CURLOPT_URL, request.origin.description + request.target)
        try set(CURLOPT_PATH_AS_IS, true)
        try setProtocols(curl)
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

    private borrowing func setProtocols(_ curl: CurlLibrary) throws(TransportError) {
        if curl.version >= 0x07_55_00 {
            try set(CURLOPT_PROTOCOLS_STR, "http,https")
        } else {
            try set(CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
        }
        // A libcurl without HTTP/2 refuses the wish and speaks HTTP/1.1.
        setIfKnown(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    }

    private borrowing func setConnection(_ submission: Submission) throws(TransportError) {
        let request = submission.request
        try set(CURLOPT_NOSIGNAL, true)
        try noticeLostNetworks()
        // libcurl shares this time out among the addresses of a name.
        try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, request.deadlines.connect.wholeMilliseconds))
        // Otherwise giving up on a name waits for the resolver to give up.
        setIfKnown(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_MAXAGE_CONN, Int(request.deadlines.pooled.components.seconds))
        // libcurl repeats any method when a pooled connection breaks; only idempotent ones may be.
        try set(
            CURLOPT_FRESH_CONNECT,
            submission.needsFreshConnection || !request.method.isIdempotent)
        // Requests that start together wait to share one HTTP/2 connection.
        try set(CURLOPT_PIPEWAIT, request.origin.scheme == .https)
        // An empty text turns off libcurl's own look into the environment.
        try set(CURLOPT_PROXY, submission.proxy?.reveal() ?? "")
        try set(CURLOPT_NOPROXY, "")
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        if let scope = request.proof.socketAddress?.scope { try set(CURLOPT_ADDRESS_SCOPE, scope) }
        guard request.purpose != .answer else { return }
        try set(CURLOPT_CONNECT_ONLY, 1)
        try set(CURLOPT_CERTINFO, true)
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
    /// The header fields as libcurl wants them (CURLOPT_HTTPHEADER(3)).
    func headerList(_ curl: CurlLibrary) throws(TransportError) -> CurlList {
        var list = CurlList(curl)
        for header in headers { try list.append(header.line) }
        if !headers.contains(where: { $0.name.equalsWithoutCase("Content-Type") }) {
            // Without a value libcurl leaves its own field away.
            try list.append("Content-Type:" + (body.map { " \($0.contentType)" } ?? ""))
        }
        try list.append("Expect:")
        return list
    }

    /// Addresses that need no look-up (CURLOPT_RESOLVE(3)): `localhost` names are this machine,
    /// whatever a resolver says.
    func addressList(_ curl: CurlLibrary) throws(TransportError) -> CurlList {
        var list = CurlList(curl)
        if origin.isLocalhostName {
            try list.append("\(origin.host):\(origin.port):127.0.0.1,::1")
        }
        return list
    }
}

extension HTTPRequest {
    /// Where to connect instead of the origin (CURLOPT_CONNECT_TO(3)); empty for most requests.
    func connectionList(_ curl: CurlLibrary) throws(TransportError) -> CurlList {
        var list = CurlList(curl)
        if let socketAddress = proof.socketAddress {
            try list.append("::\(socketAddress.hostAndPort)")
        }
        return list
    }
}

extension SocketAddress {
    /// The number of the interface that the address is valid on; nil where it needs none.
    fileprivate var scope: Int? {
        guard let percent = address.firstIndex(of: "%") else { return nil }
        let index = if_nametoindex(String(address[address.index(after: percent)...]))
        // An interface that has gone: without a number the connection fails, as it should.
        return index == 0 ? nil : Int(index)
    }

    /// The address without its zone, which libcurl is told as a number.
    fileprivate var hostAndPort: String {
        let bare = String(address.prefix { $0 != "%" })
        return bare.contains(":") ? "[\(bare)]:\(port)" : "\(bare):\(port)"
    }
}

extension HTTPHeader {
    /// The field as libcurl wants it; a semicolon stands for an empty value.
    fileprivate var line: String {
        let text =
            switch value {
            case .plain(let text): text
            case .secret(let secret): secret.reveal()
            }
        return text.isEmpty ? "\(name);" : "\(name): \(text)"
    }
}

extension EasyHandle {
    /// Makes connections break soon after the machine has left the network that they go through.
    ///
    /// Otherwise a request waits for its whole time on a connection whose other end nobody can
    /// reach any more, and no other way is tried.
    borrowing func noticeLostNetworks() throws(TransportError) {
        try set(socketCallback: setUpSocket)
    }
}

/// Sets a new socket up for libcurl (CURLOPT_SOCKOPTFUNCTION(3)).
///
/// It bounds how long sent bytes may stay unacknowledged, and asks an idle peer whether it is still
/// there (tcp(7)). A kernel that refuses only notices later.
private func setUpSocket(
    _ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype
) -> Int32 {
    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    let tcp = Int32(IPPROTO_TCP)
    set(SOL_SOCKET, SO_KEEPALIVE, 1)
    set(tcp, TCP_KEEPIDLE, 4)
    set(tcp, TCP_KEEPINTVL, 2)
    set(tcp, TCP_USER_TIMEOUT, 8000)
    return CURL_SOCKOPT_OK
}
