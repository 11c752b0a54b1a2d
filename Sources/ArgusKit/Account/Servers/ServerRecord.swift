package import ArgusCore
package import ArgusTransport

/// One account on one server; contains no secret.
package struct ServerRecord: Hashable, Sendable, Identifiable {
    package var id: ServerID
    /// The user's name for it: unique, `[A-Za-z0-9._-]`, at most 64 characters.
    package var name: String
    /// Its addresses, in order of preference.
    package var endpoints: [Endpoint]
    /// The addresses for which `login --insecure-http` allowed plain http.
    package var plainHTTPAllowances: [PlainHTTPAllowance] = []
    /// The address of its web pages, if it was set.
    package var dashboard: ServerAddress?
    package var account: ServerAccount?
    /// The only store of its secrets.
    package var credentialStore = CredentialStoreKind.file
    package var knowledge = ServerKnowledge()
    /// The server's clock minus the local one, from its `Date`.
    package var clockOffset: Duration?
    package var addedAt: Timestamp
    /// Members written by a newer argus; preserved as they are.
    package var others: [String: JSONValue] = [:]

    init(id: ServerID = .random(), name: String, endpoints: [Endpoint], addedAt: Timestamp) {
        (self.id, self.name, self.endpoints, self.addedAt) = (id, name, endpoints, addedAt)
    }

    /// The origins of its relays, the only ones that may see the header fields stored for them.
    package var relays: Set<Origin> {
        Set(endpoints.lazy.filter { $0.kind == .relay }.compactMap(\.origin))
    }

    package func isCalled(_ name: String) -> Bool { self.name.caseFolded == name.caseFolded }

    /// Replaces the endpoints with the same address; each stays local or relay.
    package mutating func replace(_ endpoint: Endpoint) {
        for index in endpoints.indices where endpoints[index].hasAddress(endpoint.address) {
            let kind = endpoints[index].kind
            endpoints[index] = endpoint
            endpoints[index].kind = kind
        }
    }

    /// Copies the proof of another endpoint with the same address; the client certificate stays.
    package mutating func trust(_ endpoint: Endpoint) {
        for index in endpoints.indices where endpoints[index].hasAddress(endpoint.address) {
            endpoints[index].proof = endpoint.proof
            endpoints[index].fingerprint = endpoint.fingerprint
            if endpoint.proof == .publicCertificate {
                endpoints[index].authorities = endpoint.authorities
            }
        }
    }
}

/// An endpoint of a server: an address and its proof (docs/servers-and-trust.md).
package struct Endpoint: Hashable, Sendable {
    /// The route of an endpoint: through the local network or a relay.
    package enum Kind: String, Hashable, Sendable { case local, relay }

    package var kind: Kind
    /// The URL without a trailing slash, such as `https://home.example:8443`.
    package var address: String
    package var proof: EndpointProof
    /// The fingerprint of the certificate from which the pin was taken.
    package var fingerprint: CertificateFingerprint?
    /// The absolute path of `--cacert`.
    package var authorities: String?
    /// The absolute path of `--cert`.
    package var certificate: String?
    /// The absolute path of `--key`.
    package var key: String?
    package var others: [String: JSONValue] = [:]

    package init(_ kind: Kind, _ address: String, proof: EndpointProof) {
        self.kind = kind
        self.address = address
        self.proof = proof
    }

    /// Makes a new endpoint; https needs a public certificate.
    package init(_ kind: Kind, _ address: ServerAddress) {
        self.init(
            kind, address.description,
            proof: address.origin.scheme == .http ? .plain : .publicCertificate)
    }

    /// The origin of the address; nil if it is not an http or https URL.
    package var origin: Origin? { (try? ServerAddress(parsing: address))?.origin }

    /// True if an address is that of this endpoint.
    package func hasAddress(_ address: String) -> Bool {
        guard let wanted = try? ServerAddress(parsing: address) else { return false }
        return wanted == (try? ServerAddress(parsing: self.address))
    }
}

/// The endpoints that a run may use, and the kind of the one in use.
package enum Via: String, CaseIterable, Sendable {
    case auto, local, relay
}

/// The proof of an endpoint, written as `public`, `pin:BASE64` or `plain`.
package enum EndpointProof: Hashable, Sendable {
    /// The public certificate of the host name in the address.
    case publicCertificate
    /// A certificate with this SPKI pin: SHA-256, base64.
    case pin(String)
    /// No proof: plain http, as far as `PlainHTTPRule` allows it.
    case plain

    /// The proof as written in a state file.
    package var text: String {
        switch self {
        case .publicCertificate: "public"
        case .pin(let digest): "pin:" + digest
        case .plain: "plain"
        }
    }

    /// Parses a proof; an unknown word is nil, never a weaker proof.
    package init?(text: String) {
        switch text {
        case "public": self = .publicCertificate
        case "plain": self = .plain
        default:
            guard text.hasPrefix("pin:"), text.utf8.count > 4 else { return nil }
            self = .pin(String(text.dropFirst(4)))
        }
    }
}

/// The account of a record and its kind of sign-in.
package struct ServerAccount: Hashable, Sendable {
    /// The kind of its stored credential.
    package enum Kind: String, Hashable, Sendable {
        case password, token, pairing
        case apiKey = "api_key"
    }

    package var kind: Kind
    package var username: String?
    package var userID: String?
    /// The start of the pairing that created the account; nil for other kinds.
    package var pairedAt: Timestamp?
    package var others: [String: JSONValue] = [:]
}

/// The known routes of a server's API, which expire after 7 days or when one disappears.
package struct ServerKnowledge: Hashable, Sendable {
    /// The generation of each operation that worked, such as `events.list` → `current`.
    package var generations: [String: String] = [:]
    package var serverVersion: String?
    package var learntAt: Timestamp?
    package var others: [String: JSONValue] = [:]

    private static let lifetime: Duration = .seconds(7 * 86_400)

    /// The valid generations, by operation.
    package func currentGenerations(at now: Timestamp) -> [String: String] {
        guard let learntAt, now - learntAt < Self.lifetime else { return [:] }
        return generations
    }

    /// Replaces the generations.
    package mutating func learn(_ knowledge: RouteKnowledge, at now: Timestamp) {
        generations = knowledge.routes
        learntAt = now
    }
}
