// The servers of an archive.
extension Archive {
    /// The events by which a server is recognised; some, or for a while all, may have been deleted.
    private static let probes = 3

    /// The server of a record, which is added if it is new and may be.
    ///
    /// A record that was made again, or on another machine, is known by its name and address, and a
    /// server that is reached at another address by one of its events, and later by that record too.
    /// - Throws: `EventArchiver.Failure`; `.unknownServer` for one that may not be added.
    package func server(
        record: String, name: String, address: String, from service: EventService,
        mayAdd: Bool = true
    ) async throws(EventArchiver.Failure) -> Server {
        typealias Failure = EventArchiver.Failure
        let known = try rethrowing(try known(record, name, address), as: Failure.archive)
        if let known { return known }
        for server in try rethrowing(try servers(), as: Failure.archive) {
            let events = try rethrowing(try newestEvents(of: server), as: Failure.archive)
            do throws(APIError) {
                guard try await service.hasAny(of: events) else { continue }
            } catch {
                throw .api(error)
            }
            try rethrowing(try remember(record, of: server), as: Failure.archive)
            return server
        }
        guard mayAdd else { throw .archive(.unknownServer(name)) }
        return try rethrowing(try add(record, name, address), as: Failure.archive)
    }

    /// The server of a record, which may have been renamed; nil if the archive knows none.
    private func known(
        _ record: String, _ name: String, _ address: String
    ) throws(ArchiveError) -> Server? {
        let servers = try servers()
        let number = try database.number(
            "SELECT server FROM alias WHERE record = ?", .text(record))
        if let server = servers.first(where: { $0.number == number }) { return server }
        let found =
            servers.first { $0.record == record }
            ?? servers.first { $0.name == name && $0.address == address }
        guard let found else { return nil }
        if found.record != record || found.name != name || found.address != address {
            try database.run(
                "UPDATE server SET record = ?, name = ?, address = ? WHERE number = ?",
                .text(record), .text(name), .text(address), SQLiteValue(found.number))
        }
        return found
    }

    /// Remembers another record of a server, whose name and address stay those of the first one.
    private func remember(_ record: String, of server: Server) throws(ArchiveError) {
        try database.run(
            "INSERT INTO alias (record, server) VALUES (?, ?)", .text(record),
            SQLiteValue(server.number))
    }

    private func add(
        _ record: String, _ name: String, _ address: String
    ) throws(ArchiveError) -> Server {
        try database.run(
            "INSERT INTO server (record, name, address) VALUES (?, ?, ?)", .text(record),
            .text(name), .text(address))
        return Server(
            number: database.lastNumber, record: record, name: name, address: address)
    }

    private func newestEvents(
        of server: Server
    ) throws(ArchiveError) -> [(id: String, time: Timestamp)] {
        var found: [(id: String, time: Timestamp)] = []
        try database.forEach(
            """
            SELECT id, timestamp FROM event
            WHERE +server = ? AND timestamp IS NOT NULL
            ORDER BY timestamp DESC LIMIT \(Self.probes)
            """, [SQLiteValue(server.number)]
        ) { row throws(ArchiveError) in
            guard let id = row.text(0), let time = row.int(1) else { return }
            found.append((id, Timestamp(microseconds: Int64(time))))
        }
        return found
    }
}

extension EventService {
    /// Returns true if the server lists one of these events at its time.
    ///
    /// The ids are not sent, so that only a server that has the events can name them.
    /// - Throws: `APIError`.
    fileprivate func hasAny(
        of events: [(id: String, time: Timestamp)]
    ) async throws(APIError) -> Bool {
        for (id, time) in events {
            var filter = EventFilter()
            (filter.since, filter.until) = (time.before, time.after)
            let rows = try await list(filter, wanted: nil) { _ in }.rest()
            if rows.contains(where: { $0.id == id && $0.timestamp == time }) { return true }
        }
        return false
    }
}
