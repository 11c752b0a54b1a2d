package import ArgusCore

extension [PendingPairing] {
    /// Selects the pairing to resume: that with the named server, else the only one whose code is
    /// valid.
    ///
    /// A configured server only decides among several, since it is seldom the new one.
    ///
    /// - Throws: `AccountError` if there is none, or if several wait and none was named.
    package func chosen(
        naming server: Precedence.Resolved?, in known: ServerList, at now: Timestamp
    ) throws(AccountError) -> PendingPairing {
        let alive = filter { $0.expiresAt > now }
        var candidates = alive.isEmpty ? self : alive
        if let server {
            let isConfigured = if case .configuration = server.origin { true } else { false }
            let meant = filter { $0.isWith(server.text, in: known) }
            if !isConfigured || !meant.isEmpty { candidates = meant }
        }
        guard let pairing = candidates.first else {
            throw isEmpty
                ? .nothingPending : .notPending(server: server?.text ?? "", waiting: names)
        }
        guard candidates.count == 1 else { throw .severalPending(candidates.names) }
        return pairing
    }

    /// Their servers as a clause.
    private var names: String {
        map { "\($0.server.name) (\($0.address))" }.joined(separator: ", ")
    }
}

extension PendingPairing {
    /// The address of the server.
    package var address: String { server.endpoints.first?.address ?? "" }

    /// True if a name, an id or a URL is that of the pairing's server.
    fileprivate func isWith(_ word: String, in known: ServerList) -> Bool {
        if let record = known.find(word).only,
            record.id == server.id || record.endpoints.contains(where: { $0.hasAddress(address) })
        {
            return true
        }
        return server.name.caseFolded == word.caseFolded || server.id.text == word
            || server.endpoints.contains { $0.hasAddress(word) }
    }
}
