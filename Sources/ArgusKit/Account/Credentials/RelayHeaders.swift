package import ArgusCore
package import ArgusTransport

/// The secret header fields that access gateways in front of a server's relays require.
///
/// A line in brackets names the relay of the fields below it. Fields above any such line belong to
/// the only relay, as in the first versions.
///
///     [https://relay.example]
///     CF-Access-Client-Id: 88bf3b6d86161464f6509f7219099e57.access
package struct RelayHeaders: Sendable {
    private var unnamed: [HTTPHeader] = []
    private var named: [Origin: [HTTPHeader]] = [:]
    /// The names of stored fields that are not sent, since argus sets them itself.
    package private(set) var leftOut: [String] = []

    package init() {}

    /// Parses header fields; nil for an invalid line or a name that argus sets itself.
    package init?(parsing text: String) {
        self.init(stored: text)
        guard leftOut.isEmpty else { return nil }
    }

    /// Parses stored header fields; nil for an invalid line.
    ///
    /// An earlier version may have stored names that argus now sets itself.
    package init?(stored text: String) {
        var relay: Origin?
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                guard let origin = Self.relay(line) else { return nil }
                named[origin] = named[origin] ?? []
                relay = origin
            } else {
                guard let header = Self.header(line) else { return nil }
                if Self.taken.contains(header.name.lowercased()) {
                    leftOut.append(header.name)
                } else if let relay {
                    named[relay, default: []].append(header)
                } else {
                    unnamed += [header]
                }
            }
        }
    }

    /// The fields for a relay.
    package subscript(relay: Origin) -> [HTTPHeader] { named[relay] ?? [] }

    /// The named relays, including those without fields.
    package var relays: Set<Origin> { Set(named.keys) }

    /// True if some fields name no relay.
    package var isAmbiguous: Bool { named.isEmpty || !unnamed.isEmpty }

    package var isEmpty: Bool { unnamed.isEmpty && named.values.allSatisfy(\.isEmpty) }

    /// The fields as they apply to a server with these relays.
    ///
    /// Fields without a relay are sent to none if there are several.
    package func meaning(_ relays: Set<Origin>) -> RelayHeaders {
        var headers = self
        if isAmbiguous, let only = relays.only {
            headers.named[only] = unnamed + self[only]
        }
        headers.unnamed = []
        return headers
    }

    /// Replaces the fields of the relays that `other` names.
    package mutating func replace(with other: RelayHeaders) {
        named.merge(other.named) { $1 }
    }

    /// Removes the fields of all other relays.
    package mutating func removeAll(except relays: Set<Origin>) {
        named = named.filter { relays.contains($0.key) }
    }

    /// The text form, which `init(stored:)` reads back.
    package var text: Redacted<String> {
        var lines = unnamed.map(Self.line)
        for (origin, headers) in named.sorted(by: { $0.key.description < $1.key.description }) {
            lines += ["[\(origin)]"] + headers.map(Self.line)
        }
        return Redacted(lines.map { $0 + "\n" }.joined())
    }

    private static func relay(_ line: Substring) -> Origin? {
        guard line.hasSuffix("]"),
            let address = try? ServerAddress(parsing: String(line.dropFirst().dropLast())),
            address.origin.scheme == .https
        else { return nil }
        return address.origin
    }

    private static func line(_ header: HTTPHeader) -> String {
        switch header.value {
        case .plain(let text): "\(header.name): \(text)"
        case .secret(let text): "\(header.name): \(text.reveal())"
        }
    }

    /// Parses a field, whose value is visible ASCII and blanks.
    private static func header(_ line: Substring) -> HTTPHeader? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let name = String(line[..<colon])
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        guard HTTPHeader(name, "").hasValidName, !value.isEmpty,
            value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        // In `Bearer TOKEN` and `name=TOKEN` the token alone is also a secret. A short value such
        // as `production` is not, and would be masked everywhere.
        let parts = value.split { " =;,".contains($0) }.map(String.init) + [String(value)]
        let secrets = parts.filter { $0.utf8.count >= 20 || SecretNames.contains(name) }
        return HTTPHeader(name, secret: Redacted(String(value), masking: secrets))
    }

    private static let taken: Set<String> = [
        "authorization", "cookie", "x-api-key", "x-refresh-token", "x-device-id",
        "x-device-platform", "x-device-model", "x-app-version", "user-agent", "host",
        "content-length", "content-type", "transfer-encoding", "connection", "expect", "range",
    ]
}

extension CredentialStore {
    /// The stored fields for a server's relays.
    ///
    /// - Throws: `AccountError`; `.senseless` if the value is invalid.
    package func relayHeaders(
        of server: ServerID
    ) async throws(AccountError) -> RelayHeaders {
        guard let value = try await read(CredentialKey(server, .relayHeaders)) else {
            return RelayHeaders()
        }
        guard let headers = RelayHeaders(stored: String(decoding: value.reveal(), as: UTF8.self))
        else { throw .senseless(store: name) }
        return headers
    }

    /// Stores the fields for a server's relays, or erases them if there are none.
    ///
    /// - Throws: `AccountError`.
    package func keep(
        _ headers: RelayHeaders, of server: ServerID
    ) async throws(AccountError) {
        let key = CredentialKey(server, .relayHeaders)
        guard !headers.isEmpty else { return try await erase(key) }
        try await write(Redacted(Array(headers.text.reveal().utf8)), for: key)
    }
}
