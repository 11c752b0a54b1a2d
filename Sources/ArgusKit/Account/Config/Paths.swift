package import ArgusCore
import Glibc

/// The folders of argus's files (XDG Base Directory Specification).
package struct Paths: Hashable, Sendable {
    /// A folder, or the reason why there is none.
    package enum Folder: Hashable, Sendable {
        /// An absolute path without a trailing slash; the folder need not exist.
        case folder(String)
        /// There is no folder, for this reason.
        case none(reason: String)

        /// The path of a file in the folder; nil if there is no folder.
        package func file(_ name: String) -> String? {
            guard case .folder(let path) = self else { return nil }
            return path + "/" + name
        }
    }

    /// The folder of `config.toml`, which users edit.
    package var configuration: Folder
    /// The folder of servers, locks, sealed credentials and cursors.
    package var state: Folder
    /// The folder of files that may vanish at any time.
    package var cache: Folder

    package init(configuration: Folder, state: Folder, cache: Folder) {
        self.configuration = configuration
        self.state = state
        self.cache = cache
    }

    /// Finds the folders through the environment, ignoring relative values, or the user database.
    package init(
        _ environment: Environment,
        homeFromUserDatabase: () -> String? = Paths.homeFromUserDatabase
    ) {
        let home = Self.home(environment, homeFromUserDatabase)
        let owner = home.file("").flatMap(Self.foreignOwner)
        func find(_ variable: String, _ underHome: String) -> Folder {
            if let base = absolute(environment[variable]) { return .folder(base + "/argus") }
            guard case .folder(let home) = home else { return home }
            let folder = home + underHome + "/argus"
            // This user may not enter the folder, or cannot reach it.
            if let owner, access(folder, X_OK) != 0, errno == EACCES {
                return .none(reason: "HOME belongs to another user (uid \(owner))")
            }
            return .folder(folder)
        }
        configuration = find("XDG_CONFIG_HOME", "/.config")
        cache = find("XDG_CACHE_HOME", "/.cache")
        if absolute(environment["XDG_STATE_HOME"]) == nil,
            let unit = Self.unitFolder(environment["STATE_DIRECTORY"])
        {
            state = .folder(unit)
        } else {
            state = find("XDG_STATE_HOME", "/.local/state")
        }
    }

    /// The path of `config.toml`; nil if there is no folder for it.
    package var configurationFile: String? { configuration.file("config.toml") }

    /// The home folder of this process's user in the user database (getpwuid_r(3)).
    package static func homeFromUserDatabase() -> String? { userDatabase(\.pw_dir) }

    /// The name of this process's user in the user database (getpwuid_r(3)).
    package static func userFromUserDatabase() -> String? { userDatabase(\.pw_name) }

    private static func userDatabase(_ member: (passwd) -> UnsafeMutablePointer<CChar>?) -> String?
    {
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return buffer.withUnsafeMutableBufferPointer { space in
            guard let start = space.baseAddress,
                getpwuid_r(geteuid(), &entry, start, space.count, &found) == 0,
                let text = found.flatMap({ member($0.pointee) })
            else { return nil }
            return String(cString: text)
        }
    }

    private static func home(_ environment: Environment, _ userDatabase: () -> String?) -> Folder {
        if let home = environment["HOME"] {
            return absolute(home).map(Folder.folder)
                ?? .none(reason: "HOME is not an absolute path")
        }
        return absolute(userDatabase()).map(Folder.folder)
            ?? .none(reason: "HOME is unset and the user database names no home folder")
    }

    /// The owner of a home folder if it is another user.
    private static func foreignOwner(of home: String) -> uid_t? {
        var status = stat()
        return stat(home, &status) == 0 && status.st_uid != geteuid() ? status.st_uid : nil
    }

    /// The first folder that systemd made for the unit, which may be a link (systemd.exec(5)).
    private static func unitFolder(_ list: String?) -> String? {
        guard let first = list?.split(separator: ":").first,
            let path = absolute(String(first))
        else { return nil }
        return SymbolicLink.destination(of: path)
    }
}

/// Normalises a path that begins with `/` by dropping trailing slashes; nil for any other.
private func absolute(_ path: String?) -> String? {
    guard let path, path.hasPrefix("/") else { return nil }
    let folder = FileRename.withoutSlash(path)
    return folder == "/" ? "" : folder
}

extension Paths.Folder {
    /// Runs `work` while no other process holds the lock file of that name in the folder.
    ///
    /// Without a folder, `work` runs at once. `unlocked` receives the reason when another process
    /// holds the lock for `timeout`, or no lock can be taken; `work` then runs without it unless
    /// `unlocked` throws.
    /// - Throws: The error of `unlocked` or `work`.
    package func withLock<Value, Failure: Error>(
        _ name: String, timeout: Duration,
        sleep: FileLock.Sleep = { try await Task.sleep(for: $0) },
        unlocked: ((FileSystemError) throws(Failure) -> Void)? = nil,
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard case .folder(let folder) = self else { return try await work() }
        let lock: FileLock?
        do throws(FileSystemError) {
            try PrivateFolder.prepare(folder)
            lock = try await FileLock("\(folder)/\(name)", timeout: timeout, sleep: sleep)
        } catch {
            try unlocked?(error)
            lock = nil
        }
        let value = try await work()
        lock.release()
        return value
    }
}
