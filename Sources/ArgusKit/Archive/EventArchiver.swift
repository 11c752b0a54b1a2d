import ArgusAccount
package import ArgusCore
package import ArgusEvents
package import ArgusTransport

/// Copies the events of a server, and their pictures, to an archive.
package struct EventArchiver {
    /// A step of a running sync that a person may want to see.
    package enum Notice: Sendable {
        /// The server refuses more requests; argus asks again at this time.
        case rateLimited(until: Timestamp)
        /// The number of events that a listing has; nil if the server does not count them.
        case expectedEvents(Int?)
        case events(Int)
        /// The number of files of a kind that are to be fetched.
        case expectedFiles(Int)
        case files(Int)
        case event(EventNotice)
        /// The server has none of the events (this many) that the archive had from it.
        case replaced(Int)
        /// The server has changed so many events that were in the archive for a week.
        case rewritten(Int)
    }

    /// The parts of a server's events that a sync copies.
    package struct Scope: Sendable, Equatable {
        /// Reads the list of events.
        package var hasEvents = true
        /// Compares everything instead of what is new.
        package var isFull = false
        /// The numbers of events whose objects are damaged, and stored again.
        package var damaged: Set<Int> = []
        /// The time after which everything is compared again; nil for never.
        package var fullPause: Duration?
        /// Fetches the files that the archive wants.
        package var hasFiles = true
        /// Wants the frames of all events.
        package var hasFrames = false
        /// Wants the videos of all events.
        package var hasVideos = false
        /// The longest time to wait in a row for a server that refuses more requests (429).
        package var longestRateLimitWait = Duration.seconds(900)

        /// True for a repair, which restores what the archive has, and nothing else.
        package var isRepair: Bool { !hasEvents || !damaged.isEmpty }

        package init(isFull: Bool = false, damaged: Set<Int> = [], onlyFiles: Bool = false) {
            (self.isFull, self.damaged, hasEvents) = (isFull, damaged, !onlyFiles)
        }
    }

    /// The time before the last sync from which the next one reads: events are stored late.
    package static let overlap = Duration.seconds(2 * 3600)

    let archive: Archive
    let service: EventService
    let server: Archive.Server
    let now: @Sendable () -> Timestamp
    let sleep: @Sendable (Duration) async -> Void
    let notify: @Sendable (Notice) -> Void

    /// Prepares a sync of a server that the archive knows; once its requests are cancelled, it stores
    /// what it has read, and fails.
    package init(
        _ archive: Archive, from service: EventService, as server: Archive.Server,
        endedBy cancellation: RequestCancellation = RequestCancellation(),
        now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async -> Void,
        notify: @escaping @Sendable (Notice) -> Void
    ) {
        (self.archive, self.server) = (archive, server)
        self.service = EventService(
            session: service.session.over { CancellableTransport($0, cancellation) })
        (self.now, self.sleep, self.notify) = (now, sleep, notify)
    }

    /// Reads what is new, or everything, and fetches the files that are wanted.
    ///
    /// A first sync reads everything; if it was interrupted, the next one goes on where it ended.
    /// - Throws: `ArchiveError`.
    package func run(_ scope: Scope) async throws(ArchiveError) -> ArchiveReport {
        var report = ArchiveReport()
        if scope.hasEvents {
            let isFull: Bool
            (report, isFull) = try await copyEvents(scope)
            if scope.hasFiles || scope.hasFrames || scope.hasVideos {
                try archive.wantThumbnails()
            }
            if isFull {
                try wantAgain()
                archive.removeAbandoned()
            }
            if scope.hasFrames { try want(.frames) }
            if scope.hasVideos { try want(.video) }
        }
        if scope.hasFiles {
            let waits = RateLimitWaits(atMost: scope.longestRateLimitWait)
            try await fetchFiles(waits, into: &report)
        }
        return report
    }

    /// Copies what the list of events has; `isFull` if everything was compared.
    private func copyEvents(
        _ scope: Scope
    ) async throws(ArchiveError) -> (report: ArchiveReport, isFull: Bool) {
        let start = now()
        // A time ahead of the clock was noted when a clock was wrong.
        let lastSync = server.lastSync.flatMap { $0 <= start ? $0 : nil }
        let lastFull = server.lastFullSync.flatMap { $0 <= start ? $0 : nil }
        let isDue = scope.fullPause.map { pause in lastFull.map { start - $0 >= pause } ?? true }
        var since = scope.isFull || isDue ?? false ? nil : lastSync.map { $0 - Self.overlap }
        let writer = try ArchiveWriter(archive, of: server, damaged: scope.damaged)
        defer { if writer.rewritten > 0 { notify(.rewritten(writer.rewritten)) } }
        if !scope.isFull, server.lastSync == nil {
            since = try await completeFirstListing(scope, to: writer)
        }
        var filter = EventFilter()
        filter.since = since
        let listing = try await copyList(filter, scope, to: writer)
        if listing.isComplete {
            try writer.markDeleted(since: since, at: now())
            let begun = min(listing.begun, now())
            try writer.finish(begunAt: begun, isFull: since == nil)
            // The next sync asks for it again, unless everything is compared once a day.
            let gap = writer.report.gaps.first { !$0.isInstant }
            if let gap, scope.fullPause == nil {
                let first = gap.from ?? Timestamp(seconds: 0)
                try writer.finish(begunAt: min(begun, first), isFull: false)
            }
            archive.chooseJournal()
        }
        let report = writer.report
        if since == nil, !writer.hasMetKnown, report.deleted > 0 {
            notify(.replaced(report.deleted))
        }
        return (report, since == nil)
    }

    /// Goes on with a first listing that was interrupted.
    /// - Returns: the time from which the sync then reads; nil for everything.
    private func completeFirstListing(
        _ scope: Scope, to writer: ArchiveWriter
    ) async throws(ArchiveError) -> Timestamp? {
        guard let rest = try writer.restOfFirstListing() else { return nil }
        var filter = EventFilter()
        filter.until = rest.until
        guard try await copyList(filter, scope, to: writer).isComplete else { return nil }
        try writer.finish(begunAt: rest.begun, isFull: false)
        return rest.begun - Self.overlap
    }

    /// Stores and commits the events that match; what comes before a failure is kept.
    ///
    /// While a page is written, the next one is prepared, and another fetched. `begun` is the start of
    /// the listing by the server's clock; it `isComplete` if it has met every event.
    private func copyList(
        _ filter: EventFilter, _ scope: Scope, to writer: ArchiveWriter
    ) async throws(ArchiveError) -> (begun: Timestamp, isComplete: Bool) {
        let cursor = service.list(filter, wanted: nil) { [notify] in notify(.event($0)) }
        var begun: Timestamp?
        let pages = PageQueue(writer, now: now) { [notify] in notify(.events($0)) }
        do throws(ArchiveError) {
            while true {
                // Before the page is there: the cursor fetches it meanwhile, and memory is short.
                try await pages.makeRoom()
                guard let page = try await next(of: cursor, scope, to: pages) else { break }
                if begun == nil { notify(.expectedEvents(cursor.total)) }
                begun = begun ?? cursor.serverTime ?? now()
                pages.append(page)
            }
        } catch {
            try await pages.finish()
            throw error
        }
        try await pages.finish()
        writer.report.unreadableRows += cursor.unreadableRows
        writer.report.gaps += cursor.gaps
        return (begun ?? cursor.serverTime ?? now(), !cursor.hasUnreadablePages)
    }

    /// The next page, even if the server refuses more requests for now.
    private func next(
        of cursor: any EventCursor, _ scope: Scope, to pages: PageQueue
    ) async throws(ArchiveError) -> [EventRow]? {
        var waits = RateLimitWaits(atMost: scope.longestRateLimitWait)
        while true {
            do throws(APIError) {
                return try await cursor.next()
            } catch {
                guard let wait = waits.next(after: error) else { throw .api(error) }
                try await pages.finish()
                notify(.rateLimited(until: now() + wait))
                await sleep(wait)
            }
        }
    }
}

/// The pages of a listing, which are prepared at once and written one after the other.
private final class PageQueue {
    /// One is written, and the next ones are ready; the cursor reads one more.
    private static let maxWaiting = 3

    private let writer: ArchiveWriter
    private let now: @Sendable () -> Timestamp
    private let notify: @Sendable (Int) -> Void
    /// The writes that may not have ended, oldest first; each begins when the one before has ended.
    private var writes: [Task<ArchiveError?, Never>] = []

    init(
        _ writer: ArchiveWriter, now: @escaping @Sendable () -> Timestamp,
        notify: @escaping @Sendable (Int) -> Void
    ) {
        (self.writer, self.now, self.notify) = (writer, now, notify)
    }

    func makeRoom() async throws(ArchiveError) {
        if writes.count == Self.maxWaiting { try await endFirst() }
    }

    func append(_ page: [EventRow]) {
        let prepared = Task { [isFirst = writer.isFirst] in
            page.map { ArchiveContent(of: $0, withColumns: isFirst) }
        }
        // Unowned, since a task may release what it captured after its end, and the archive would be
        // closed late.
        writes.append(
            Task { [now, notify, unowned writer, before = writes.last] () async -> ArchiveError? in
                if let error = await before?.value { return error }
                let rows = await prepared.value
                do throws(ArchiveError) { try writer.store(rows, at: now()) } catch { return error }
                notify(rows.count)
                return nil
            })
    }

    /// Writes what is left, and commits it.
    func finish() async throws(ArchiveError) {
        while !writes.isEmpty { try await endFirst() }
        try writer.commit()
    }

    private func endFirst() async throws(ArchiveError) {
        if let error = await writes.removeFirst().value { throw error }
    }
}
