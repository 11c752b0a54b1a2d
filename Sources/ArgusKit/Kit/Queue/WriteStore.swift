package import ArgusAccount
package import ArgusCore
import Glibc

/// The queued writes of this user: a file each, in a folder for each server.
///
/// The folder of a server exists only while it holds a record, so that one stat(2) shows if anything
/// waits. All changes run under the lock of the store; a record is sent under the lock of its server
/// alone, so that adding never waits for a network.
package struct WriteStore: Sendable {
    /// The longest wait for the lock, which other processes hold for a change of a few files.
    private static let lockTimeout = Duration.seconds(60)
    private static let suffix = ".json"
    private static let lockName = "lock"
    private static let sizeLimit = 1 << 20

    private let folder: String
    /// The states that the user has seen, on which new records are based.
    private let seen: SeenVersions

    /// Names the folder, which the first record makes; nil if nothing can be kept.
    package init?(in state: Paths.Folder) {
        guard let folder = state.file("queue"), let seen = SeenVersions(in: state) else {
            return nil
        }
        (self.folder, self.seen) = (folder, seen)
    }

    /// Returns true if records of a server may wait; one stat(2).
    package func mayHold(_ server: String) -> Bool { FileContents.exists(folder(of: server)) }

    /// The ids of the servers with records, sorted.
    package var servers: [String] {
        get throws(FileSystemError) {
            try FolderNames.ifAny(in: folder).filter { ServerID($0) != nil && $0 != Self.lockName }
                .sorted()
        }
    }

    /// All records of a server in their order, and what cannot be read.
    package func writes(
        of server: String
    ) -> (writes: [QueuedWrite], unreadable: [UnreadableFile]) {
        var writes: [QueuedWrite] = []
        var unreadable: [UnreadableFile] = []
        do throws(FileSystemError) {
            for name in try FolderNames.ifAny(in: folder(of: server)).sorted()
            where name.hasSuffix(Self.suffix) {
                do throws(UnreadableFile) {
                    // A file is absent if it was sent or removed since the folder was read.
                    let path = "\(folder(of: server))/\(name)"
                    if let write = try read(path) { writes.append(write) }
                } catch {
                    unreadable.append(error)
                }
            }
        } catch {
            unreadable.append(UnreadableFile(error))
        }
        writes.sort { ($0.number, $0.id) < ($1.number, $1.id) }
        return (writes, unreadable)
    }

    /// A record as it is now; nil if it was sent or removed.
    func current(_ write: QueuedWrite) throws(UnreadableFile) -> QueuedWrite? {
        try read(path(of: write))
    }

    /// The record in a file; nil if there is none.
    /// - Throws: `UnreadableFile`, also for a record of another name or folder.
    private func read(_ path: String) throws(UnreadableFile) -> QueuedWrite? {
        guard let write = try file(path).valueIfAny() else { return nil }
        guard self.path(of: write) == path else { throw UnreadableFile(path, .damaged) }
        return write
    }

    /// Adds a record as the last one of its server, durably, and returns it with its id and number.
    ///
    /// Its base is what the user has seen, which `finish` changes under the same lock: a write that
    /// was sent a moment ago is seen, and one that still waits changes the base when it is sent.
    /// - Throws: `FileSystemError`; there is no record then.
    package func add(_ write: QueuedWrite) async throws(FileSystemError) -> QueuedWrite {
        try await withLock { () throws(FileSystemError) in
            var write = write
            write.base = seen.values(of: write.write.object, at: write.server)
                .filter { write.write.members.contains($0.key) }
            write.number = (numbers(of: write.server).map(\.number).max() ?? 0) + 1
            let id = String(UInt64.random(in: .min ... .max), radix: 16)
            write.id = String(repeating: "0", count: 16 - id.utf8.count) + id
            try put(write)
            // The directory entries of new folders must be as durable as the record in them.
            FileRename.synchronizeFolder(of: folder(of: write.server))
            FileRename.synchronizeFolder(of: folder)
            return write
        }
    }

    /// Changes a record; nil if it was sent or removed in the meantime.
    /// - Throws: `FileSystemError`; the record is then as it was.
    package func change(
        _ write: QueuedWrite, _ change: (inout QueuedWrite) -> Void
    ) async throws(FileSystemError) -> QueuedWrite? {
        try await withLock { () throws(FileSystemError) in
            guard var current = try? current(write) else { return nil }
            change(&current)
            try put(current)
            return current
        }
    }

    /// Removes a record that the server has; what it wanted is seen, and later ones of its object are
    /// based on it from then on.
    ///
    /// `listed` are all records of its server as they were read before, in their order. The record
    /// goes last: after a crash before that it is found to be done, and this runs again.
    func finish(
        _ write: QueuedWrite, with wanted: [String: JSONValue], among listed: [QueuedWrite]
    ) async throws(FileSystemError) {
        try await withLock { () throws(FileSystemError) in
            let last = listed.last?.number ?? 0
            let added = numbers(of: write.server).filter { $0.number > last }
                .compactMap { try? read("\(folder(of: write.server))/\($0.name)") }
            let later = listed.filter {
                $0.number > write.number && $0.write.object == write.write.object
            }.compactMap { try? current($0) }
            for var later in later + added where later.write.object == write.write.object {
                let base = later.base
                later.follow(write.write, wanted)
                if later.base != base { try put(later) }
            }
            seen.note(wanted, of: write.write.object, at: write.server)
            _ = try unlinkRecord(write)
        }
    }

    /// Removes a record for good; false if there is none.
    /// - Throws: `FileSystemError`.
    package func remove(_ write: QueuedWrite) async throws(FileSystemError) -> Bool {
        try await withLock { () throws(FileSystemError) in try unlinkRecord(write) }
    }

    /// Removes everything of a server, and returns what it was.
    /// - Throws: `FileSystemError`; the rest is then as it was.
    package func erase(
        _ server: String
    ) async throws(FileSystemError) -> (writes: [QueuedWrite], unreadable: [UnreadableFile]) {
        guard mayHold(server) else { return ([], []) }
        return try await withLock { () throws(FileSystemError) in
            let stored = writes(of: server)
            for name in FolderNames.all(in: folder(of: server)) {
                try FileRename.remove("\(folder(of: server))/\(name)")
            }
            rmdir(folder(of: server))
            return stored
        }
    }

    /// Runs work while no other process sends records of a server; nil if one still does after
    /// `timeout`.
    func whileSending<Value>(
        to server: String, timeout: Duration, sleep: FileLock.Sleep,
        _ work: () async throws(FileSystemError) -> Value
    ) async throws(FileSystemError) -> Value? {
        try PrivateFolder.prepare(folder)
        let path = "\(folder)/\(server).\(Self.lockName)"
        let lock: FileLock
        do throws(FileSystemError) {
            lock = try await FileLock(path, timeout: timeout, sleep: sleep)
        } catch  where error.reason == .locked {
            return nil
        }
        let value = try await work()
        lock.release()
        return value
    }

    private func withLock<Value>(
        _ work: () throws(FileSystemError) -> Value
    ) async throws(FileSystemError) -> Value {
        try PrivateFolder.prepare(folder)
        let lock = try await FileLock("\(folder)/\(Self.lockName)", timeout: Self.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        return try work()
    }

    private func unlinkRecord(_ write: QueuedWrite) throws(FileSystemError) -> Bool {
        let path = path(of: write)
        guard unlink(path) == 0 else {
            guard errno == ENOENT else { throw .current(.remove, path) }
            return false
        }
        // A record that a crash of the machine brings back is found to be done.
        FileRename.synchronizeFolder(of: path)
        removeIfEmpty(write.server)
        return true
    }

    /// Removes what killed processes have left in the folder of a server, and then the folder.
    /// - Throws: `FileSystemError` if there can be no lock.
    package func tidy(_ server: String) async throws(FileSystemError) {
        try await withLock { () throws(FileSystemError) in removeIfEmpty(server) }
    }

    private func removeIfEmpty(_ server: String) {
        AbandonedFiles.sweep(folder(of: server))
        // Fails while there are records.
        rmdir(folder(of: server))
    }

    /// The files of a server's records with the numbers in their names.
    private func numbers(of server: String) -> [(number: Int, name: String)] {
        FolderNames.all(in: folder(of: server)).compactMap { name in
            Int(name.prefix { $0 != "-" }).flatMap { $0 < Int.max ? ($0, name) : nil }
        }
    }

    /// Writes a record.
    /// - Throws: `FileSystemError`; `.tooLarge` for one that could not be read again.
    private func put(_ write: QueuedWrite) throws(FileSystemError) {
        guard write.state.document(.compact).count < Self.sizeLimit else {
            throw FileSystemError(.write, path(of: write), .tooLarge(limit: Self.sizeLimit))
        }
        try file(path(of: write)).write(write)
    }

    private func file(_ path: String) -> StateFile<QueuedWrite> {
        StateFile(path, for: .state, sizeLimit: Self.sizeLimit)
    }

    private func folder(of server: String) -> String { "\(folder)/\(server)" }

    private func path(of write: QueuedWrite) -> String {
        "\(folder(of: write.server))/\(write.number.padded(to: 10))-\(write.id)\(Self.suffix)"
    }
}
