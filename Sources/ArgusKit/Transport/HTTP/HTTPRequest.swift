package import ArgusCore

/// A request with the proof that the server must give and its deadlines.
package struct HTTPRequest: Sendable {
    /// The methods that ArgusAI servers know (RFC 9110, section 9; RFC 5789).
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"

        /// True if a repetition changes nothing (RFC 9110, section 9.2.2).
        package var isIdempotent: Bool { self != .post && self != .patch }
    }

    /// A request body and its media type.
    package struct Body: Sendable {
        package var bytes: [UInt8]
        package var contentType: String

        package init(bytes: [UInt8], contentType: String) {
            self.bytes = bytes
            self.contentType = contentType
        }
    }

    /// The purpose of a connection.
    package enum Purpose: Sendable {
        /// The server proves its identity and answers the request.
        case answer
        /// The server proves its identity; its certificate (PEM) is the answer to no request.
        case proof
        /// The server shows any certificate, which is the answer (PEM) to no request.
        case certificate
        /// The server proves its identity; the connection is then a WebSocket's.
        case webSocket
    }

    package var method: Method
    package var origin: Origin
    /// Path and query, percent-encoded, beginning with `/`.
    package var target: String
    package var headers: [HTTPHeader]
    package var body: Body?
    package var proof: ServerProof
    package var deadlines: Deadlines
    package var limits: SizeLimits
    package var purpose = Purpose.answer
    /// True if the server may receive the request twice, so that it may use a pooled connection, which
    /// can break just then; by default that of the method.
    package var mayBeRepeated: Bool
    /// True for one of many requests at a time, which share a connection by HTTP/2; if that breaks, they
    /// share the next one too.
    package var sharesConnection = false
    /// True to follow redirects, without the user's data to another origin.
    package var followsRedirects = false
    /// Recognises an answer that is not the server's own, but a proxy's: another try may reach the
    /// server.
    package var isForeign: @Sendable (HTTPResponse) -> Bool = { _ in false }
    /// True to send nothing to an address of this machine or a private network, to which a public name
    /// may lead.
    package var refusesLocalAddresses = false
    /// Begins when the request leaves, and ends with any answer outside 2xx; the code that stores a
    /// good answer ends it.
    package var hold: SignalHold?

    package init(
        _ method: Method, _ origin: Origin, _ target: String, headers: [HTTPHeader] = [],
        body: Body? = nil, proof: ServerProof, deadlines: Deadlines = Deadlines(),
        limits: SizeLimits = SizeLimits()
    ) {
        self.method = method
        self.origin = origin
        self.target = target
        self.headers = headers
        self.body = body
        self.proof = proof
        self.deadlines = deadlines
        self.limits = limits
        mayBeRepeated = method.isIdempotent
    }

    /// Checks that the request can be written as HTTP without becoming another one.
    /// - Throws: `.invalidRequest`; the words never hold a value.
    func checkSyntax() throws(TransportError) {
        // A host with a slash or an at sign in it would name another server.
        guard (try? ServerAddress(parsing: origin.description))?.origin == origin else {
            throw Self.invalidRequest("the server's address is malformed")
        }
        let isVisible = { (byte: UInt8) in (0x21...0x7E).contains(byte) }
        guard target.hasPrefix("/"), target.utf8.allSatisfy(isVisible), !target.contains("#") else {
            throw Self.invalidRequest("the path must begin with '/' and be percent-encoded")
        }
        guard target.utf8.count <= Self.longestTarget else {
            throw Self.invalidRequest(
                "the path would be longer than \(Self.longestTarget >> 10) KiB: a word is too long")
        }
        for header in headers {
            guard header.hasValidName else {
                throw Self.invalidRequest(
                    "a header field's name has characters that HTTP does not allow")
            }
            guard header.hasValidValue else {
                throw Self.invalidRequest(
                    "the header field '\(header.name)' has control characters")
            }
        }
        guard body?.contentType.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) ?? true else {
            throw Self.invalidRequest("the media type has control characters")
        }
    }

    /// More than servers read of a request line, and less than libcurl refuses.
    private static var longestTarget: Int { 64 << 10 }

    private static func invalidRequest(_ detail: String) -> TransportError {
        TransportError(.invalidRequest, detail, nothingSent: true)
    }
}

/// A header field of a request; a secret one is never traced.
package struct HTTPHeader: Sendable {
    /// A text, or a secret that only the transport reveals.
    package enum Value: Sendable {
        case plain(String)
        case secret(Redacted<String>)
    }

    package var name: String
    package var value: Value

    package init(_ name: String, _ text: String) {
        self.name = name
        self.value = .plain(text)
    }

    package init(_ name: String, secret: Redacted<String>) {
        self.name = name
        self.value = .secret(secret)
    }

    /// The value to print, masked if it is secret.
    package var shown: String {
        if case .plain(let text) = value { text } else { SecretMask.replacement }
    }

    /// The value, revealed if it is secret.
    var text: String {
        switch value {
        case .plain(let text): text
        case .secret(let secret): secret.reveal()
        }
    }

    /// True if the name is a token (RFC 9110, section 5.6.2).
    package var hasValidName: Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x21...0x7E).contains(byte) && !#"(),/:;<=>?@[\]{}""#.utf8.contains(byte)
            }
    }

    /// True if tabs are the only control characters of the value (RFC 9110, section 5.5).
    fileprivate var hasValidValue: Bool {
        text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }
}

/// The longest times of the parts of a request (docs/scripting.md, "Time limits and retries").
package struct Deadlines: Hashable, Sendable {
    /// Name lookup, connection and TLS handshake together.
    package var connect: Duration = .seconds(5)
    /// From the request sent to the first byte of the answer.
    package var firstByte: Duration = .seconds(30)
    /// The whole of a small answer; nil for a streamed body, which `idle` bounds.
    package var total: Duration? = .seconds(60)
    /// The longest time without a byte while a body arrives.
    package var idle: Duration = .seconds(30)
    /// The lifetime of an idle connection in whole seconds; today's server closes its own after
    /// five (docs/compatibility.md, trap 13).
    package var pooled: Duration = .seconds(4)

    package init() {}

    /// Replaces the wait for the first byte by the one that the user gave, if any.
    package mutating func wait(forFirstByte given: Duration?) {
        guard let given else { return }
        firstByte = given
        total = max(given, total ?? given)
    }

    /// The longest time until a small answer is complete, after its request has left.
    package var longestAnswer: Duration { total ?? firstByte + idle }
}

/// The largest sizes of an answer, in bytes (docs/scripting.md, "Limits on answers").
package struct SizeLimits: Hashable, Sendable {
    /// Body after decompression; more than the default only where a receiver takes it in pieces.
    package var body: Int
    /// Status line and header fields.
    package var headers: Int

    package init(body: Int = 32 << 20, headers: Int = 64 << 10) {
        (self.body, self.headers) = (body, headers)
    }
}

/// The proof that a server must give before a request is sent (docs/servers-and-trust.md).
package struct ServerProof: Hashable, Sendable {
    /// The proof of the server's identity.
    package enum Identity: Hashable, Sendable {
        /// Plain http; the caller has checked that section 7.4 allows it.
        case plain
        /// A certificate for the host that a public authority, or one in `authorities`, signed.
        case publicCertificate(authorities: String?)
        /// Any certificate whose public key has this SHA-256, base64 (RFC 7469's `pin-sha256`).
        case pin(String)
    }

    package var identity: Identity
    /// Paths of a client certificate and its key, PEM.
    package var clientCertificate: ClientCertificate?
    /// True to ignore the proxies of the environment (loopback never uses one).
    package var avoidsProxies = false
    /// The address to connect to, without a proxy, instead of looking up the origin's host; the
    /// proof stays the same.
    package var socketAddress: SocketAddress?

    package init(
        _ identity: Identity, clientCertificate: ClientCertificate? = nil,
        avoidsProxies: Bool = false
    ) {
        self.identity = identity
        self.clientCertificate = clientCertificate
        self.avoidsProxies = avoidsProxies
    }
}

/// An address of the local network at which a server was found.
package struct SocketAddress: Hashable, Sendable {
    /// In the form of `Origin.host`: `192.168.1.5`, `fe80::1%eth0`.
    package var address: String
    package var port: UInt16

    package init(address: String, port: UInt16) {
        self.address = address
        self.port = port
    }
}

/// The files of a client certificate.
package struct ClientCertificate: Hashable, Sendable {
    package var certificatePath: String
    package var keyPath: String?

    package init(certificatePath: String, keyPath: String? = nil) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }
}
