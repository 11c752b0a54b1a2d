import ArgusCore
internal import Crypto
internal import FoundationEssentials

/// The opening handshake of a client without extensions and subprotocols (RFC 6455, section 4.1).
struct WebSocketHandshake {
    private let key: String
    private var buffer: [UInt8] = []
    /// The head of the answer, as far as it arrived.
    private(set) var head = ResponseHead()

    /// Makes a handshake; `nonce` has 16 random bytes.
    init(nonce: [UInt8]) { key = Data(nonce).base64EncodedString() }

    /// The bytes that ask for the upgrade.
    func request(_ request: HTTPRequest) -> [UInt8] {
        let fields =
            [
                HTTPHeader("Host", request.origin.authority), HTTPHeader("Connection", "Upgrade"),
                HTTPHeader("Upgrade", "websocket"), HTTPHeader("Sec-WebSocket-Version", "13"),
                HTTPHeader("Sec-WebSocket-Key", key),
            ] + request.headers
        let lines = ["GET \(request.target) HTTP/1.1"] + fields.map { "\($0.name): \($0.text)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Takes bytes of the answer; returns those after its head, or nil before the end of the head.
    /// - Throws: `.tooLarge` for a head of more than `limit` bytes, `.malformedAnswer`, or
    ///   `.upgradeRefused` for a status other than 101, redirects included.
    mutating func take(_ bytes: [UInt8], limit: Int) throws(TransportError) -> [UInt8]? {
        buffer += bytes
        var rest = buffer[...]
        // Interim answers, such as 103, come before the one that counts.
        while !head.isComplete || head.status != 101 && 100..<200 ~= head.status {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                guard head.byteCount + rest.count <= limit else { throw Self.tooLarge }
                buffer = Array(rest)
                return nil
            }
            rest[...end].withUnsafeBytes { head.append(line: $0) }
            rest = rest[(end + 1)...]
            guard head.byteCount <= limit else { throw Self.tooLarge }
            guard head.status >= 100 else { throw Self.malformed("the answer is not HTTP") }
        }
        buffer = []
        try check()
        return Array(rest)
    }

    private func check() throws(TransportError) {
        guard head.status == 101 else {
            throw TransportError(
                .upgradeRefused(head.status),
                "the server refuses a WebSocket: status \(head.status)")
        }
        let headers = head.headers
        guard head.version == "HTTP/1.1",
            headers["Upgrade"]?.equalsWithoutCase("websocket") == true,
            headers.contains("Connection", token: "Upgrade"),
            headers["Sec-WebSocket-Accept"] == Self.acceptance(of: key)
        else { throw Self.malformed("the server does not switch to WebSocket") }
        guard headers["Sec-WebSocket-Extensions"] == nil, headers["Sec-WebSocket-Protocol"] == nil
        else { throw Self.malformed("the server chose an option that was not offered") }
    }

    /// The proof that a server has read a key (RFC 6455, section 4.2.2).
    static func acceptance(of key: String) -> String {
        let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Data(Insecure.SHA1.hash(data: Array(text.utf8))).base64EncodedString()
    }

    private static var tooLarge: TransportError {
        TransportError(.tooLarge, "the answer is larger than allowed")
    }

    private static func malformed(_ words: String) -> TransportError {
        TransportError(.malformedAnswer, words)
    }
}

extension Origin {
    /// The value of a `Host` field, without a zone, which is local to this machine (RFC 6874).
    fileprivate var authority: String {
        let name = host.contains(":") ? "[\(host.prefix { $0 != "%" })]" : host
        return port == scheme.defaultPort ? name : "\(name):\(port)"
    }
}

extension HTTPHeaders {
    /// True if a field of that name lists a token (RFC 9110, section 5.6.1).
    fileprivate func contains(_ name: String, token: String) -> Bool {
        fields.contains { field in
            field.name.equalsWithoutCase(name)
                && field.value.split(separator: ",").contains { part in
                    String(part.filter { $0 != " " && $0 != "\t" }).equalsWithoutCase(token)
                }
        }
    }
}
