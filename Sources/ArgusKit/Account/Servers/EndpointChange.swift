import ArgusCore
package import ArgusTransport

/// A replacement of a server's endpoints of one kind.
package struct EndpointChange: Sendable {
    package let kind: Endpoint.Kind
    /// All endpoints after the change, in order.
    package private(set) var endpoints: [Endpoint] = []
    /// The addresses of new endpoints.
    private var new: Set<String> = []
    /// The lost properties of addresses, in sentences.
    package private(set) var losses: [String] = []

    /// Plans the change of a server's endpoints; no words change nothing, and an empty word removes
    /// all endpoints of the kind.
    ///
    /// A known address stays as it is. If none is new, a fingerprint applies to those that are pinned
    /// to it already; else it and the files apply to all, if these are exactly the known addresses of
    /// their kind.
    ///
    /// - Throws: `ServerError`, also for a fingerprint or a file that applies to none.
    package static func plan(
        _ words: [(kind: Endpoint.Kind, addresses: [String])], of record: ServerRecord,
        showing fingerprint: CertificateFingerprint?, by connector: ServerConnector
    ) async throws(ServerError) -> [EndpointChange] {
        var plans: [(change: EndpointChange, addresses: [ServerAddress])] = []
        for (kind, words) in words where !words.isEmpty {
            let addresses = try words.filter { !$0.isEmpty }.map(connector.parse)
            plans.append((EndpointChange(kind: kind), addresses.distinct))
        }
        let option = fingerprint == nil ? connector.options.files.option : "the fingerprint"
        let known = plans.flatMap { plan in
            plan.addresses.map { record.endpoint(plan.change.kind, to: $0) }
        }
        let hasNew = known.contains(nil)
        let isHeld = known.contains { $0?.isHeld(to: fingerprint) == true }
        var changes: [EndpointChange] = []
        for (plan, addresses) in plans {
            var change = plan
            let isTheSame = addresses.count == record.endpoints.count { $0.kind == change.kind }
            for address in addresses {
                let known = record.endpoint(change.kind, to: address)
                let isMeant = isHeld ? known?.isHeld(to: fingerprint) == true : isTheSame
                if let known, hasNew || option == nil || !isMeant {
                    change.endpoints.append(known)
                    continue
                }
                let endpoint = try await connector.endpoint(
                    change.kind, address, of: record, replacing: known, showing: fingerprint)
                change.endpoints.append(endpoint)
                change.new.insert(endpoint.address)
                if let known { change.losses += known.losses(to: endpoint) }
            }
            changes.append(change)
        }
        if let option, !changes.isEmpty, changes.allSatisfy(\.new.isEmpty) {
            throw .nothingNew(option: option, server: record.name)
        }
        return changes
    }

    /// The endpoints that are replaced.
    package var newEndpoints: [Endpoint] { endpoints.filter { new.contains($0.address) } }

    /// Replaces the endpoints of a record, local ones first; known ones keep their present state.
    fileprivate func apply(to record: inout ServerRecord) {
        let present = record.endpoints.filter { $0.kind == kind }
        let others = record.endpoints.filter { $0.kind != kind }
        let set = endpoints.map { endpoint in
            new.contains(endpoint.address)
                ? endpoint : present.first { $0.hasAddress(endpoint.address) } ?? endpoint
        }
        record.endpoints = kind == .local ? set + others : others + set
    }

    /// The change, worded to follow the server's name.
    package var words: String {
        if endpoints.isEmpty {
            return kind == .relay ? "no longer has a relay" : "no longer has a local address"
        }
        return "is reached by "
            + endpoints.map { "\(kind.rawValue) \($0.address)" }.joined(separator: ", ")
    }
}

extension ServerRecord {
    /// Returns the record after changes of its endpoints.
    ///
    /// - Throws: `ServerError` if no address would be left, or one would be both local and a relay.
    package func changed(by changes: [EndpointChange]) throws(ServerError) -> ServerRecord {
        var record = self
        for change in changes { change.apply(to: &record) }
        guard !record.endpoints.isEmpty else { throw .noAddressLeft(server: name) }
        let locals = record.endpoints.filter { $0.kind == .local }
        for relay in record.endpoints where relay.kind == .relay {
            guard !locals.contains(where: { $0.hasAddress(relay.address) }) else {
                throw .localAndRelay(relay.address)
            }
        }
        return record
    }

    fileprivate func endpoint(_ kind: Endpoint.Kind, to address: ServerAddress) -> Endpoint? {
        endpoints.first { $0.kind == kind && $0.hasAddress(address.description) }
    }
}

extension Endpoint {
    /// True if it is pinned to the certificate with this fingerprint.
    fileprivate func isHeld(to fingerprint: CertificateFingerprint?) -> Bool {
        guard let fingerprint, case .pin = proof else { return false }
        return self.fingerprint == fingerprint
    }

    /// The properties that are lost with another endpoint in its place, in sentences.
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

extension TLSFiles {
    /// The option for new endpoints, in words; nil if none was given.
    fileprivate var option: String? {
        if authorities != nil { return "the file of --cacert" }
        return certificate != nil || key != nil ? "the file of --cert" : nil
    }
}
