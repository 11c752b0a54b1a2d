extension [PendingPairing] {
    /// Chooses the pairing to go on with: the one of the server that is named, else the only one
    /// whose code is still good.
    ///
    /// A server that is only configured is seldom the new one: it decides among several.
    ///
    /// - Throws: `PendingPairingError` when there is none, or when several wait and none was named.
    package func chosen(
        naming word: String?, isConfigured: Bool, in known: ServerList, at now: Timestamp
    ) throws(PendingPairingError) -> PendingPairing {
        let alive = filter { $0.expiresAt > now }
        var candidates = alive.isEmpty ? self : alive
        if let word {
            let meant = filter { $0.isWith(word, in: known) }
            if !isConfigured || !meant.isEmpty { candidates = meant }
        }
        guard let pairing = candidates.first else {
            throw isEmpty ? .none : .noneWith(word ?? "", waiting: names)
        }
        guard candidates.count == 1 else { throw .several(candidates.names) }
        return pairing
    }

    /// Their servers in a sentence.
    private var names: String {
        map { "\($0.server.name) (\($0.address))" }.joined(separator: ", ")
    }
}

/// Why no pairing can be gone on with.
package enum PendingPairingError: Error, Hashable, Sendable {
    /// No pairing waits.
    case none
    /// No pairing with the server of this name waits, but those with others.
    case noneWith(String, waiting: String)
    /// Pairings with several servers wait.
    case several(String)
}

extension PendingPairingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "no pairing is waiting"
        case .noneWith(let server, _): "no pairing with '\(server)' is waiting"
        case .several(let servers): "several pairings wait: \(servers)"
        }
    }
}

extension PendingPairing {
    /// The address of the server.
    package var address: String { server.endpoints.first?.address ?? "" }

    /// Whether a name, an id or a URL means the server of the pairing.
    fileprivate func isWith(_ word: String, in known: ServerList) -> Bool {
        if case .found(let record) = known.find(word),
            record.id == server.id || record.endpoints.contains(where: { $0.leads(to: address) })
        {
            return true
        }
        return server.name.lowercased() == word.lowercased() || server.id.text == word
            || server.endpoints.contains { $0.leads(to: word) }
    }
}
