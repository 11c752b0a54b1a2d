package import ArgusCore
import ArgusEvents
import Glibc

/// An open archive: events and pictures of servers, to be read without them.
///
/// It is used by one task at a time.
package final class Archive {
    /// A server whose events are in the archive.
    package struct Server: Sendable, Equatable {
        var number: Int
        /// The id of its record on the machine that archived it.
        package var record: String
        package var name: String
        package var address: String
        /// The start of the last complete sync, by the server's clock.
        package var lastSync: Timestamp?
        /// The start of the last sync that compared everything.
        package var lastFullSync: Timestamp?
    }

    package let folder: ArchiveFolder
    /// The database of the events and of what was read of them.
    package let database: SQLiteDatabase
    /// Held while this process changes the archive.
    private let lock: FileLock?
    /// True if this process may change the archive, and no other one.
    package var isChanging: Bool { lock != nil }

    /// Opens an archive for reading; others may change it meanwhile.
    ///
    /// Takes no locks if this process cannot write the folder and SQLite left no log in it.
    /// - Throws: `ArchiveError`.
    package init(reading folder: ArchiveFolder) throws(ArchiveError) {
        try folder.expectMarker()
        self.folder = folder
        lock = nil
        // A killed process may leave a log, which is part of the database.
        let hasLog = ["-wal", "-journal"].contains { name in
            var log = stat()
            return stat(folder.database + name, &log) == 0 && log.st_size > 0
        }
        let isImmutable = !folder.isWritable && !hasLog
        database = try SQLiteDatabase(folder.database, for: isImmutable ? .immutable : .reading)
        try prepare()
        try database.run("PRAGMA query_only = ON")
    }

    /// The longest wait of `changing` for another process.
    package static let lockTimeout = Duration.seconds(60)

    /// Opens an archive for changes once no other process makes any; reports that it waits.
    /// - Throws: `ArchiveError`; `.running` if another process has it for longer than `lockTimeout`.
    package static func changing(
        _ folder: ArchiveFolder, reportWait: (ArchiveError) -> Void
    ) async throws(ArchiveError) -> Archive {
        do throws(ArchiveError) {
            return try await Archive(changing: folder)
        } catch {
            guard case .running = error else { throw error }
            reportWait(error)
            return try await Archive(changing: folder, timeout: lockTimeout)
        }
    }

    /// Opens an archive for changes, which only one process at a time may make.
    /// - Throws: `ArchiveError`; `.running` while another process has it for longer than `timeout`.
    package init(
        changing folder: ArchiveFolder, timeout: Duration = .seconds(1),
        sleep: FileLock.Sleep = { try await Task.sleep(for: $0) }
    ) async throws(ArchiveError) {
        try folder.expectMarker()
        self.folder = folder
        do throws(FileSystemError) {
            lock = try await FileLock(folder.lock, timeout: timeout, sleep: sleep)
            // A full disk is reported by the first change; the id only informs.
            try? AtomicFile.write(
                Array("\(getpid())\n".utf8), to: folder.pid, for: .cache, replacing: true)
        } catch {
            if error.reason == .locked {
                // The process that has the lock, as it noted itself; for information only.
                let pid = FileContents.text(of: folder.pid, limit: 64).dropLast()
                throw .running(folder.path, pid: pid_t(pid))
            }
            if error.isUnwritablePlace { throw .readOnly(folder.path) }
            throw .file(error)
        }
        database = try SQLiteDatabase(folder.database, for: .reading)
        try prepare()
        try database.run("PRAGMA synchronous = FULL")
        try ArchiveSchema.migrate(database)
        chooseJournal()
        // A minute, as for the lock: without WAL, readers delay changes.
        database.setBusyTimeout(milliseconds: 60_000)
    }

    /// Sends changes to a write-ahead log first, so that others can read meanwhile.
    ///
    /// While there is nothing to read they go to the file itself, which writes half as much. A mode
    /// that another process keeps from changing stays as it is.
    func chooseJournal() {
        let hasEvents = (try? database.number("SELECT 1 FROM event LIMIT 1")) == 1
        // SQLite has no write-ahead log on network file systems.
        let isDirect = FileSystemKind.isNetwork(at: folder.path) || !hasEvents
        try? database.run("PRAGMA journal_mode = \(isDirect ? "DELETE" : "WAL")")
    }

    private func prepare() throws(ArchiveError) {
        try ArchiveSchema.expectArchive(database)
        try database.run("PRAGMA temp_store = MEMORY")
        // 8 MiB in memory (negative numbers are KiB): the index of 100,000 ids, which come in no order,
        // needs 5 of them.
        try database.run("PRAGMA cache_size = -8192")
        // Checks the cells of each page when it is read, in addition to the hash of each row.
        try database.run("PRAGMA cell_size_check = ON")
    }

    /// The servers in the archive, by name.
    /// - Throws: `ArchiveError`.
    package func servers() throws(ArchiveError) -> [Server] {
        try database.rows(
            """
            SELECT number, record, name, address, last_sync, last_full_sync FROM server
            ORDER BY name, number
            """
        ) { row in
            Server(
                number: row.int(0) ?? 0, record: row.text(1) ?? "", name: row.text(2) ?? "",
                address: row.text(3) ?? "", lastSync: row.time(4), lastFullSync: row.time(5))
        }
    }

    /// The names by which the servers can be told apart, by their numbers: of two with one name, the
    /// addresses too.
    /// - Throws: `ArchiveError`.
    func serverNames() throws(ArchiveError) -> [Int: String] {
        let servers = try servers()
        var names: [Int: String] = [:]
        for server in servers {
            let isOnly = servers.count { $0.name == server.name } == 1
            names[server.number] = isOnly ? server.name : "\(server.name) (\(server.address))"
        }
        return names
    }

    /// A camera of one of the servers.
    package struct Camera: Sendable {
        package var id: String
        package var name: String?
        /// The server's name, as in `Event.server`.
        package var server: String
    }

    /// The cameras of a server, or of all, by their latest names.
    /// - Throws: `ArchiveError`.
    package func cameras(of server: Server?) throws(ArchiveError) -> [Camera] {
        let names = try serverNames()
        return try database.rows(
            "SELECT id, name, server FROM camera WHERE ?1 IS NULL OR server = ?1 ORDER BY name, id",
            [SQLiteValue(server?.number)]
        ) { row in
            Camera(
                id: row.text(0) ?? "", name: row.text(1),
                server: row.int(2).flatMap { names[$0] } ?? "")
        }
    }

    /// The types that some event has, in lower case.
    /// - Throws: `ArchiveError`.
    package func types() throws(ArchiveError) -> [String] {
        try database.rows("SELECT word FROM kind ORDER BY word") { $0.text(0) }
    }

    /// False for an archive that was not changed since its version was 3.
    var hasFormer: Bool {
        get throws(ArchiveError) { try database.number("PRAGMA user_version") ?? 0 > 3 }
    }

    /// The number of events, those that their server no longer has included.
    /// - Throws: `ArchiveError`.
    package func eventCount() throws(ArchiveError) -> Int {
        try database.number("SELECT count(*) FROM event") ?? 0
    }

    /// The number of pictures and videos, each counted once.
    /// - Throws: `ArchiveError`.
    package func fileCount() throws(ArchiveError) -> Int {
        try database.number(
            """
            SELECT count(DISTINCT sha256) FROM media WHERE sha256 IS NOT NULL AND state <> 'absent'
            """) ?? 0
    }

    /// The greatest event number in `media`; thumbnails of all later events are yet to be fetched.
    static let lastWithFiles = "(SELECT coalesce(max(event), 0) FROM media)"

    /// Wants the thumbnails of the events that were added since the last time, of all servers.
    func wantThumbnails() throws(ArchiveError) {
        try database.run(
            """
            INSERT INTO media (event, kind, item, state, tries)
            SELECT number, 'thumbnail', 0, 'wanted', 0 FROM event
            WHERE number > \(Self.lastWithFiles) AND has_thumbnail IS NOT 0
            """)
    }

    /// Removes an event from all tables.
    func remove(_ number: Int) throws(ArchiveError) {
        for table in ["media", "object", "former"] {
            try database.run("DELETE FROM \(table) WHERE event = ?", SQLiteValue(number))
        }
        try database.run("DELETE FROM event WHERE number = ?", SQLiteValue(number))
    }

    /// The number of pictures and videos that the next sync fetches.
    /// - Throws: `ArchiveError`.
    package func wantedFileCount() throws(ArchiveError) -> Int {
        try database.number(
            """
            SELECT (SELECT count(*) FROM media WHERE state = 'wanted' AND kind <> 'frames')
              + (SELECT count(*) FROM event
                 WHERE number > \(Self.lastWithFiles) AND has_thumbnail IS NOT 0)
            """) ?? 0
    }

    /// The age up to which a server may still make the frames and the video of an event.
    static let recentAge = Duration.seconds(3600)

    /// The number of frames and videos among the wanted files that the server did not have yet.
    /// - Throws: `ArchiveError`.
    package func awaitedFileCount(at now: Timestamp) throws(ArchiveError) -> Int {
        try database.number(
            """
            SELECT count(*) FROM media JOIN event ON event.number = media.event
            WHERE state = 'wanted' AND kind IN ('frame', 'video') AND media.sha256 IS NULL
              AND timestamp > ?
            """, SQLiteValue(now - Self.recentAge)) ?? 0
    }
}
