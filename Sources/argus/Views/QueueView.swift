import ArgusAccount
package import ArgusCore
import ArgusEvents
import ArgusKit

/// The canonical fields of work that waits; `servers` has the names of servers by their ids.
enum QueueView {
    /// The fields; for people, what needs a watch has no time of a next try.
    static func fields(
        _ servers: [String: String] = [:], forPeople: Bool = false
    ) -> [Field<QueueItem>] {
        [
            .column("id", "its id; that of the event for a hook") { $0.id }.shortened,
            .column("kind", "hook, the command of a watch, or write, a change for a server") {
                $0.kind.rawValue
            }.onTerminals(from: 100),
            .column("state", "the state of the watch, as --state named it; null for a write") {
                $0.state
            }.onTerminals(from: 80),
            .hidden("server", "the server's name") { name($0.server, servers) },
            .column(
                "status", "waiting, set_aside after too many failures or a refusal, or conflict"
            ) {
                $0.status.rawValue
            }.colored { $0 == .text(QueuedWrite.Status.waiting.rawValue) ? nil : .red },
            .column("tries", "how often it has failed") { $0.tries }.onTerminals(from: 80),
            .column("next_try", "when it is tried again; null if it was set aside") {
                forPeople && $0.needsWatch ? .text("next watch") : $0.nextTry.fieldValue
            }.ofType(.nullable(.time)),
            .column("subject", "what it is about, in short") { $0.subject }.shrinking(1).leading,
            .column("reason", "why the last try failed") { $0.reason }.shrinking(0, to: 12),
            .hidden("added_at", "when it was added") { $0.addedAt },
            .hidden("event", "the event of a hook, with the fields of 'events list'") { item in
                item.event.map { event in
                    FieldValue.object(EventView.fields.map { .init($0.name, $0.value(event)) })
                }
            }.ofType(.nullable(.object)).untrusted,
            .hidden("operation", "the command of a write, such as 'cameras disable'") {
                $0.write?.write.operation
            },
            .hidden("user", "the user who made the write, by name or id") {
                $0.write.flatMap { $0.user.name ?? $0.user.id }
            },
            .hidden("body", "the object of a write and its new values") {
                $0.write.map { JSONValue.object($0.write.call.document) }
            }.ofType(.nullable(.object)),
            .hidden("base", "the values that a write replaces; null if they were never seen") {
                $0.write.flatMap { $0.base.isEmpty ? nil : JSONValue.object($0.base) }
            }.ofType(.nullable(.object)),
            .hidden("found", "for a conflict, the values that the server has") {
                $0.write?.found.map(JSONValue.object)
            }.ofType(.nullable(.object)),
        ]
    }

    /// The name of a server, or the id of one that is no longer known.
    static func name(_ id: String?, _ servers: [String: String]) -> String? {
        id.map { servers[$0] ?? $0 }
    }
}

extension JSONValue: FieldConvertible {
    /// The value of a field, with the members of objects sorted by name.
    package var fieldValue: FieldValue {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .text(let text): .text(text)
        case .list(let list): .list(list.map(\.fieldValue))
        case .object(let members):
            .object(members.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.fieldValue) })
        }
    }
}

enum WatchStateView {
    static func fields(_ servers: [String: String] = [:]) -> [Field<WatchStates.Summary>] {
        [
            .column("name", "the name for --state") { $0.name },
            .column("server", "the server's name") { QueueView.name($0.server, servers) },
            .column("filter", "the conditions, as typed") { $0.filter }.shrinking(0),
            .column("running", "whether a process watches with it") { $0.isRunning }
                .coloringYes(.green),
            .column("pid", "the process that watches with it") { $0.pid.map { Int($0) } },
            .column("last_pass", "until when it has read everything") { $0.lastPass },
        ]
    }
}

extension Context {
    /// The fields of what waits, for the output of this run.
    func queueFields() throws(Failure) -> [Field<QueueItem>] {
        QueueView.fields(try serverNames(), forPeople: try isForScreen())
    }

    /// The names of the known servers by their ids.
    func serverNames() throws(Failure) -> [String: String] {
        Dictionary(
            try knownServers().servers.map { ($0.id.text, $0.name) }, uniquingKeysWith: { $1 })
    }
}
