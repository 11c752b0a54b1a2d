import ArgusKit

/// The addresses of one kind that a server is to have, in the place of those it has.
struct AddressChange: Sendable {
    let kind: ServerWay.Kind
    /// All of them, in their order.
    private(set) var ways: [ServerWay] = []
    /// The addresses of those that are set anew.
    private var new: Set<String> = []

    /// Plans a change; nil where the person named no address of this kind, and no way at all for an
    /// empty word.
    ///
    /// An address that the server has and keeps stays as it is, with what it must prove. Where the
    /// words are just what the server has, all of them are set anew.
    init?(
        _ kind: ServerWay.Kind, _ words: [String], of record: ServerRecord,
        _ fingerprint: Fingerprint?,
        in context: Context
    ) async throws(Failure) {
        guard !words.isEmpty else { return nil }
        self.kind = kind
        var addresses: [ServerAddress] = []
        for word in words where !word.isEmpty {
            let address = try context.parse(word)
            if !addresses.contains(address) { addresses.append(address) }
        }
        let present = record.ways.filter { $0.kind == kind }
        let isTheSame = present.map(\.address) == addresses.map(\.description)
        for address in addresses {
            let known = present.first { $0.leads(to: address.description) }
            if let known, !isTheSame {
                ways.append(known)
            } else {
                let way = try await context.proved(kind, address, fingerprint, of: record)
                ways.append(way)
                new.insert(way.address)
            }
        }
        if fingerprint != nil, new.isEmpty {
            throw Failure(.usage, "the fingerprint is for a new address, and none is new")
        }
    }

    /// Gives a record these addresses; those that it keeps are as it has them by now.
    func apply(to record: inout ServerRecord) {
        let present = record.ways.filter { $0.kind == kind }
        let set = ways.map { way in
            new.contains(way.address)
                ? way : present.first { $0.leads(to: way.address) } ?? way
        }
        record.set(set, of: kind)
    }

    /// What it means for the server, in words that follow its name.
    var words: String {
        if ways.isEmpty {
            return kind == .relay ? "has no relay any more" : "has no local address any more"
        }
        return "is reached by "
            + ways.map { "\(kind.rawValue) \($0.address)" }.joined(separator: ", ")
    }
}

extension ServerRecord {
    /// The record after changes of its addresses.
    ///
    /// - Throws: `Failure` 2 where no address would be left, or one would be local and a relay.
    func changed(by changes: [AddressChange]) throws(Failure) -> ServerRecord {
        var record = self
        for change in changes { change.apply(to: &record) }
        guard !record.ways.isEmpty else {
            throw Failure(
                .usage, "'\(name)' would have no address left",
                hint: "'argus server remove \(name)' forgets it")
        }
        let locals = record.ways.filter { $0.kind == .local }
        for relay in record.ways where relay.kind == .relay {
            guard !locals.contains(where: { $0.leads(to: relay.address) }) else {
                throw Failure(.usage, "\(relay.address) cannot be both local and a relay")
            }
        }
        return record
    }

    /// Puts ways in the place of those of a kind; the local ones stand first.
    fileprivate mutating func set(_ new: [ServerWay], of kind: ServerWay.Kind) {
        let others = ways.filter { $0.kind != kind }
        ways = kind == .local ? new + others : others + new
    }
}

extension Context {
    /// A new way with its proof; only a fingerprint makes argus connect.
    fileprivate func proved(
        _ kind: ServerWay.Kind, _ address: ServerAddress, _ fingerprint: Fingerprint?,
        of record: ServerRecord
    ) async throws(Failure) -> ServerWay {
        guard kind == .local || address.origin.scheme == .https else {
            throw Failure(
                .identity, "a relay is reached over https only, not by \(address)",
                reason: "plain_http")
        }
        try check(address, record.plainHTTPAllowances)
        var way = newWay(kind, address)
        if way.proof != .plain { rememberFiles(for: &way) }
        guard let fingerprint else { return way }
        guard way.proof != .plain else {
            throw Failure(.usage, "--fingerprint needs an address with https")
        }
        let newcomer = Newcomer(
            name: record.name, client: try client(for: address, by: way), way: way)
        do throws(Failure) {
            let seen = try await certificate(of: newcomer, showing: fingerprint.certificate)
            return trusting(seen, newcomer).way
        } catch {
            var failure = error
            failure.message = "\(kind.rawValue) \(address): \(error.message)"
            throw failure
        }
    }
}
