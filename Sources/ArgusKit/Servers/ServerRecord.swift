/// What argus keeps about one account on one server; it holds no secret.
package struct ServerRecord: Hashable, Sendable, Identifiable {
    package var id: ServerID
    /// What the person calls it: unique, `[A-Za-z0-9._-]`, at most 64 characters.
    package var name: String
    /// The addresses by which it is reached, in the order of preference.
    package var endpoints: [Endpoint]
    /// Where `login --insecure-http` allowed plain http.
    package var plainHTTPAllowances: [PlainHTTPAllowance] = []
    package var account: ServerAccount?
    /// Where its secrets are, and nowhere else.
    package var credentialStore = CredentialStoreKind.file
    package var knowledge = ServerKnowledge()
    /// The server's clock less ours, learnt from its `Date`.
    package var clockOffset: Duration?
    package var addedAt: Timestamp
    /// Members that a newer argus wrote, kept as they are.
    package var others: [String: JSONValue] = [:]

    package init(id: ServerID = .random(), name: String, endpoints: [Endpoint], addedAt: Timestamp)
    {
        self.id = id
        self.name = name
        self.endpoints = endpoints
        self.addedAt = addedAt
    }

    /// The origins of its relays, which alone may see the header fields that are kept for them.
    package var relays: Set<Origin> {
        Set(endpoints.lazy.filter { $0.kind == .relay }.compactMap(\.origin))
    }

    /// Whether it has this name, in any case.
    package func isCalled(_ name: String) -> Bool { self.name.lowercased() == name.lowercased() }

    /// Replaces the endpoints of an address; each stays local or relay.
    package mutating func replace(_ endpoint: Endpoint) {
        for index in endpoints.indices where endpoints[index].leads(to: endpoint.address) {
            let kind = endpoints[index].kind
            endpoints[index] = endpoint
            endpoints[index].kind = kind
        }
    }

    /// Takes over the proof that another record's endpoint asks for at the same address; the client
    /// certificate stays this record's own.
    package mutating func trust(_ endpoint: Endpoint) {
        for index in endpoints.indices where endpoints[index].leads(to: endpoint.address) {
            endpoints[index].proof = endpoint.proof
            endpoints[index].fingerprint = endpoint.fingerprint
            if endpoint.proof == .publicCertificate {
                endpoints[index].authorities = endpoint.authorities
            }
        }
    }
}

/// The stable name of a record in state files: 8 characters of `[a-z2-7]`.
package struct ServerID: Hashable, Sendable {
    package let text: String

    /// Accepts 4 to 64 characters of `[a-z0-9]`, so that an id is always a safe file name.
    package init?(_ text: String) {
        guard (4...64).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) })
        else { return nil }
        self.text = text
    }

    /// Makes a new id of 40 random bits.
    package static func random() -> ServerID {
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
        var text = ""
        for _ in 0..<8 { text.append(letters[Int.random(in: 0..<letters.count)]) }
        return ServerID(unchecked: text)
    }

    /// What stands in the place of a server for secrets that belong to none; longer than any made.
    package static let none = ServerID(unchecked: "no0server0yet")

    private init(unchecked text: String) { self.text = text }
}

/// One way to a server: an address and what must be proved there (contract section 7.2).
package struct Endpoint: Hashable, Sendable {
    /// Whether the way leads through the home network or through a relay.
    package enum Kind: String, Hashable, Sendable { case local, relay }

    package var kind: Kind
    /// The URL as text without a slash at its end, such as `https://home.example:8443`.
    package var address: String
    package var proof: EndpointProof
    /// The fingerprint of the certificate that the pin was taken from, shown when it changes.
    package var fingerprint: CertificateFingerprint?
    /// The file of authorities that `--cacert` named for this way, an absolute path.
    package var authorities: String?
    /// The file of the client certificate that `--cert` named for this way, an absolute path.
    package var certificate: String?
    /// The file of its key, where `--key` named one.
    package var key: String?
    package var others: [String: JSONValue] = [:]

    package init(_ kind: Kind, _ address: String, proof: EndpointProof) {
        self.kind = kind
        self.address = address
        self.proof = proof
    }

    /// Makes a new endpoint; https asks for the public certificate.
    package init(_ kind: Kind, _ address: ServerAddress) {
        self.init(
            kind, address.description,
            proof: address.origin.scheme == .http ? .plain : .publicCertificate)
    }

    /// Scheme, host and port of the address; nil when it is no http or https URL.
    package var origin: Origin? { (try? ServerAddress(parsing: address))?.origin }

    /// Whether an address leads where this way leads.
    package func leads(to address: String) -> Bool {
        guard let wanted = try? ServerAddress(parsing: address) else { return false }
        return wanted == (try? ServerAddress(parsing: self.address))
    }
}

/// The endpoints that a run may use, and the kind of the one in use.
package enum Via: String, CaseIterable, Sendable {
    case auto, local, relay
}

/// What the far end of a way must prove; written as `public`, `pin:BASE64` or `plain`.
package enum EndpointProof: Hashable, Sendable {
    /// The public certificate of the host name that was typed.
    case publicCertificate
    /// A certificate with this SPKI pin: SHA-256, base64.
    case pin(String)
    /// Nothing: plain http, as far as `PlainHTTPRule` allows it.
    case plain

    /// The proof as a state file has it.
    package var text: String {
        switch self {
        case .publicCertificate: "public"
        case .pin(let digest): "pin:" + digest
        case .plain: "plain"
        }
    }

    /// Reads a proof as `text` writes it; an unknown word is nil, never a weaker proof.
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

/// Where plain http was allowed: an origin, and for private addresses the network it was said on.
package struct PlainHTTPAllowance: Hashable, Sendable {
    package var origin: Origin
    /// The MAC address of the gateway of that network, `aa:bb:cc:dd:ee:ff`.
    package var gatewayMAC: String?

    package init(origin: Origin, gatewayMAC: String?) {
        self.origin = origin
        self.gatewayMAC = gatewayMAC
    }
}

/// The account of a record, and how it signed in.
package struct ServerAccount: Hashable, Sendable {
    /// The kind of credential that is kept for it.
    package enum Kind: String, Hashable, Sendable {
        case password, token, pairing
        case apiKey = "api_key"
    }

    package var kind: Kind
    package var username: String?
    package var userID: String?
    /// When the pairing was begun that the account came from; nil for another kind.
    package var pairedAt: Timestamp?
    package var others: [String: JSONValue] = [:]

    package init(kind: Kind, username: String? = nil, userID: String? = nil) {
        self.kind = kind
        self.username = username
        self.userID = userID
    }
}

/// What argus has learnt about a server's API, to be learnt again on a surprise or after 7 days.
package struct ServerKnowledge: Hashable, Sendable {
    /// The generation of each operation that worked, such as `events.list` → `current`.
    package var generations: [String: String] = [:]
    package var serverVersion: String?
    package var learntAt: Timestamp?
    package var others: [String: JSONValue] = [:]

    package init() {}

    /// How long the generations are used without another look.
    private static let lifetime: Duration = .seconds(7 * 86_400)

    /// The generations that are still valid at a moment, by operation.
    package func currentGenerations(at now: Timestamp) -> [String: String] {
        guard let learntAt, now - learntAt < Self.lifetime else { return [:] }
        return generations
    }

    /// Replaces the generations by those that a run has learnt.
    package mutating func learn(_ knowledge: RouteKnowledge, at now: Timestamp) {
        generations = knowledge.routes
        learntAt = now
    }
}
