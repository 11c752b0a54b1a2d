extension HTTPRequest {
    /// Checks that the request can be written as HTTP without becoming another one.
    ///
    /// - Throws: `.invalidRequest`; the words never hold a value.
    func checkSyntax() throws(TransportError) {
        // A host with a slash or an at sign in it would name another server.
        guard (try? ServerAddress(parsing: origin.description))?.origin == origin else {
            throw Self.invalid("the server's address is malformed")
        }
        let isVisible = { (byte: UInt8) in (0x21...0x7E).contains(byte) }
        guard target.hasPrefix("/"), target.utf8.allSatisfy(isVisible), !target.contains("#") else {
            throw Self.invalid("the path must begin with '/' and be percent-encoded")
        }
        guard target.utf8.count <= Self.longestTarget else {
            throw Self.invalid(
                "the path would be longer than \(Self.longestTarget >> 10) KiB: a word is too long")
        }
        for header in headers {
            guard header.hasValidName else {
                throw Self.invalid("a header field's name has characters that HTTP does not allow")
            }
            guard header.hasValidValue else {
                throw Self.invalid("the header field '\(header.name)' has control characters")
            }
        }
        guard body?.contentType.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) ?? true else {
            throw Self.invalid("the media type has control characters")
        }
    }

    /// Far more than servers read of a request line, and far less than libcurl refuses.
    private static var longestTarget: Int { 64 << 10 }

    private static func invalid(_ words: String) -> TransportError {
        TransportError(.invalidRequest, words, nothingSent: true)
    }
}

extension HTTPHeader {
    /// Whether the name is a token (RFC 9110, section 5.6.2).
    fileprivate var hasValidName: Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x21...0x7E).contains(byte) && !#"(),/:;<=>?@[\]{}""#.utf8.contains(byte)
            }
    }

    /// Whether the value has no control character but tabs (RFC 9110, section 5.5).
    fileprivate var hasValidValue: Bool {
        let text =
            switch value {
            case .plain(let text): text
            case .secret(let secret): secret.reveal()
            }
        return text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }
}
