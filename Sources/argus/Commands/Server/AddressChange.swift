import ArgusKit

/// The addresses of one kind that a server is to have, in the place of those it has.
struct AddressChange: Sendable {
    let kind: Endpoint.Kind
    /// All of them, in their order.
    private(set) var endpoints: [Endpoint] = []
    /// The addresses of those that are set anew.
    private var new: Set<String> = []
    /// What addresses lose by it, in sentences.
    private(set) var losses: [String] = []

    /// Plans changes; no words are none, and an empty word is to have no way of the kind.
    ///
    /// An address that the server has stays as it is. Where none is new, a fingerprint is for those
    /// that are held to it already; else it and the files are for all, if they are just what the
    /// server has of their kind.
    ///
    /// - Throws: `Failure` 2 for a fingerprint or a file that is for none of the addresses.
    static func all(
        _ words: [(kind: Endpoint.Kind, addresses: [String])], of record: ServerRecord,
        _ fingerprint: Fingerprint?, in context: Context
    ) async throws(Failure) -> [AddressChange] {
        var plans: [(change: AddressChange, addresses: [ServerAddress])] = []
        for (kind, words) in words where !words.isEmpty {
            var addresses: [ServerAddress] = []
            for word in words where !word.isEmpty {
                let address = try context.parse(word)
                if !addresses.contains(address) { addresses.append(address) }
            }
            plans.append((AddressChange(kind: kind), addresses))
        }
        let option = context.optionForNewAddress(fingerprint)
        let hasNew = plans.contains { plan in
            plan.addresses.contains { record.endpoint(plan.change.kind, to: $0) == nil }
        }
        let isHeld = plans.contains { plan in
            plan.addresses.contains { address in
                record.endpoint(plan.change.kind, to: address)?.isHeld(to: fingerprint) == true
            }
        }
        var changes: [AddressChange] = []
        for (plan, addresses) in plans {
            var change = plan
            let isTheSame =
                addresses.count == record.endpoints.count { $0.kind == change.kind }
            for address in addresses {
                let known = record.endpoint(change.kind, to: address)
                let isMeant = isHeld ? known?.isHeld(to: fingerprint) == true : isTheSame
                if let known, hasNew || option == nil || !isMeant {
                    change.endpoints.append(known)
                } else {
                    let endpoint = try await context.proved(
                        change.kind, address, fingerprint, of: record, insteadOf: known)
                    change.endpoints.append(endpoint)
                    change.new.insert(endpoint.address)
                    if let known { change.losses += known.losses(to: endpoint) }
                }
            }
            changes.append(change)
        }
        if let option, !changes.isEmpty, changes.allSatisfy(\.new.isEmpty) {
            throw Failure(
                .usage, "\(option) is for a new address, and none is new",
                hint: "name all that '\(record.name)' has of that kind to set them anew")
        }
        return changes
    }

    private init(kind: Endpoint.Kind) {
        self.kind = kind
    }

    /// Gives a record these addresses; those that it keeps are as it has them by now.
    func apply(to record: inout ServerRecord) {
        let present = record.endpoints.filter { $0.kind == kind }
        let set = endpoints.map { endpoint in
            new.contains(endpoint.address)
                ? endpoint : present.first { $0.leads(to: endpoint.address) } ?? endpoint
        }
        record.set(set, of: kind)
    }

    /// What it means for the server, in words that follow its name.
    var words: String {
        if endpoints.isEmpty {
            return kind == .relay ? "has no relay any more" : "has no local address any more"
        }
        return "is reached by "
            + endpoints.map { "\(kind.rawValue) \($0.address)" }.joined(separator: ", ")
    }
}

extension ServerRecord {
    /// The record after changes of its addresses.
    ///
    /// - Throws: `Failure` 2 where no address would be left, or one would be local and a relay.
    func changed(by changes: [AddressChange]) throws(Failure) -> ServerRecord {
        var record = self
        for change in changes { change.apply(to: &record) }
        guard !record.endpoints.isEmpty else {
            throw Failure(
                .usage, "'\(name)' would have no address left",
                hint: "'argus server remove \(name)' forgets it")
        }
        let locals = record.endpoints.filter { $0.kind == .local }
        for relay in record.endpoints where relay.kind == .relay {
            guard !locals.contains(where: { $0.leads(to: relay.address) }) else {
                throw Failure(.usage, "\(relay.address) cannot be both local and a relay")
            }
        }
        return record
    }

    /// The way of a kind that leads to an address.
    fileprivate func endpoint(_ kind: Endpoint.Kind, to address: ServerAddress) -> Endpoint? {
        endpoints.first { $0.kind == kind && $0.leads(to: address.description) }
    }

    /// Puts ways in the place of those of a kind; the local ones stand first.
    fileprivate mutating func set(_ new: [Endpoint], of kind: Endpoint.Kind) {
        let others = endpoints.filter { $0.kind != kind }
        endpoints = kind == .local ? new + others : others + new
    }
}

extension Endpoint {
    /// Whether the certificate of this fingerprint is what it must show.
    fileprivate func isHeld(to fingerprint: Fingerprint?) -> Bool {
        guard let fingerprint, case .pin = proof else { return false }
        return self.fingerprint == fingerprint.certificate
    }

    /// What it loses when another way takes its place, in sentences.
    fileprivate func losses(to endpoint: Endpoint) -> [String] {
        var losses: [String] = []
        if proof != endpoint.proof || authorities != endpoint.authorities {
            losses.append("what \(kind.rawValue) \(address) had to prove is replaced")
        }
        if certificate != nil, certificate != endpoint.certificate || key != endpoint.key {
            let what = endpoint.certificate == nil ? "forgotten" : "replaced"
            losses.append("the client certificate for \(kind.rawValue) \(address) is \(what)")
        }
        return losses
    }
}

extension Context {
    /// Changes the addresses of a known server, as another process may have left it by now.
    ///
    /// - Throws: `Failure` 2 as `changed(by:)` does, and where there is no such server any more.
    func change(
        _ id: ServerID, by changes: [AddressChange]
    ) async throws(Failure) -> ServerRecord {
        let result = try await changeServers {
            list throws(ServerListError) -> Result<ServerRecord, Failure> in
            guard let present = list[id] else { throw ServerListError.unknown(id) }
            let result: Result<ServerRecord, Failure> = Result { () throws(Failure) in
                try present.changed(by: changes)
            }
            if case .success(let changed) = result { try list.change(id) { $0 = changed } }
            return result
        }
        return try result.get()
    }

    /// What the person gave that is for new addresses, in words; nil without.
    fileprivate func optionForNewAddress(_ fingerprint: Fingerprint?) -> String? {
        if fingerprint != nil { return "the fingerprint" }
        if globals.authorities != nil { return "the file of --cacert" }
        return globals.certificate != nil || globals.key != nil ? "the file of --cert" : nil
    }

    /// A new way with its proof; only a fingerprint makes argus connect.
    ///
    /// A client certificate says nothing of what the server must prove: a known way then keeps it.
    fileprivate func proved(
        _ kind: Endpoint.Kind, _ address: ServerAddress, _ fingerprint: Fingerprint?,
        of record: ServerRecord, insteadOf known: Endpoint?
    ) async throws(Failure) -> Endpoint {
        guard kind == .local || address.origin.scheme == .https else {
            throw Failure(
                .identity, "a relay is reached over https only, not by \(address)",
                reason: "plain_http")
        }
        try check(address, record.plainHTTPAllowances)
        var endpoint = newEndpoint(kind, address)
        if let known, fingerprint == nil, globals.authorities == nil {
            (endpoint.proof, endpoint.fingerprint) = (known.proof, known.fingerprint)
            endpoint.authorities = known.authorities
        }
        if endpoint.proof != .plain { rememberFiles(for: &endpoint) }
        guard let fingerprint else { return endpoint }
        guard endpoint.proof != .plain else {
            throw Failure(.usage, "--fingerprint needs an address with https")
        }
        let unverified = UnverifiedServer(
            name: record.name, client: try client(for: address, by: endpoint), endpoint: endpoint)
        do throws(Failure) {
            let seen = try await certificate(of: unverified, showing: fingerprint.certificate)
            return trusting(seen, unverified).endpoint
        } catch {
            var failure = error
            failure.message = "\(kind.rawValue) \(address): \(error.message)"
            throw failure
        }
    }
}
