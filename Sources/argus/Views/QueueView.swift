import ArgusKit

/// The canonical fields of work that waits; `servers` has the names of servers by their ids.
enum QueueView {
    static func fields(_ servers: [String: String] = [:]) -> [Field<QueueItem>] {
        [
            .column("id", "its id; that of the event for a hook") { $0.id }.shortened,
            .column("kind", "what waits: hook, the command of a watch") { $0.kind.rawValue },
            .column("state", "the state of the watch, as --state named it") { $0.state },
            .hidden("server", "the server's name") { name($0.server, servers) },
            .column("status", "waiting, or set_aside after too many failures") {
                $0.status.rawValue
            }.colored { $0 == .text(QueueItem.Status.setAside.rawValue) ? .red : nil },
            .column("tries", "how often it has failed") { $0.tries },
            .column("next_try", "when it is tried again; null if it was set aside") { $0.nextTry },
            .column("subject", "what it is about, in short") { subject($0.event) }.shrinking(1),
            .column("reason", "why the last try failed") { $0.reason }.shrinking(0, to: 12),
            .hidden("added_at", "when it was added") { $0.addedAt },
            Field("event", "the event, with the fields of 'events list'", isColumn: false) { item in
                .object(EventView.fields.map { .init($0.name, $0.value(item.event)) })
            },
        ]
    }

    /// The name of a server, or the id of one that is not known any more.
    static func name(_ id: String?, _ servers: [String: String]) -> String? {
        id.map { servers[$0] ?? $0 }
    }

    /// The event in a few words: `person, Front Door`.
    static func subject(_ event: Event) -> String {
        [event.type, event.cameraName ?? event.cameraID].compactMap(\.self).joined(separator: ", ")
    }
}

/// The canonical fields of the states of watches.
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
    /// The names of the known servers by their ids.
    func serverNames() throws(Failure) -> [String: String] {
        Dictionary(
            try knownServers().servers.map { ($0.id.text, $0.name) }, uniquingKeysWith: { $1 })
    }
}
