/// The file of server records, `servers.json` in the state folder, shared by all processes.
///
/// ```json
/// {"version": 1, "default": "k3v7q2ma", "servers": [{"id": "k3v7q2ma", "name": "home",
///  "ways": [{"kind": "local", "address": "https://192.168.1.5:8443", "proof": "pin:…"}],
///  "account": {"kind": "password", "username": "admin"}, "credential_store": "file",
///  "knowledge": {"generations": {}}}]}
/// ```
package final class ServerDirectory: Sendable {
    /// A message for the user; the work goes on.
    package enum Notice: Hashable, Sendable {
        /// The file is damaged; a change will rename it.
        case damaged(path: String)
        /// The file was damaged and renamed to this path.
        case setAside(path: String)
        /// The number of unreadable records, which are preserved.
        case unreadableRecords(Int)
    }

    private static let sizeLimit = 4 << 20
    private static let timeout = Duration.seconds(10)

    private let place: Paths.Place
    private let sleep: FileLock.Sleep
    private let report: @Sendable (Notice) -> Void

    /// Makes a directory in a state folder, which the first change creates.
    ///
    /// - Parameters:
    ///   - place: The state folder, `Paths.state`.
    ///   - sleep: Waits between two attempts to take the lock.
    ///   - report: Receives messages for the user.
    package init(
        _ place: Paths.Place, sleep: @escaping FileLock.Sleep = { try await Task.sleep(for: $0) },
        report: @escaping @Sendable (Notice) -> Void
    ) {
        self.place = place
        self.sleep = sleep
        self.report = report
    }

    /// Reads the records; a missing or damaged file is an empty list, the latter with a notice.
    ///
    /// - Throws: `.newerVersion`, or `.file` if the file is unreadable or untrusted.
    package func load() throws(ServerDirectoryError) -> ServerList {
        guard let path = place.file("servers.json") else { return ServerList() }
        switch try read(path) {
        case .list(let list): return list
        case .damaged:
            report(.damaged(path: path))
            return ServerList()
        }
    }

    /// Changes the records under a lock and returns the result of `change`.
    ///
    /// - Throws: `.list` if `change` throws, `.noPlace` or `.unwritable` if nothing can be stored,
    ///   `.file` if the file cannot be locked, trusted or written; the file is unchanged then.
    @discardableResult
    package func update<Value: Sendable>(
        _ change: (inout ServerList) throws(ServerListError) -> Value
    ) async throws(ServerDirectoryError) -> Value {
        switch place {
        case .none(let reason): throw .noPlace(reason: reason)
        case .folder(let folder):
            do {
                return try await changeFile(folder, change)
            } catch {
                guard case .file(let failure) = error else { throw error }
                throw .writing(in: folder, failure)
            }
        }
    }

    /// Checks, before an operation whose result must be stored, that a change is possible.
    ///
    /// - Throws: `.noPlace` or `.unwritable` if nothing can be stored, else `.file`.
    package func expectWritable() throws(ServerDirectoryError) {
        switch place {
        case .none(let reason): throw .noPlace(reason: reason)
        case .folder(let folder):
            do throws(FileSystemError) {
                try PrivateFolder.expectWritable(folder)
            } catch { throw .writing(in: folder, error) }
        }
    }

    private func changeFile<Value: Sendable>(
        _ folder: String, _ change: (inout ServerList) throws(ServerListError) -> Value
    ) async throws(ServerDirectoryError) -> Value {
        let path = folder + "/servers.json"
        do throws(FileSystemError) {
            try PrivateFolder.prepare(folder)
        } catch { throw .file(error) }
        let lock: FileLock
        do throws(FileSystemError) {
            lock = try await FileLock(
                folder + "/servers.lock", timeout: Self.timeout, sleep: sleep)
        } catch { throw .file(error) }
        let result = changeLocked(path, change)
        lock.release()
        return try result.get()
    }

    private func changeLocked<Value>(
        _ path: String, _ change: (inout ServerList) throws(ServerListError) -> Value
    ) -> Result<Value, ServerDirectoryError> {
        Result { () throws(ServerDirectoryError) in
            var list = ServerList()
            switch try read(path) {
            case .list(let known): list = known
            case .damaged: try setAside(path)
            }
            let before = list
            let value = try apply(change, to: &list)
            guard list != before else { return value }
            do throws(FileSystemError) {
                try AtomicFile.write(
                    list.state.document(.pretty), to: path, for: .state, replacing: true)
            } catch { throw .file(error) }
            AbandonedFiles.sweep(FileRename.folder(of: path))
            return value
        }
    }

    private func apply<Value>(
        _ change: (inout ServerList) throws(ServerListError) -> Value, to list: inout ServerList
    ) throws(ServerDirectoryError) -> Value {
        do throws(ServerListError) { return try change(&list) } catch { throw .list(error) }
    }

    /// The paths of damaged lists that were renamed, in order.
    package var setAsideLists: [String] {
        guard case .folder(let folder) = place else { return [] }
        return FolderNames.all(in: folder).filter { $0.hasPrefix("servers.json.damaged-") }
            .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.map { "\(folder)/\($0)" }
    }

    private enum Contents {
        case list(ServerList)
        case damaged
    }

    private func read(_ path: String) throws(ServerDirectoryError) -> Contents {
        let bytes: [UInt8]
        do throws(FileSystemError) {
            bytes = try FileContents(path, trust: .state, limit: Self.sizeLimit).bytes
        } catch {
            if error.isAbsent { return .list(ServerList()) }
            throw .file(error)
        }
        guard let state = JSONValue(parsing: bytes) else { return .damaged }
        guard let list = try? ServerList(state: state) else {
            // A newer argus may have changed the format: its file is not damaged.
            if var object = try? JSONObject(state), let version = try? object.integer("version"),
                version > 1
            {
                throw .newerVersion(path: path)
            }
            return .damaged
        }
        if !list.unreadable.isEmpty { report(.unreadableRecords(list.unreadable.count)) }
        return .list(list)
    }

    private func setAside(_ path: String) throws(ServerDirectoryError) {
        do throws(FileSystemError) {
            report(.setAside(path: try FileRename.setAside(path)))
        } catch { throw .file(error) }
    }
}

/// The reason why the server records could not be read or changed.
package enum ServerDirectoryError: Error, Hashable, Sendable {
    /// There is no state folder, for this reason.
    case noPlace(reason: String)
    /// This user can never write the state folder, for this reason.
    case unwritable(folder: String, FileSystemError.Reason)
    case file(FileSystemError)
    /// A newer argus wrote the file in an unknown format.
    case newerVersion(path: String)
    /// The change was refused; nothing was written.
    case list(ServerListError)

    /// The error for a failed change in the state folder.
    fileprivate static func writing(
        in folder: String, _ error: FileSystemError
    ) -> ServerDirectoryError {
        error.isUnwritablePlace ? .unwritable(folder: folder, error.reason) : .file(error)
    }
}

extension ServerDirectoryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noPlace(let reason): "nothing can be kept: \(reason)"
        case .unwritable(let folder, let reason): "nothing can be kept in '\(folder)': \(reason)"
        case .file(let error): error.description
        case .newerVersion(let path): "'\(path)' was written by a newer argus"
        case .list(let error): error.description
        }
    }
}
