package import ArgusAccount
package import ArgusCore
import Glibc

/// The named state of a watch: its server, its filter and its ledger, held by one process at a time.
///
/// A folder below `watch/` of the state folder, with the files `lock`, `pid` (the owner's process
/// id), `command` (the program that it runs for each event, if it runs one), `watch.json` and `ledger`.
package final class WatchState: Sendable {
    /// The longest name, in characters.
    package static let longestName = 64

    package let name: String
    /// The time at which a first watch took the state.
    package let begunAt: Timestamp
    private let folder: String
    private let lock: FileLock

    /// Takes the state of that name, which a first watch creates.
    ///
    /// It belongs to one server, by the id of its record, and to one filter, by its text.
    ///
    /// - Throws: `WatchStateError`.
    package init(
        _ name: String, of server: String, _ filter: String, in state: Paths.Folder,
        at now: Timestamp
    ) async throws(WatchStateError) {
        self.name = name
        switch state {
        case .folder(let path): folder = "\(path)/watch/\(name)"
        case .none(let reason): throw .noFolder(reason: reason)
        }
        lock = try await Self.lock(folder, named: name)
        let file = Self.binding(in: folder)
        let contents: StateFile<WatchBinding>.Contents
        do throws(FileSystemError) {
            // A full disk must not keep a watch from going on; the pid only informs.
            try? AtomicFile.write(
                Array("\(getpid())\n".utf8), to: folder + "/pid", for: .cache, replacing: true)
            unlink(Self.command(in: folder))
            contents = try file.read()
            if case .absent = contents {
                try file.write(WatchBinding(server: server, filter: filter, begunAt: now))
            }
        } catch {
            throw .file(error)
        }
        switch contents {
        case .absent: begunAt = now
        case .value(let known):
            begunAt = known.begunAt
            guard known.server == server else { throw .otherServer(name) }
            guard known.filter == filter else { throw .otherFilter(name, known.filter) }
        case .damaged: throw .damaged(file.path)
        case .newer: throw .newer(file.path)
        }
    }

    /// Records the program that this watch runs for each event, so that other processes know it; a
    /// failure changes nothing for the watch.
    package func record(command: String) {
        try? AtomicFile.write(
            Array("\(command)\n".utf8), to: Self.command(in: folder), for: .cache, replacing: true)
    }

    static func command(in folder: String) -> String { folder + "/command" }

    package var ledger: LedgerFile { LedgerFile(folder + "/ledger") }

    /// The decisions about alarms.
    package var alarms: StateFile<AlarmState> { StateFile(folder + "/alarms.json", for: .state) }

    /// The folder of the events whose hooks are to be run.
    package var hooks: String { Self.hooks(in: folder) }

    static func hooks(in folder: String) -> String { folder + "/hooks" }

    /// Takes the lock of a state's folder, which is made if it is absent.
    /// - Throws: `WatchStateError`; `.running` while another process has it.
    static func lock(
        _ folder: String, named name: String
    ) async throws(WatchStateError) -> FileLock {
        do throws(FileSystemError) {
            try PrivateFolder.prepare(folder)
            return try await FileLock(folder + "/lock", timeout: .zero)
        } catch {
            if error.reason == .locked { throw .running(name, pid: owner(folder)) }
            throw .file(error)
        }
    }

    static func binding(in folder: String) -> StateFile<WatchBinding> {
        StateFile(folder + "/watch.json", for: .state)
    }

    /// The process that holds the lock, as it recorded itself; nil if it did not.
    static func owner(_ folder: String) -> pid_t? {
        pid_t(FileContents.text(of: folder + "/pid", trust: .state, limit: 64).dropLast())
    }
}

/// The reason why a state cannot be used.
package enum WatchStateError: Error, Sendable, CustomStringConvertible {
    case noFolder(reason: String)
    /// Another process watches with this state.
    case running(String, pid: Int32?)
    /// The state belongs to another server.
    case otherServer(String)
    /// The state belongs to a watch with another filter, whose text this is.
    case otherFilter(String, String)
    case damaged(String)
    /// The file has the layout of a newer argus.
    case newer(String)
    case file(FileSystemError)

    package var description: String {
        switch self {
        case .noFolder(let reason): "there is no folder for the state: \(reason)"
        case .running(let name, let pid):
            "the state '\(name)' is in use" + (pid.map { " by process \($0)" } ?? "")
        case .otherServer(let name): "the state '\(name)' belongs to another server"
        case .otherFilter(let name, let filter):
            "the state '\(name)' belongs to a watch with "
                + (filter.isEmpty ? "no conditions" : "'\(filter)'")
        case .damaged(let path): "'\(path)' is damaged"
        case .newer(let path): "'\(path)' was written by a newer argus"
        case .file(let error): "\(error)"
        }
    }
}

/// The server and the filter of a state.
///
///     {"version":1,"server":"sz6tejcs","filter":"--type package",
///      "begun_at":"2026-11-20T23:36:48Z"}
struct WatchBinding {
    var server: String
    var filter: String
    var begunAt: Timestamp
}

extension WatchBinding: StateDocument {
    init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(document: state)
        server = try object.text("server").required()
        filter = Self.readable(try object.text("filter").required())
        begunAt = try object.time("begun_at").required()
    }

    var state: JSONValue {
        var object = JSONObject.document()
        object.put("server", server)
        object.put("filter", filter)
        object.put("begun_at", begunAt)
        return object.value
    }

    /// The text of a filter with cameras as typed; earlier versions wrote them as
    /// `--camera CameraList(text: "Front Door")`.
    private static func readable(_ text: String) -> String {
        let parts = text.split(separator: "CameraList(text: \"", omittingEmptySubsequences: false)
        guard let first = parts.first else { return text }
        return parts.dropFirst().reduce(String(first)) { read, part in
            guard let end = part.firstRange(of: "\")") else { return read + part }
            let name = part[..<end.lowerBound].replacing("\\\"", with: "\"")
                .replacing("\\\\", with: "\\")
            return read + name + part[end.upperBound...]
        }
    }
}
