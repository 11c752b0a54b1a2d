package import ArgusCore
import ArgusEvents
import Glibc
import Synchronization

/// The verdict on each event for each receiver, in the state folder: records for people, and
/// the ledger that keeps an event from being delivered twice.
///
/// The folder `push` has a file of records and one of the ledger for each day (UTC), to which every
/// process appends; a file whose entries are all older than seven days is removed.
package final class DeliveryLog: Sendable {
    /// The days for which records and the ledger are kept.
    package static let days = 7

    private struct State {
        /// The pairs that need no delivery.
        var settled: Set<EventLedger.Key> = []
        /// The bytes read of each file of the ledger.
        var sizes: [String: Int] = [:]
        var lastPrunedAt: Timestamp?
    }

    private let folder: String
    private let state = Mutex(State())

    /// Names the folder, which the first record makes.
    package init(_ folder: String) { self.folder = folder }

    /// Reads what other processes have recorded since the last look.
    /// - Throws: `FileSystemError` if a file cannot be read or others may have written it.
    package func refresh() throws(FileSystemError) {
        for name in FolderNames.all(in: folder) where name.hasPrefix(Self.ledgerPrefix) {
            let path = "\(folder)/\(name)"
            let size = Self.size(of: path)
            guard state.withLock({ $0.sizes[name] }) != size else { continue }
            let known = try LedgerFile(path).read()
            state.withLock { state in
                state.sizes[name] = size
                known.events.forEach { key, _ in state.settled.insert(key) }
            }
        }
    }

    /// Returns true if an event no longer needs delivery to a token, as of the last check.
    package func isSettled(_ event: String, _ token: String) -> Bool {
        let key = Self.key(event, token)
        return state.withLock { $0.settled.contains(key) }
    }

    /// Appends a verdict; a failure keeps the pair open.
    /// - Throws: `FileSystemError`; in this process the pair counts as settled all the same.
    package func append(_ record: DeliveryRecord) throws(FileSystemError) {
        let key = Self.key(record.eventID, record.tokenID)
        let isNew = record.isSettled && state.withLock { $0.settled.insert(key).inserted }
        try PrivateFolder.prepare(folder)
        let day = record.at.utcText.prefix(10)
        // First the ledger: a kill in between costs a record, never a second push.
        if isNew {
            let name = Self.ledgerPrefix + day
            try LedgerFile("\(folder)/\(name)", isShared: true)
                .append([.event(key, capturedAt: record.at)], to: EventLedger())
            state.withLock { $0.sizes[name, default: 0] += LedgerFile.recordSize }
        }
        let path = "\(folder)/\(Self.recordPrefix)\(day)\(Self.recordSuffix)"
        let file = try OwnedDescriptor.appending(to: path, for: .write)
        try writeAll(record.line, to: file.rawValue, named: path)
    }

    /// Keeps other dispatches from an event until the lock is released; waits up to ten seconds for
    /// one that has it.
    /// - Throws: `FileSystemError`; `.locked` if another dispatch still has the event.
    func lock(
        _ event: String, sleep: FileLock.Sleep
    ) async throws(FileSystemError) -> FileLock {
        try PrivateFolder.prepare(folder)
        // One byte for each event, of enough bytes that two events rarely share one.
        let byte = Int(EventLedger.Key(event).high >> 2)
        return try await FileLock(
            "\(folder)/dispatch.lock", byte: byte, timeout: Self.lockTimeout, sleep: sleep)
    }

    /// Removes the files whose entries are all older than seven days; looks once an hour.
    package func prune(at now: Timestamp) {
        let isDue = state.withLock { state in
            if let last = state.lastPrunedAt, now - last < .seconds(3600), now >= last {
                return false
            }
            state.lastPrunedAt = now
            return true
        }
        guard isDue else { return }
        let first = (now - .days(Self.days)).utcText.prefix(10)
        for name in FolderNames.all(in: folder) {
            for prefix in [Self.ledgerPrefix, Self.recordPrefix]
            where name.hasPrefix(prefix) && name.dropFirst(prefix.count).prefix(10) < first {
                unlink("\(folder)/\(name)")
            }
        }
    }

    /// The records of an event, oldest first; lines that a kill cut off are left out.
    /// - Throws: `FileSystemError` if a file cannot be read or others may have written it.
    package func records(of event: String) throws(FileSystemError) -> [DeliveryRecord] {
        var found: [DeliveryRecord] = []
        let names = FolderNames.all(in: folder).filter { $0.hasSuffix(Self.recordSuffix) }
        for name in names.sorted() {
            let bytes = try FileContents(
                "\(folder)/\(name)", trust: .state, limit: Self.sizeLimit
            ).bytes
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                guard let view = try? JSONView.parse(Array(line)),
                    view["event_id"]?.string == event, let record = DeliveryRecord(view)
                else { continue }
                found.append(record)
            }
        }
        return found
    }

    private static let lockTimeout = Duration.seconds(10)
    private static let ledgerPrefix = "ledger-"
    private static let recordPrefix = "records-"
    private static let recordSuffix = ".ndjson"
    private static let sizeLimit = 1 << 30

    private static func key(_ event: String, _ token: String) -> EventLedger.Key {
        EventLedger.Key("\(token) \(event)")
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
