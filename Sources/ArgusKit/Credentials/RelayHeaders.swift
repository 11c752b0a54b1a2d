/// The header fields that a relay behind an access gateway asks for: secrets, a line each.
extension CredentialStore {
    /// The fields of a server's relay, none when it has none.
    ///
    /// - Throws: the store's errors, `.damaged` when the value makes no sense.
    package func relayHeaders(
        of server: ServerID
    ) async throws(CredentialStoreError) -> [HTTPHeader] {
        guard let value = try await read(CredentialKey(server, .relayHeaders)) else { return [] }
        let text = String(decoding: value.reveal(), as: UTF8.self)
        guard let headers = RelayHeaderText.parse(text) else {
            throw .damaged(path: "\(name): \(server.text)")
        }
        return headers
    }

    /// Keeps the fields of a server's relay, as `RelayHeaderText` reads them.
    package func keep(
        relayHeaders text: Redacted<String>, of server: ServerID
    ) async throws(CredentialStoreError) {
        try await write(
            Redacted(Array(text.reveal().utf8)), for: CredentialKey(server, .relayHeaders))
    }
}

/// Lines of `Name: value`.
package enum RelayHeaderText {
    /// Reads header fields; nil for a line that is none, or a name that argus itself sends.
    ///
    /// A name is a token (RFC 9110, section 5.6.2), a value visible ASCII and blanks.
    package static func parse(_ text: String) -> [HTTPHeader]? {
        var headers: [HTTPHeader] = []
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = String(line[..<colon])
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            guard isToken(name), !taken.contains(name.lowercased()), !value.isEmpty,
                value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { return nil }
            headers.append(HTTPHeader(name, secret: Redacted(String(value))))
        }
        return headers
    }

    private static let taken: Set<String> = [
        "authorization", "x-api-key", "host", "content-length", "content-type",
        "transfer-encoding", "connection", "expect", "range",
    ]

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
