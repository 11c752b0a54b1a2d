/// Copies the events of a server, and their pictures, to an archive.
package struct EventArchiver {
    /// The reason why a sync ended early; what it has stored until then is kept.
    package enum Failure: Error, Sendable {
        case archive(ArchiveError)
        case api(APIError)
    }

    /// A step of a running sync that a person may want to see.
    package enum Notice: Sendable {
        /// The server is asked again after so long.
        case rateLimited(Duration)
        case events(Int)
        case files(Int)
        case event(EventNotice)
    }

    /// The parts of a server's events that a sync copies.
    package struct Scope: Sendable, Equatable {
        /// Compares everything instead of what is new.
        package var isFull = false
        /// The time after which everything is compared again; nil for never.
        package var fullPause: Duration?
        /// Fetches the files that the archive wants.
        package var hasFiles = true
        /// Wants the frames of all events.
        package var hasFrames = false
        /// Wants the videos of all events.
        package var hasVideos = false

        package init(isFull: Bool = false) { self.isFull = isFull }
    }

    /// The time before the last sync from which the next one reads: events are stored late.
    package static let overlap = Duration.seconds(2 * 3600)

    private let archive: Archive
    private let service: EventService
    private let server: Archive.Server
    private let now: @Sendable () -> Timestamp
    private let sleep: @Sendable (Duration) async -> Void
    private let notify: @Sendable (Notice) -> Void

    /// Prepares a sync of a server that the archive knows.
    package init(
        _ archive: Archive, from service: EventService, as server: Archive.Server,
        now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async -> Void,
        notify: @escaping @Sendable (Notice) -> Void
    ) {
        (self.archive, self.service, self.server) = (archive, service, server)
        (self.now, self.sleep, self.notify) = (now, sleep, notify)
    }

    /// Reads what is new, or everything, and fetches the files that are wanted.
    ///
    /// A first sync reads everything. With rows that are no events nothing is marked as deleted, and
    /// the next sync reads the same again.
    /// - Throws: `Failure`.
    package func run(_ scope: Scope) async throws(Failure) -> ArchiveReport {
        let start = now()
        // A time ahead of the clock was noted when a clock was wrong.
        let lastSync = server.lastSync.flatMap { $0 <= start ? $0 : nil }
        let lastFull = server.lastFullSync.flatMap { $0 <= start ? $0 : nil }
        let isDue = scope.fullPause.map { pause in lastFull.map { start - $0 >= pause } ?? true }
        let since = scope.isFull || isDue ?? false ? nil : lastSync.map { $0 - Self.overlap }
        var filter = EventFilter()
        filter.since = since
        let cursor = service.list(filter, wanted: nil) { [notify] in notify(.event($0)) }
        let writer = try rethrowing(try ArchiveWriter(archive, of: server), as: Failure.archive)
        let begun: Timestamp
        do throws(Failure) {
            begun = try await copy(cursor, to: writer)
        } catch {
            // What came until then is kept.
            try store { () throws(ArchiveError) in try writer.commit() }
            throw error
        }
        try store { () throws(ArchiveError) in try writer.commit() }
        var report = writer.report
        if cursor.unreadableRows == 0 {
            try store { () throws(ArchiveError) in
                try writer.markDeleted(since: since, at: now())
                try writer.finish(begunAt: min(begun, now()), isFull: since == nil)
                archive.chooseJournal()
            }
            report = writer.report
        }
        report.unreadableRows = cursor.unreadableRows
        let media = ArchiveMedia(
            archive, from: service, of: server, now: now, sleep: sleep, notify: notify)
        try store { () throws(ArchiveError) in
            if since == nil { try media.wantAgain() }
            if scope.hasFrames { try media.want(.frames) }
            if scope.hasVideos { try media.want(.video) }
        }
        if scope.hasFiles { try await media.fetch(into: &report) }
        return report
    }

    /// Stores all pages; while one is written, the next one is prepared, and another fetched.
    /// - Returns: the start of the walk.
    private func copy(
        _ cursor: any EventCursor, to writer: ArchiveWriter
    ) async throws(Failure) -> Timestamp {
        var begun: Timestamp?
        var rows: Task<[PreparedRow], Never>?
        while true {
            var failure: Failure?
            var page: [EventRow]?
            do throws(Failure) { page = try await next(of: cursor, to: writer) } catch {
                failure = error
            }
            begun = begun ?? cursor.serverTime ?? now()
            let preparing = page.map { page in
                Task { [isFirst = writer.isFirst] in
                    page.map { PreparedRow($0, withColumns: isFirst) }
                }
            }
            if let rows = await rows?.value {
                try store { () throws(ArchiveError) in try writer.store(rows, at: now()) }
                notify(.events(rows.count))
            }
            if let failure { throw failure }
            guard let preparing else { return begun ?? now() }
            rows = preparing
        }
    }

    /// The next page, even if the server refuses more requests for now.
    private func next(
        of cursor: any EventCursor, to writer: ArchiveWriter
    ) async throws(Failure) -> [EventRow]? {
        var waits = RateLimitWaits()
        while true {
            do throws(APIError) {
                return try await cursor.next()
            } catch {
                guard let wait = waits.next(after: error) else { throw .api(error) }
                try store { () throws(ArchiveError) in try writer.commit() }
                notify(.rateLimited(wait))
                await sleep(wait)
            }
        }
    }

    private func store(_ work: () throws(ArchiveError) -> Void) throws(Failure) {
        do throws(ArchiveError) { try work() } catch { throw .archive(error) }
    }
}

/// The waits for a server that refuses more requests for now (429).
struct RateLimitWaits {
    /// The most in a row, over half an hour.
    private static let most = 40
    /// The longest wait that a server may ask for, in seconds.
    private static let longest = 900

    private var count = 0

    /// The time after which the server is asked again; nil if that makes no sense.
    mutating func next(after error: APIError) -> Duration? {
        guard error.kind == .rateLimited, count < Self.most else { return nil }
        let wanted = min(error.retryAfterSeconds ?? 15, Self.longest)
        let least = min(1 << count, 60)
        count += 1
        return .seconds(max(wanted, least))
    }

    /// Begins anew, since the server has answered.
    mutating func reset() { count = 0 }
}

extension Archive {
    /// The server of a record, which is added if it is new.
    ///
    /// A record that was made again, or on another machine, is known by its name and address.
    /// - Throws: `ArchiveError`.
    package func server(
        record: String, name: String, address: String
    ) throws(ArchiveError) -> Server {
        let known = try servers()
        if let found = known.first(where: { $0.record == record })
            ?? known.first(where: { $0.name == name && $0.address == address })
        {
            if found.record != record || found.name != name || found.address != address {
                try database.run(
                    "UPDATE server SET record = ?, name = ?, address = ? WHERE number = ?",
                    .text(record), .text(name), .text(address), SQLiteValue(found.number))
            }
            return found
        }
        try database.run(
            "INSERT INTO server (record, name, address) VALUES (?, ?, ?)", .text(record),
            .text(name), .text(address))
        return Server(
            number: database.lastNumber, record: record, name: name, address: address)
    }
}
