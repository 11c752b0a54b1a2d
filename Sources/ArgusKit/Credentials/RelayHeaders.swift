/// The header fields that the relays of a server ask for, behind access gateways: secrets.
///
/// As text, a line in brackets says which relay the lines of `Name: value` below it are for. Fields
/// without such a line are for the only relay, as those of the first versions are.
///
///     [https://relay.example]
///     CF-Access-Client-Id: 88bf3b6d86161464f6509f7219099e57.access
package struct RelayHeaders: Sendable {
    private var unnamed: [HTTPHeader] = []
    private var named: [Origin: [HTTPHeader]] = [:]
    /// The names of kept fields that are not sent, since argus sends its own.
    package private(set) var leftOut: [String] = []

    package init() {}

    /// Reads header fields; nil for a line that is none, and for a name that argus itself sends.
    package init?(parsing text: String) {
        self.init(kept: text)
        guard leftOut.isEmpty else { return nil }
    }

    /// Reads header fields that were kept, be it by a version that refused fewer names; nil for a
    /// line that is none.
    package init?(kept text: String) {
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

    /// The relays that are named, be it to say that they are sent no field.
    package var relays: Set<Origin> { Set(named.keys) }

    /// Whether it does not say of all fields which relay they are for.
    package var leavesOpenWhich: Bool { named.isEmpty || !unnamed.isEmpty }

    package var isEmpty: Bool { unnamed.isEmpty && named.values.allSatisfy(\.isEmpty) }

    /// The fields as a server with these relays takes them: of several relays nobody can tell which
    /// one is meant by fields that name none, so that none is sent them.
    package func meaning(_ relays: Set<Origin>) -> RelayHeaders {
        var headers = self
        if leavesOpenWhich, relays.count == 1, let only = relays.first {
            headers.named[only] = unnamed + self[only]
        }
        headers.unnamed = []
        return headers
    }

    /// Takes other fields for the relays that those name.
    package mutating func replace(with other: RelayHeaders) {
        named.merge(other.named) { $1 }
    }

    /// Forgets the fields for all but these relays.
    package mutating func keep(only relays: Set<Origin>) {
        named = named.filter { relays.contains($0.key) }
    }

    /// The text that gives the same when it is read.
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

    /// A name is a token (RFC 9110, section 5.6.2), a value visible ASCII and blanks.
    private static func header(_ line: Substring) -> HTTPHeader? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let name = String(line[..<colon])
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        guard isToken(name), !value.isEmpty,
            value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        // Of `Bearer TOKEN` and `name=TOKEN` the token alone is a secret, too; a short value such as
        // `production` is none, and would be masked in everything.
        let parts = value.split { " =;,".contains($0) }.map(String.init) + [String(value)]
        let secrets = parts.filter { $0.utf8.count >= 20 || SecretNames.contains(name) }
        return HTTPHeader(name, secret: Redacted(String(value), masking: secrets))
    }

    private static let taken: Set<String> = [
        "authorization", "cookie", "x-api-key", "x-refresh-token", "x-device-id",
        "x-device-platform", "x-device-model", "x-app-version", "user-agent", "host",
        "content-length", "content-type",
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

extension CredentialStore {
    /// The fields that are kept for a server's relays.
    ///
    /// - Throws: the store's errors, `.damaged` when the value makes no sense.
    package func relayHeaders(
        of server: ServerID
    ) async throws(CredentialStoreError) -> RelayHeaders {
        guard let value = try await read(CredentialKey(server, .relayHeaders)) else {
            return RelayHeaders()
        }
        guard let headers = RelayHeaders(kept: String(decoding: value.reveal(), as: UTF8.self))
        else { throw .senseless(store: name) }
        return headers
    }

    /// Keeps the fields for a server's relays; where there are none, nothing is kept.
    package func keep(
        _ headers: RelayHeaders, of server: ServerID
    ) async throws(CredentialStoreError) {
        let key = CredentialKey(server, .relayHeaders)
        guard !headers.isEmpty else { return try await erase(key) }
        try await write(Redacted(Array(headers.text.reveal().utf8)), for: key)
    }
}
