import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusArchive
@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusTransport

/// An archive in a folder of a test's own, and servers to fill it from.
struct ArchiveFixture {
    typealias Row = EventServer.Row

    static let now = Timestamp(seconds: 2_000_000)

    let home: TemporaryFolder
    let folder: ArchiveFolder

    init() throws {
        home = try TemporaryFolder()
        folder = ArchiveFolder(home.file("archive"))
        try folder.make(at: Self.now)
    }

    /// The paths of its pictures and videos.
    func media() throws -> [String] {
        folder.mediaFolders.flatMap { folder in
            FolderNames.all(in: folder).map { "\(folder)/\($0)" }
        }.sorted()
    }

    /// An archive that this process may change.
    func changing() async throws -> Archive { try await Archive(changing: folder) }

    /// Syncs with a server that lists these rows, which have no pictures.
    @discardableResult
    func sync(_ rows: [Row], isFull: Bool = false, named name: String = "home") async throws
        -> ArchiveReport
    {
        let archive = try await changing()
        return try await Self.sync(archive, with: EventServer(rows), isFull: isFull, named: name)
    }

    static func sync(
        _ archive: Archive, with server: any Transport, isFull: Bool = false, named name: String,
        notify: @escaping @Sendable (EventArchiver.Notice) -> Void = { _ in }
    ) async throws -> ArchiveReport {
        var scope = EventArchiver.Scope(isFull: isFull)
        scope.hasFiles = false
        return try await sync(archive, with: server, scope, named: name, notify: notify)
    }

    /// Syncs what a scope says, files too.
    static func sync(
        _ archive: Archive, with server: any Transport, _ scope: EventArchiver.Scope,
        named name: String = "home", at now: @autoclosure @escaping @Sendable () -> Timestamp = now,
        notify: @escaping @Sendable (EventArchiver.Notice) -> Void = { _ in }
    ) async throws -> ArchiveReport {
        let service = EventService(session: .test(server))
        let known = try await archive.server(
            record: "id-of-\(name)", name: name, address: "https://\(name).example", from: service,
            mayAdd: !scope.isRepair)
        let archiver = EventArchiver(
            archive, from: service, as: known, now: now,
            sleep: { _ in Issue.record("a sync waited") }, notify: notify)
        return try await archiver.run(scope)
    }

    /// The ids of the archived events of a query.
    static func ids(_ query: ArchiveQuery, in archive: Archive) throws -> [String] {
        let rows = try ArchiveRows(query, in: archive)
        var found: [String] = []
        while let batch = try rows.next() { found += batch.map(\.id) }
        return found
    }

    func ids(
        _ filter: EventFilter = EventFilter(), _ change: (inout ArchiveQuery) -> Void = { _ in }
    )
        throws -> [String]
    {
        var query = ArchiveQuery(filter)
        change(&query)
        return try Self.ids(query, in: try Archive(reading: folder))
    }

    /// Runs SQL as another program would.
    func damage(_ sql: String) throws {
        let database = try SQLiteDatabase(folder.database, for: .reading)
        try database.run(sql)
    }

    /// A clock that is three seconds further each time.
    static func steppingClock() -> @Sendable () -> Timestamp {
        let steps = Atomic(0)
        return { now + .seconds(3 * steps.add(1, ordering: .relaxed).newValue) }
    }

    /// Rows `e1` to `eN`, newest first, a minute apart.
    static func rows(_ count: Int, _ members: (Int) -> String = { _ in "" }) -> [Row] {
        (1...count).map {
            Row("e\($0)", at: 1_900_000 - Int64($0) * 60, #","has_thumbnail":false"# + members($0))
        }
    }
}
