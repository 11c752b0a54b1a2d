package import ArgusCore

extension RelayHeaders {
    /// Parses the header fields that a user gives for relays of a server, at least one.
    ///
    /// - Throws: `ServerError`.
    package init(
        parsing text: String, for relays: Set<Origin>, of server: String
    ) throws(ServerError) {
        guard let headers = RelayHeaders(parsing: text) else { throw .malformedHeaders }
        if let stranger = headers.relays.subtracting(relays).first {
            throw .otherRelay(stranger, server: server)
        }
        guard !headers.isAmbiguous || relays.count == 1 else {
            throw .ambiguousHeaders(server: server, relay: relays.map(\.description).min() ?? "")
        }
        self = headers.meaning(relays)
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
                awaiting: await addRelayHeaders(new, of: record, for: relays),
                as: ServerError.account)
            let changed = try await directory.change(record.id, by: changes)
            let forgotten = record.relays.subtracting(relays).subtracting(changed.relays)
                .filter { !headers[$0].isEmpty }
            guard !forgotten.isEmpty else { return (changed, []) }
            headers.removeAll(except: changed.relays)
            try await rethrowing(
                awaiting: await store(of: record).keep(headers, of: record.id),
                as: ServerError.account)
            return (changed, Array(forgotten))
        }
    }

    /// Stores header fields for the present and the future relays of a record.
    private func addRelayHeaders(
        _ new: RelayHeaders?, of record: ServerRecord, for relays: Set<Origin>
    ) async throws(AccountError) -> RelayHeaders {
        let store = store(of: record)
        var kept = RelayHeaders()
        do throws(AccountError) {
            kept = try await store.relayHeaders(of: record.id)
        } catch {
            // New fields replace those that are unreadable for good.
            guard new != nil, error.isLoss else { throw error }
        }
        var headers = kept.meaning(record.relays)
        guard new != nil || !kept.isEmpty else { return headers }
        if let new { headers.replace(with: new) }
        headers.removeAll(except: record.relays.union(relays))
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
            awaiting: await update { list throws(AccountError) in
                guard let present = list[id] else { throw .unknownServer(id) }
                let result = Result { () throws(ServerError) in try present.changed(by: changes) }
                if case .success(let changed) = result { try list.change(id) { $0 = changed } }
                return result
            }, as: ServerError.account)
        return try result.get()
    }
}
