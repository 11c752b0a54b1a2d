package import ArgusCore

extension RelayHeaders {
    /// Parses the header fields that a user gives for relays of a server, at least one.
    ///
    /// - Throws: `RelayHeaderError`.
    package init(
        parsing text: String, for relays: Set<Origin>, of server: String
    ) throws(RelayHeaderError) {
        guard let headers = RelayHeaders(parsing: text) else { throw .malformed }
        if let stranger = headers.relays.subtracting(relays).first {
            throw .otherRelay(stranger, server: server)
        }
        guard !headers.isAmbiguous || relays.count == 1 else {
            throw .ambiguous(server: server, relay: relays.map(\.description).min() ?? "")
        }
        self = headers.meaning(relays)
    }
}

/// The reason why header fields cannot be those of a server's relays.
package enum RelayHeaderError: Error, Hashable, Sendable, CustomStringConvertible {
    case noRelay(server: String)
    case malformed
    case otherRelay(Origin, server: String)
    /// The server has several relays, such as this one, and some fields name none.
    case ambiguous(server: String, relay: String)

    package var description: String {
        switch self {
        case .noRelay(let server): "'\(server)' has no relay; give --relay too"
        case .malformed: "standard input does not hold header fields that may be set"
        case .otherRelay(let relay, let server): "'\(relay)' is not a relay of '\(server)'"
        case .ambiguous(let server, _):
            "'\(server)' has several relays, and header fields are for one"
        }
    }

    /// The remedy; nil if the message is sufficient.
    package var remedy: String? {
        switch self {
        case .noRelay, .otherRelay: nil
        case .malformed: "a line each, such as 'CF-Access-Client-Id: …'"
        case .ambiguous(_, let relay):
            "put a line '[\(relay)]' before the fields that this relay is sent"
        }
    }
}

extension ServerSecrets {
    /// Changes the endpoints of a server, and stores new header fields for its relays.
    ///
    /// Fields belong to the relay they were given for; another one never inherits them. Those of a
    /// removed relay are erased after the record has changed: whatever fails in between, no relay
    /// of the record is without its fields.
    ///
    /// - Returns: The record, and the relays whose fields were erased.
    /// - Throws: `ServerError`.
    package func changeEndpoints(
        of record: ServerRecord, by changes: [EndpointChange], sending new: RelayHeaders?
    ) async throws(ServerError) -> (record: ServerRecord, forgotten: [Origin]) {
        let relays = try record.changed(by: changes).relays
        guard new != nil || record.relays != relays else {
            return (try await directory.change(record.id, by: changes), [])
        }
        return try await environment.withSessionLock(record.id) { () async throws(ServerError) in
            var headers = try await rethrowing(
                awaiting: try await addRelayHeaders(new, of: record, for: relays),
                as: ServerError.store)
            let changed = try await directory.change(record.id, by: changes)
            let forgotten = record.relays.subtracting(relays).subtracting(changed.relays)
                .filter { !headers[$0].isEmpty }
            guard !forgotten.isEmpty else { return (changed, []) }
            headers.keep(only: changed.relays)
            try await rethrowing(
                awaiting: try await store(of: record).keep(headers, of: record.id),
                as: ServerError.store)
            return (changed, Array(forgotten))
        }
    }

    /// Stores header fields for the present and the future relays of a record.
    private func addRelayHeaders(
        _ new: RelayHeaders?, of record: ServerRecord, for relays: Set<Origin>
    ) async throws(CredentialStoreError) -> RelayHeaders {
        let store = store(of: record)
        var kept = RelayHeaders()
        do throws(CredentialStoreError) {
            kept = try await store.relayHeaders(of: record.id)
        } catch {
            // New fields replace those that are unreadable for good.
            guard new != nil, error.isLoss else { throw error }
        }
        var headers = kept.meaning(record.relays)
        guard new != nil || !kept.isEmpty else { return headers }
        if let new { headers.replace(with: new) }
        headers.keep(only: record.relays.union(relays))
        try await store.keep(headers, of: record.id)
        return headers
    }
}

extension ServerDirectory {
    /// Changes the endpoints of a record, as another process may have left it by now.
    fileprivate func change(
        _ id: ServerID, by changes: [EndpointChange]
    ) async throws(ServerError) -> ServerRecord {
        let result = try await rethrowing(
            awaiting: try await update { list throws(ServerListError) in
                guard let present = list[id] else { throw ServerListError.unknown(id) }
                let result = Result { () throws(ServerError) in try present.changed(by: changes) }
                if case .success(let changed) = result { try list.change(id) { $0 = changed } }
                return result
            }, as: ServerError.directory)
        return try result.get()
    }
}
