package import ArgusCore
import Glibc

/// The events of a watch that wait for their hooks or were set aside, one file for each event.
///
/// The watch adds, changes and removes entries. `argus queue` changes and removes them too, and
/// then replaces the file `changed` to notify the watch. Changes and removals hold `lock`.
package struct HookStore: Sendable {
    /// The longest wait for the lock; other processes hold it only while they change one file.
    private static let lockTimeout = Duration.seconds(5)

    private let folder: String

    /// Names the folder, which the first entry makes.
    package init(_ folder: String) { self.folder = folder }

    /// All entries, oldest first, and the paths of files that hold none.
    /// - Throws: `FileSystemError` if a file cannot be read or others may have written it.
    package func all() throws(FileSystemError) -> (entries: [HookEntry], damaged: [String]) {
        let (entries, unreadable) = readable()
        for file in unreadable { if case .file(let error) = file.cause { throw error } }
        return (entries, unreadable.map(\.path))
    }

    /// The entries that can be read, oldest first, and the files that cannot.
    package func readable() -> (entries: [HookEntry], unreadable: [UnreadableFile]) {
        var entries: [HookEntry] = []
        var unreadable: [UnreadableFile] = []
        for name in FolderNames.all(in: folder) where name.hasSuffix(Self.suffix) {
            do throws(UnreadableFile) {
                // A file is absent if it was removed since the folder was read.
                if let entry = try file("\(folder)/\(name)").valueIfAny() { entries.append(entry) }
            } catch {
                unreadable.append(error)
            }
        }
        entries.sort { ($0.addedAt, $0.id) < ($1.addedAt, $1.id) }
        return (entries, unreadable)
    }

    /// The folder of the pictures of running hooks, without those that a killed watch left.
    ///
    /// Call it while no other process runs hooks of the store.
    /// - Throws: `FileSystemError` if the folder cannot be made or emptied.
    package func emptyPictures() throws(FileSystemError) -> String {
        try PrivateFolder.prepare(folder)
        for name in FolderNames.all(in: folder) where PrivateTemporaryFile.isName(name) {
            try FileRename.remove("\(folder)/\(name)")
        }
        return folder
    }

    /// The entry of an event; nil if there is none.
    /// - Throws: `UnreadableFile`.
    package func entry(_ id: String) throws(UnreadableFile) -> HookEntry? {
        try file(path(of: id)).valueIfAny()
    }

    func contains(_ id: String) -> Bool { FileContents.exists(path(of: id)) }

    /// Adds an entry, durably.
    /// - Throws: `FileSystemError`; there is no entry then.
    func add(_ entry: HookEntry) throws(FileSystemError) {
        try file(path(of: entry.id)).write(entry)
    }

    /// Replaces an entry; false if it was dropped in the meantime.
    /// - Throws: `FileSystemError`; the entry is then as it was.
    func replace(_ entry: HookEntry) async throws(FileSystemError) -> Bool {
        try await withLock { () throws(FileSystemError) in
            guard contains(entry.id) else { return false }
            try add(entry)
            return true
        }
    }

    /// Removes an entry; false if there is none.
    /// - Throws: `FileSystemError`.
    @discardableResult
    func remove(_ id: String) async throws(FileSystemError) -> Bool {
        guard contains(id) else { return false }
        return try await withLock { () throws(FileSystemError) in
            // A removal that a crash undoes runs the hook again, which is allowed.
            if unlink(path(of: id)) == 0 { return true }
            guard errno == ENOENT else { throw .current(.remove, path(of: id)) }
            return false
        }
    }

    private func withLock(
        _ change: () throws(FileSystemError) -> Bool
    ) async throws(FileSystemError) -> Bool {
        try PrivateFolder.prepare(folder)
        let lock = try await FileLock(folder + "/lock", timeout: Self.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        return try change()
    }

    private static let suffix = ".json"
    /// More than any answer of a server may have.
    private static let sizeLimit = 128 << 20

    private func file(_ path: String) -> StateFile<HookEntry> {
        StateFile(path, for: .state, sizeLimit: Self.sizeLimit)
    }

    /// Ids are texts of a server, so a file is named after a checksum.
    private func path(of id: String) -> String {
        "\(folder)/\(Checksum.sha256(Array(id.utf8)).prefix(32))\(Self.suffix)"
    }
}

// Changes by `argus queue`.
extension HookStore {
    /// A mark that is another one after each change by `argus queue`.
    var revision: String {
        var status = stat()
        guard stat(folder + "/changed", &status) == 0 else { return "" }
        return "\(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec) \(status.st_ino)"
    }

    /// Makes an entry due now; false if there is none.
    /// - Throws: `FileSystemError`; the entry is then as it was.
    package func retry(_ id: String, at now: Timestamp) async throws(FileSystemError) -> Bool {
        try await withLock { () throws(FileSystemError) in
            let file = file(path(of: id))
            guard case .value(var entry) = try file.read() else { return false }
            entry.retry(at: now)
            try file.write(entry)
            try mark()
            return true
        }
    }

    /// Removes an entry for good; false if there is none.
    /// - Throws: `FileSystemError`.
    package func drop(_ id: String) async throws(FileSystemError) -> Bool {
        guard try await remove(id) else { return false }
        try mark()
        return true
    }

    private func mark() throws(FileSystemError) {
        try AtomicFile.write([], to: folder + "/changed", for: .cache, replacing: true)
    }
}
