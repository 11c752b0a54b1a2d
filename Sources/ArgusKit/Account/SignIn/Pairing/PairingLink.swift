import ArgusCore
package import ArgusTransport

/// A pairing link of a dashboard: the server's address, the code and the expected fingerprint.
///
///     argusai://pair?code=482913&url=https%3A%2F%2Fhome.example&fp=sha256:FD:CD:…
package struct PairingLink: Hashable, Sendable {
    package var code: PairingCode
    /// The server's address, an http or https URL.
    package var address: String
    /// The SHA-256 of the certificate that the server must present; nil if the link has none.
    package var fingerprint: CertificateFingerprint?

    private static let start = "argusai://pair?"
    private static let fingerprintStart = "sha256:"

    /// Parses a link and ignores unknown members.
    ///
    /// - Throws: `PairingLinkError`, which names the member and never repeats its value.
    package init(_ text: String) throws(PairingLinkError) {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        guard text.lowercased().hasPrefix(Self.start) else { throw .noLink }
        let members = try Self.members(of: text.dropFirst(Self.start.count))
        guard let url = members["url"], !url.isEmpty else { throw .missing("url") }
        guard let address = try? ServerAddress(parsing: url), url.contains("://") else {
            throw .unreadable("url", "it is not an http or https address")
        }
        guard let typed = members["code"], !typed.isEmpty else { throw .missing("code") }
        guard let code = PairingCode(typed: typed) else {
            throw .unreadable("code", "it \(PairingCode.fault)")
        }
        self.code = code
        self.address = url
        guard let fingerprint = members["fp"] else { return }
        guard fingerprint.lowercased().hasPrefix(Self.fingerprintStart),
            let digest = CertificateFingerprint(
                String(fingerprint.dropFirst(Self.fingerprintStart.count)))
        else { throw .unreadable("fp", "it must be 'sha256:' and 64 hexadecimal digits") }
        guard address.origin.scheme == .https else {
            throw .unreadable("fp", "an address without https has no certificate")
        }
        self.fingerprint = digest
    }

    /// The members of the query; a repeated one is ambiguous.
    private static func members(
        of query: Substring
    ) throws(PairingLinkError) -> [String: String] {
        var members: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard ["url", "code", "fp"].contains(name) else { continue }
            guard let value = PercentEncoding.decode(parts.count == 2 ? parts[1] : "") else {
                throw .unreadable(name, "its percent-encoding is broken")
            }
            guard members.updateValue(value, forKey: name) == nil else {
                throw .unreadable(name, "it appears twice")
            }
        }
        return members
    }
}

/// The reason why a text is not a pairing link; the text is as secret as its code.
package enum PairingLinkError: Error, Hashable, Sendable, CustomStringConvertible {
    case noLink
    /// A required member is missing.
    case missing(String)
    /// A member and its fault.
    case unreadable(String, String)

    package var description: String {
        switch self {
        case .noLink: "not a pairing link: it does not begin with 'argusai://pair?'"
        case .missing(let name): "the link has no '\(name)'"
        case .unreadable(let name, let why): "invalid '\(name)' in the link: \(why)"
        }
    }
}
