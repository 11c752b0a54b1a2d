import ArgusCore
package import ArgusEvents
import ArgusTransport

// The servers of an archive.
extension Archive {
    /// The events by which a server is recognised; some, or for a while all, may have been deleted.
    private static let probes = 3

    /// The server of a record, which is added if it is new and may be.
    ///
    /// A record that was made again, or on another machine, is known by its name and address, and a
    /// server that is reached at another address by one of its events, and later by that record too.
    /// - Throws: `ArchiveError`; `.unknownServer` for one that may not be added.
    package func server(
        record: String, name: String, address: String, from service: EventService,
        mayAdd: Bool = true
    ) async throws(ArchiveError) -> Server {
        if let known = try known(record, name, address) { return known }
        for server in try servers() {
            let events = try newestEvents(of: server)
            let isSame = try await rethrowing(
                awaiting: try await Self.lists(service, anyOf: events), as: ArchiveError.api)
            guard isSame else { continue }
            // Its name and address stay those of the first record.
            try database.run(
                "INSERT INTO alias (record, server) VALUES (?, ?)", .text(record),
                SQLiteValue(server.number))
            return server
        }
        guard mayAdd else { throw .unknownServer(name) }
        try database.run(
            "INSERT INTO server (record, name, address) VALUES (?, ?, ?)", .text(record),
            .text(name), .text(address))
        return Server(number: database.lastNumber, record: record, name: name, address: address)
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

    private func newestEvents(
        of server: Server
    ) throws(ArchiveError) -> [(id: String, time: Timestamp)] {
        try database.rows(
            """
            SELECT id, timestamp FROM event
            WHERE +server = ? AND timestamp IS NOT NULL
            ORDER BY timestamp DESC LIMIT \(Self.probes)
            """, [SQLiteValue(server.number)]
        ) { row in
            guard let id = row.text(0), let time = row.time(1) else { return nil }
            return (id, time)
        }
    }

    /// Returns true if a server lists one of these events at its time.
    ///
    /// The ids are not sent, so that only a server that has the events can name them.
    private static func lists(
        _ service: EventService, anyOf events: [(id: String, time: Timestamp)]
    ) async throws(APIError) -> Bool {
        for (id, time) in events {
            var filter = EventFilter()
            (filter.since, filter.until) = (time.before, time.after)
            let rows = try await service.list(filter, wanted: nil) { _ in }.rest()
            if rows.contains(where: { $0.id == id && $0.timestamp == time }) { return true }
        }
        return false
    }
}
