package import ArgusCore
import Glibc

/// The state folder, clock and notices of the services that change sign-ins.
package struct StateEnvironment: Sendable {
    /// The state folder.
    package var folder: Paths.Folder
    package var now: @Sendable () -> Timestamp
    package var sleep: @Sendable (Duration) async throws -> Void
    /// Receives a sentence for the user.
    package var notify: @Sendable (String) -> Void
    /// Receives a sentence for debugging.
    package var debug: @Sendable (String) -> Void

    package init(
        _ folder: Paths.Folder, now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        notify: @escaping @Sendable (String) -> Void,
        debug: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.folder = folder
        self.now = now
        self.sleep = sleep
        self.notify = notify
        self.debug = debug
    }

    /// Waits, or returns early if the task is cancelled.
    package var pause: @Sendable (Duration) async -> Void {
        { [sleep] duration in try? await sleep(duration) }
    }
}

// The locks between processes that change sign-ins: one for each server, and one for new sign-ins.
extension StateEnvironment {
    /// The longest wait for another process.
    package static let lockTimeout = Duration.seconds(35)
    /// The part of the wait that passes without a notice.
    private static let silence = Duration.seconds(2)

    /// Takes the lock of a server; nil if there is no state folder.
    ///
    /// - Throws: `FileSystemError`; `.locked` after `timeout`.
    package func takeSessionLock(
        _ server: ServerID, within timeout: Duration = lockTimeout
    ) async throws(FileSystemError) -> FileLock? {
        try await take("\(server.text).session.lock", timeout)
    }

    /// Changes the secrets of a server while no renewal does; runs even if no lock can be taken.
    ///
    /// - Throws: The error of `work`.
    package func withSessionLock<Value, Failure: Error>(
        _ server: ServerID, _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withLock("\(server.text).session.lock", work)
    }

    /// Stores a sign-in while no other process stores one for any server, with the same exceptions.
    ///
    /// - Throws: The error of `work`.
    package func withSignInLock<Value, Failure: Error>(
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withLock("sign-in.lock", work)
    }

    /// Removes the locks, and what else is named by a server that is no longer known.
    func eraseFiles(of server: ServerID) {
        guard case .folder(let folder) = folder else { return }
        for name in FolderNames.all(in: folder) where name.hasPrefix(server.text + ".") {
            unlink("\(folder)/\(name)")
        }
    }

    private func withLock<Value, Failure: Error>(
        _ name: String, _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let lock: FileLock?
        do throws(FileSystemError) {
            lock = try await take(name, Self.lockTimeout)
        } catch {
            debug("\(error)")
            lock = nil
        }
        let value = try await work()
        lock.release()
        return value
    }

    private func take(
        _ name: String, _ timeout: Duration
    ) async throws(FileSystemError) -> FileLock? {
        guard case .folder(let folder) = folder else { return nil }
        try PrivateFolder.prepare(folder)
        let (path, first) = ("\(folder)/\(name)", min(timeout, Self.silence))
        do throws(FileSystemError) {
            return try await FileLock(path, timeout: first, sleep: sleep)
        } catch {
            guard error.reason == .locked, timeout > first else { throw error }
        }
        let rest = timeout - first
        notify("another argus process is changing the sign-in; waiting \(rest.words) at most")
        return try await FileLock(path, timeout: rest, sleep: sleep)
    }
}
