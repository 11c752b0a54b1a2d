package import ArgusAccount
package import ArgusCore
import Glibc

/// The states of watches of this user, by name.
package struct WatchStates: Sendable {
    /// A state as its files give it.
    package struct Summary: Sendable, Equatable {
        package var name: String
        /// The id of the server's record; nil if the file is damaged.
        package var server: String?
        /// The conditions of the watch, as typed.
        package var filter: String?
        /// True while a process watches with it.
        package var isRunning: Bool
        /// The process that watches with it, as it recorded itself.
        package var pid: Int32?
        /// The program that this process runs for each event; nil if it runs none.
        package var command: String?
        /// The start of the last complete pass, by the server's clock.
        package var lastPass: Timestamp?
    }

    /// The folder of all states; nil if nothing can be kept.
    private let folder: String?

    package init(in state: Paths.Folder) { folder = state.file("watch") }

    /// The names of all states, sorted.
    package var names: [String] { FolderNames.all(in: folder ?? "").sorted() }

    /// All states, by name.
    /// - Throws: `FileSystemError` if a file cannot be read or others may have written it.
    package func all() throws(FileSystemError) -> [Summary] {
        try names.map { name throws(FileSystemError) in try summary(of: name) }
    }

    /// A state by its name.
    /// - Throws: `FileSystemError` as `all` does.
    package func summary(of name: String) throws(FileSystemError) -> Summary {
        let path = path(of: name)
        let isRunning = try isRunning(name)
        let binding = WatchState.binding(in: path).value
        return Summary(
            name: name, server: binding?.server, filter: binding?.filter,
            isRunning: isRunning, pid: isRunning ? WatchState.owner(path) : nil,
            command: isRunning ? command(of: path) : nil,
            lastPass: try LedgerFile(path + "/ledger").read().lastPass)
    }

    /// True while a process watches with a state.
    /// - Throws: `FileSystemError` if its lock cannot be read.
    package func isRunning(_ name: String) throws(FileSystemError) -> Bool {
        try FileLock.isHeld(path(of: name) + "/lock")
    }

    /// The id of the server's record of a state; nil if its file is damaged.
    package func server(of name: String) -> String? {
        WatchState.binding(in: path(of: name)).value?.server
    }

    /// The folder of the events whose hooks are to be run.
    package func hooks(of name: String) -> String { WatchState.hooks(in: path(of: name)) }

    /// What a watch has done with an event so far, as its state shows it to other processes.
    package enum Handover: Sendable, Equatable {
        case none
        /// It was handed over; `waiting` if its command has not ended with success yet.
        case done(waiting: HookEntry?)
    }

    /// Returns what the watch of a state has done with an event.
    /// - Throws: `UnreadableFile`.
    package func handover(of event: String, in name: String) throws(UnreadableFile) -> Handover {
        // The ledger first: an event is in the store of hooks before it is in the ledger.
        let ledger = LedgerFile(path(of: name) + "/ledger")
        let isKnown = try rethrowing(ledger.read(), as: UnreadableFile.init).contains(event)
        let waiting = try HookStore(hooks(of: name)).entry(event)
        return isKnown || waiting != nil ? .done(waiting: waiting) : .none
    }

    private func command(of path: String) -> String? {
        let text = FileContents.text(of: WatchState.command(in: path), trust: .state, limit: 4096)
        return text.isEmpty ? nil : String(text.dropLast())
    }

    /// Removes a state with everything in it; false if there is none.
    ///
    /// - Throws: `WatchStateError`; `.running` while a process watches with it.
    package func forget(_ name: String) async throws(WatchStateError) -> Bool {
        let path = path(of: name)
        guard folder != nil, FileContents.exists(path) else { return false }
        let lock = try await WatchState.lock(path, named: name)
        do throws(FileSystemError) {
            let hooks = hooks(of: name)
            for name in FolderNames.all(in: hooks) { try FileRename.remove("\(hooks)/\(name)") }
            if rmdir(hooks) != 0, errno != ENOENT { throw .current(.remove, hooks) }
            // The lock last: until then no other watch begins here.
            for name in FolderNames.all(in: path).filter({ $0 != "lock" }) + ["lock"] {
                try FileRename.remove("\(path)/\(name)")
            }
            guard rmdir(path) == 0 else { throw .current(.remove, path) }
        } catch {
            throw .file(error)
        }
        lock.release()
        return true
    }

    private func path(of name: String) -> String { "\(folder ?? "")/\(name)" }
}
