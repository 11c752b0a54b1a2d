import ArgusKit

// What the access gateways before a server's relays want to see, each its own.
extension Context {
    /// The header fields on stdin for the relays that a server is to have.
    ///
    /// - Throws: `Failure` 2 for what is none, or where it is not clear which relay is meant.
    func relayHeadersFromStdin(
        of name: String, for relays: Set<Origin>
    ) throws(Failure) -> RelayHeaders {
        guard let first = relays.min(by: { $0.description < $1.description }) else {
            throw Failure(.usage, "'\(name)' has no relay; give --relay too")
        }
        let text = try secretFromStdin(.lines)
        guard let headers = RelayHeaders(parsing: text.reveal()) else {
            throw Failure(
                .usage, "standard input does not hold header fields that may be set",
                hint: "a line each, such as 'CF-Access-Client-Id: …'")
        }
        if let stranger = headers.relays.subtracting(relays).first {
            throw Failure(.usage, "'\(stranger)' is no relay of '\(name)'")
        }
        guard !headers.isAmbiguous || relays.count == 1 else {
            throw Failure(
                .usage, "'\(name)' has several relays, and header fields are for one",
                hint: "put a line '[\(first)]' before the fields that this relay is sent")
        }
        return headers.meaning(relays)
    }

    /// Changes the relays of a record, and keeps new header fields and those of relays that stay.
    ///
    /// Fields are for the relay they were given for: another one never inherits them. Those of a
    /// relay that goes are forgotten after the record has changed: whatever fails on the way, no
    /// relay of the record is without its fields.
    func changeRelays(
        of record: ServerRecord, to relays: Set<Origin>, sending new: RelayHeaders?,
        _ change: () async throws(Failure) -> ServerRecord
    ) async throws(Failure) -> ServerRecord {
        guard new != nil || record.relays != relays else { return try await change() }
        let gone = record.relays.subtracting(relays)
        return try await secrets.locks.withSessionLock(record.id) { () async throws(Failure) in
            var headers: RelayHeaders
            do throws(CredentialStoreError) {
                headers = try await addRelayHeaders(new, of: record, for: relays)
            } catch {
                throw Failure(error)
            }
            let changed = try await change()
            let forgotten = gone.subtracting(changed.relays).filter { !headers[$0].isEmpty }
            guard !forgotten.isEmpty else { return changed }
            headers.keep(only: changed.relays)
            do throws(CredentialStoreError) {
                try await secrets.store(of: record).keep(headers, of: record.id)
            } catch {
                throw Failure(error)
            }
            for relay in forgotten { notice("the header fields for \(relay) are forgotten") }
            return changed
        }
    }

    /// Keeps header fields for the relays that a record has and for those that it is to have.
    private func addRelayHeaders(
        _ new: RelayHeaders?, of record: ServerRecord, for relays: Set<Origin>
    ) async throws(CredentialStoreError) -> RelayHeaders {
        let store = secrets.store(of: record)
        var kept = RelayHeaders()
        do throws(CredentialStoreError) {
            kept = try await store.relayHeaders(of: record.id)
        } catch {
            // What nobody can read any more gives way to new fields.
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

extension CredentialStoreError {
    /// Whether what was kept cannot be read again, whoever asks.
    fileprivate var isLoss: Bool {
        switch self {
        case .damaged, .senseless, .wrongKey, .otherMachine: true
        default: false
        }
    }
}
