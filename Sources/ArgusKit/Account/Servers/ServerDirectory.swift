import ArgusCore

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
    /// - Throws: `.newerServerList`, or `.serverListFile` if the file may not be read or trusted.
    package func load() throws(AccountError) -> ServerList {
        guard case .folder(let path) = folder else { return ServerList() }
        let file = Self.file(in: path)
        if let list = try read(file) { return list }
        notify(.damaged(path: file.path))
        return ServerList()
    }

    /// Changes the records under a lock, and returns the result of `change`.
    ///
    /// - Throws: The error of `change`, `.noStateFolder` or `.unwritableFolder` if nothing can be kept,
    ///   `.serverListFile` if the file cannot be locked, trusted or written; the file is then unchanged.
    @discardableResult
    package func update<Value: Sendable>(
        _ change: (inout ServerList) throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let path = try path()
        do {
            return try await folder.withLock(
                "servers.lock", timeout: .seconds(10),
                unlocked: { error throws(AccountError) in throw .serverListFile(error) }
            ) { () throws(AccountError) in
                let file = Self.file(in: path)
                var list = ServerList()
                if let known = try read(file) {
                    list = known
                } else {
                    let path = try rethrowing(file.setAside(), as: AccountError.serverListFile)
                    notify(.setAside(path: path))
                }
                let before = list
                let value = try change(&list)
                guard list != before else { return value }
                try rethrowing(file.write(list), as: AccountError.serverListFile)
                return value
            }
        } catch {
            guard case .serverListFile(let failure) = error else { throw error }
            throw .writing(in: path, failure)
        }
    }

    /// Checks that records can be changed, before work whose result must be kept.
    ///
    /// - Throws: `.noStateFolder` or `.unwritableFolder` if nothing can be kept, else
    ///   `.serverListFile`.
    package func expectWritable() throws(AccountError) {
        let path = try path()
        try rethrowing(
            PrivateFolder.expectWritable(path),
            as: { AccountError.writing(in: path, $0) })
    }

    private func path() throws(AccountError) -> String {
        switch folder {
        case .none(let reason): throw .noStateFolder(reason: reason)
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
    ) throws(AccountError) -> ServerList? {
        switch try rethrowing(file.read(), as: AccountError.serverListFile) {
        case .absent: return ServerList()
        case .damaged: return nil
        case .newer: throw .newerServerList(path: file.path)
        case .value(let list):
            if !list.unreadableRecords.isEmpty {
                notify(.unreadableRecords(list.unreadableRecords.count))
            }
            return list
        }
    }
}

extension AccountError {
    /// The error for a failed change of the state folder.
    fileprivate static func writing(in folder: String, _ error: FileSystemError) -> AccountError {
        error.isUnwritablePlace ? .unwritableFolder(folder, error.reason) : .serverListFile(error)
    }
}
