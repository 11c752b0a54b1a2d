package import ArgusCore
package import ArgusTransport

/// The reason why a server cannot be selected, reached or trusted; nothing secret was sent.
package enum ServerError: Error, Sendable, CustomStringConvertible {
    case invalidAddress(ServerAddressError)
    /// A sign-in by this command needs an address.
    case addressMissing(command: String)
    case noneKnown
    /// Several servers are known, and none is the default.
    case noDefault
    /// No server has the name; the names that are known.
    case absent(String, known: [String])
    /// The records that a name or an address matches.
    case ambiguous(String, [ServerRecord])
    /// No credential is stored for a server, given by name or address; `login` is the address to sign
    /// in at.
    case notSignedIn(server: String, login: String, isPairing: Bool = false)
    /// Credentials from this source go only to a server that was named, not to the selected one.
    case serverNotNamed(source: String, selected: String)
    /// The server has no endpoint of the kind of `--via`.
    case noEndpoint(server: String, Via)
    case plainHTTP(PlainHTTPRule.Refusal)
    /// A relay is reached by https only.
    case plainRelay(ServerAddress)
    /// `--cert` was given for plain http.
    case certificateNeedsTLS(ServerAddress)
    /// A fingerprint was given for plain http.
    case fingerprintNeedsTLS
    case invalidFingerprint(source: String)
    case otherFingerprint(
        server: String, expected: CertificateFingerprint, seen: CertificateFingerprint)
    /// No server on the network presents a certificate with this fingerprint.
    case fingerprintNotFound(CertificateFingerprint)
    /// No server answers on the network, and no relay is configured; the failure of the search.
    case noServerFound(DiscoveryError?, command: String)
    /// Only unknown servers answer on the network, at these addresses.
    case unknownServers([String])
    /// The server showed no certificate, or not the trusted one.
    case connection(UnverifiedServer, TransportError)
    /// The server answers at an https address, but by plain http, as this command may use it.
    case speaksPlainHTTP(ServerAddress, command: String)
    /// The stored record of the server cannot be read or changed.
    case account(AccountError)
    /// A new endpoint of a server cannot be verified.
    indirect case endpoint(Endpoint.Kind, ServerAddress, ServerError)
    /// The option applies to new addresses, but none is new.
    case nothingNew(option: String, server: String)
    /// A change would leave a server without an address.
    case noAddressLeft(server: String)
    case localAndRelay(String)
    /// Header fields were given for the relays of a server that has none.
    case noRelay(server: String)
    case malformedHeaders
    /// Header fields were given for an address that is no relay of the server.
    case otherRelay(Origin, server: String)
    /// The server has several relays, such as this one, and some header fields name none.
    case ambiguousHeaders(server: String, relay: String)

    package var description: String {
        switch self {
        case .invalidAddress(let error): "\(error)"
        case .addressMissing: "the server's address is missing"
        case .noneKnown: "no server is known"
        case .noDefault: "several servers are known and none is the default"
        case .absent(let name, _): "there is no server \(name.inQuotes)"
        case .ambiguous(let address, let records) where address.contains("://"):
            "\(address.inQuotes) is the address of several servers: "
                + records.map(\.name).joined(separator: ", ")
        case .ambiguous(let name, let records):
            "\(name.inQuotes) names several servers: "
                + records.map { "\($0.id.text) (\($0.name))" }.joined(separator: ", ")
        case .notSignedIn(let server, _, _): "not signed in to '\(server)'"
        case .serverNotNamed(let source, _):
            "the credentials of \(source) are sent only to a server that you name"
        case .noEndpoint(let server, let via): "'\(server)' has no \(via.rawValue) address"
        case .plainHTTP(let refusal): refusal.reason
        case .plainRelay(let address): "a relay must use https: \(address)"
        case .certificateNeedsTLS(let address):
            "--cert needs an https address, but \(address) is not one"
        case .fingerprintNeedsTLS: "--fingerprint needs an https address"
        case .invalidFingerprint(let source): "\(source) is not a SHA-256 fingerprint"
        case .otherFingerprint(let server, let expected, let seen):
            "'\(server)' presents an unexpected certificate: "
                + "expected SHA-256 \(expected), seen \(seen)"
        case .fingerprintNotFound(let expected):
            "no server on the network presents the certificate with SHA-256 \(expected)"
        case .noServerFound(let problem, _):
            "\(problem?.description ?? "no server answers on the local network"), "
                + "and no relay is configured"
        case .unknownServers(let addresses):
            "servers answer on the network, but none of them is known: "
                + addresses.joined(separator: ", ")
        case .connection(_, let error): error.detail
        case .speaksPlainHTTP(let address, _):
            "\(address.origin.hostAndPort) speaks plain http, not https"
        case .account(let error): "\(error)"
        case .endpoint(let kind, let address, let error): "\(kind.rawValue) \(address): \(error)"
        case .nothingNew(let option, _): "\(option) applies to a new address, but none is new"
        case .noAddressLeft(let server): "'\(server)' would have no address left"
        case .localAndRelay(let address): "\(address) cannot be both local and a relay"
        case .noRelay(let server): "'\(server)' has no relay; give --relay too"
        case .malformedHeaders: "standard input does not hold header fields that may be set"
        case .otherRelay(let relay, let server): "'\(relay)' is not a relay of '\(server)'"
        case .ambiguousHeaders(let server, _):
            "'\(server)' has several relays, and header fields are for one"
        }
    }

    /// The remedy; nil if the message is sufficient.
    package var remedy: String? {
        switch self {
        case .invalidAddress(.linkLocalWithoutInterface): nil
        case .invalidAddress: "give one such as https://home.example:8443"
        case .addressMissing(let command): "argus \(command) https://home.example"
        case .noneKnown: "sign in with 'argus login URL'"
        case .noDefault: "name one with --server, or choose one with 'argus server use NAME'"
        case .absent: "'argus server list' shows the known servers"
        case .ambiguous(let word, _):
            word.contains("://") ? "give the name of one of them" : "give the whole id"
        case .notSignedIn(_, let login, let isPairing):
            isPairing
                ? "pair again with 'argus pair \(login)'" : "sign in with 'argus login \(login)'"
        case .serverNotNamed(_, let selected): "add --server \(selected)"
        case .noEndpoint(let server, let via):
            "add one with 'argus server set \(server) --\(via.rawValue) URL'"
        case .plainHTTP(let refusal): refusal.hint
        case .invalidFingerprint: "64 hexadecimal digits are needed, with colons or without"
        case .otherFingerprint: "nothing was sent; read the fingerprint on the server itself"
        case .fingerprintNotFound: "nothing was sent; 'argus discover' shows who answers"
        case .noServerFound(let problem, let command):
            (problem?.remedy.map { "\($0); or " } ?? "")
                + "name the server: argus \(command) https://home.example; or set "
                + "relay_url in config.toml, or ARGUS_RELAY_URL"
        case .speaksPlainHTTP(let address, let command): "argus \(command) \(address.asPlainHTTP)"
        case .unknownServers: "nothing was sent; give the server's URL, or --fingerprint"
        case .endpoint(_, _, let error): error.remedy
        case .nothingNew(_, let server):
            "to replace it, name every address of that kind that '\(server)' has"
        case .noAddressLeft(let server): "'argus server remove \(server)' forgets it"
        case .malformedHeaders: "a line each, such as 'CF-Access-Client-Id: …'"
        case .ambiguousHeaders(_, let relay):
            "put a line '[\(relay)]' before the fields that this relay is sent"
        case .localAndRelay, .plainRelay, .certificateNeedsTLS, .fingerprintNeedsTLS, .connection,
            .account, .noRelay, .otherRelay:
            nil
        }
    }
}
