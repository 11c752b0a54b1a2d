package import ArgusCore

/// Parses a secret from bytes that the user or the service manager provided.
package enum SecretText {
    /// The largest secret in bytes.
    package static let sizeLimit = 64 << 10
    /// The longest token or key in bytes: servers accept no longer header fields.
    package static let tokenLimit = 16 << 10

    /// The characters that a secret may contain.
    package enum Alphabet: Sendable {
        /// Visible ASCII, as in header fields: tokens and API keys.
        case visibleASCII
        /// Any UTF-8 on one line, blanks included: passwords.
        case anyText
        /// As `anyText`, but a byte order mark counts: a key was derived with it.
        case passphrase
        /// Several lines of UTF-8: header fields.
        case lines
    }

    /// The reason why a secret is unusable.
    package enum Fault: Hashable, Sendable {
        case file(FileSystemError)
        case empty
        case tooLong(limit: Int)
        /// More than one line, so probably the wrong file.
        case severalLines
        /// Not UTF-8, or contains NUL.
        case notText
        /// Blanks, controls or non-ASCII characters in a token or key.
        case notVisibleASCII

        /// The fault in one line, without any of the secret.
        func sentence(about source: String) -> String {
            switch self {
            case .file(let error): error.description
            case .empty: "\(source) is empty"
            case .tooLong(let limit): "\(source) is longer than \(limit >> 10) KiB"
            case .severalLines: "\(source) has more than one line"
            case .notText: "\(source) is not UTF-8 text"
            case .notVisibleASCII:
                "\(source) has a space, a control or a non-ASCII character, as no token or key does"
            }
        }
    }

    /// Checks a secret after dropping one LF or CRLF at its end, and the byte order mark that some
    /// editors put before a text (RFC 3629, section 6).
    ///
    /// - Throws: `AccountError`, which names the source and never shows the content.
    package static func parse(
        _ bytes: [UInt8], as alphabet: Alphabet, from source: String
    ) throws(AccountError) -> Redacted<String> {
        var bytes = bytes[...]
        if bytes.last == 0x0A {
            bytes.removeLast()
            if bytes.last == 0x0D { bytes.removeLast() }
        }
        if alphabet != .passphrase, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            bytes.removeFirst(3)
        }
        guard !bytes.isEmpty else { throw .secret(source, .empty) }
        let limit = alphabet == .visibleASCII ? tokenLimit : sizeLimit
        guard bytes.count <= limit else { throw .secret(source, .tooLong(limit: limit)) }
        guard alphabet == .lines || (!bytes.contains(0x0A) && !bytes.contains(0x0D)) else {
            throw .secret(source, .severalLines)
        }
        guard !bytes.contains(0) else { throw .secret(source, .notText) }
        if alphabet == .visibleASCII {
            guard isVisible(bytes) else {
                throw .secret(source, .notVisibleASCII)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .secret(source, .notText)
        }
        return Redacted(text)
    }

    /// True if a text can be a token or key: visible ASCII within the length limit.
    package static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.count <= tokenLimit && isVisible(text.utf8)
    }

    private static func isVisible(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
