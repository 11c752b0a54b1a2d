package import ArgusCore

/// The file of server records, `servers.json` in the state folder, shared by all processes.
///
/// ```json
/// {"version": 1, "default": "k3v7q2ma", "servers": [{"id": "k3v7q2ma", "name": "home",
///  "ways": [{"kind": "local", "address": "https://192.168.1.5:8443", "proof": "pin:…"}],
///  "account": {"kind": "password", "username": "admin"}, "credential_store": "file",
///  "knowledge": {"generations": {}}}]}
/// ```
package final class ServerDirectory: Sendable {
    /// A warning; the work continues.
    package enum Notice: Hashable, Sendable {
        /// The file is damaged; a change will set it aside.
        case damaged(path: String)
        /// The file was damaged and now has this name.
        case setAside(path: String)
        /// The number of damaged records, which are preserved.
        case unreadableRecords(Int)
    }

    private let folder: Paths.Folder
    private let notify: @Sendable (Notice) -> Void

    /// Opens the directory in the state folder, which is made at the first change.
    package init(_ folder: Paths.Folder, notify: @escaping @Sendable (Notice) -> Void) {
        self.folder = folder
        self.notify = notify
    }

    /// Reads the records; none from an absent file, nor from a damaged one, which is reported.
    ///
    /// - Throws: `.newerVersion`, or `.file` if the file may not be read or trusted.
    package func load() throws(ServerDirectoryError) -> ServerList {
        guard case .folder(let path) = folder else { return ServerList() }
        let file = Self.file(in: path)
        if let list = try read(file) { return list }
        notify(.damaged(path: file.path))
        return ServerList()
    }

    /// Changes the records under a lock, and returns the result of `change`.
    ///
    /// - Throws: `.list` if `change` throws, `.noFolder` or `.unwritable` if nothing can be kept, `.file`
    ///   if the file cannot be locked, trusted or written; the file is then unchanged.
    @discardableResult
    package func update<Value: Sendable>(
        _ change: (inout ServerList) throws(ServerListError) -> Value
    ) async throws(ServerDirectoryError) -> Value {
        let path = try path()
        do {
            return try await folder.withLock(
                "servers.lock", timeout: .seconds(10),
                unlocked: { error throws(ServerDirectoryError) in throw .file(error) }
            ) { () throws(ServerDirectoryError) in
                let file = Self.file(in: path)
                var list = ServerList()
                if let known = try read(file) {
                    list = known
                } else {
                    let path = try rethrowing(try file.setAside(), as: ServerDirectoryError.file)
                    notify(.setAside(path: path))
                }
                let before = list
                let value = try rethrowing(try change(&list), as: ServerDirectoryError.list)
                guard list != before else { return value }
                try rethrowing(try file.write(list), as: ServerDirectoryError.file)
                return value
            }
        } catch {
            guard case .file(let failure) = error else { throw error }
            throw .writing(in: path, failure)
        }
    }

    /// Checks that records can be changed, before work whose result must be kept.
    ///
    /// - Throws: `.noFolder` or `.unwritable` if nothing can be kept, else `.file`.
    package func expectWritable() throws(ServerDirectoryError) {
        let path = try path()
        try rethrowing(
            try PrivateFolder.expectWritable(path),
            as: { ServerDirectoryError.writing(in: path, $0) })
    }

    private func path() throws(ServerDirectoryError) -> String {
        switch folder {
        case .none(let reason): throw .noFolder(reason: reason)
        case .folder(let path): return path
        }
    }

    /// The paths of damaged lists that were set aside, in order.
    package var setAsideLists: [String] {
        guard case .folder(let path) = folder else { return [] }
        return FolderNames.all(in: path).filter { $0.hasPrefix("servers.json.damaged-") }
            .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.map { "\(path)/\($0)" }
    }

    private static func file(in folder: String) -> StateFile<ServerList> {
        StateFile("\(folder)/servers.json", for: .state, layout: .pretty, sizeLimit: 4 << 20)
    }

    /// The list in the file; nil when it is damaged.
    private func read(
        _ file: StateFile<ServerList>
    ) throws(ServerDirectoryError) -> ServerList? {
        switch try rethrowing(try file.read(), as: ServerDirectoryError.file) {
        case .absent: return ServerList()
        case .damaged: return nil
        case .newer: throw .newerVersion(path: file.path)
        case .value(let list):
            if !list.unreadableRecords.isEmpty {
                notify(.unreadableRecords(list.unreadableRecords.count))
            }
            return list
        }
    }
}

/// The reason why the server records could not be read or changed.
package enum ServerDirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no state folder.
    case noFolder(reason: String)
    /// This user can never write to the state folder.
    case unwritable(folder: String, FileSystemError.Reason)
    case file(FileSystemError)
    /// A newer argus wrote the file in an unknown layout.
    case newerVersion(path: String)
    /// The change was refused; nothing was written.
    case list(ServerListError)

    /// The error for a failed change of the state folder.
    fileprivate static func writing(
        in folder: String, _ error: FileSystemError
    ) -> ServerDirectoryError {
        error.isUnwritablePlace ? .unwritable(folder: folder, error.reason) : .file(error)
    }

    package var description: String {
        switch self {
        case .noFolder(let reason): "nothing can be stored: \(reason)"
        case .unwritable(let folder, let reason): "nothing can be stored in '\(folder)': \(reason)"
        case .file(let error): error.description
        case .newerVersion(let path): "'\(path)' was written by a newer argus"
        case .list(let error): error.description
        }
    }
}
