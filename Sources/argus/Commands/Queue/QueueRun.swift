import ArgusAccount
import ArgusCore
import ArgusKit
import CommandLineKit

enum QueueRun: ArgusCommand {
    static let about = CommandInfo(
        name: "run", summary: "Send the changes that wait", effect: .changes,
        description: """
            Sends the changes made with \(code: "--queue") to all servers, or to that of
            \(flag: "server"), each as the user who made it. Runs no commands of watches.

            Changes of one thing are sent in order. If somebody else has changed it meanwhile, the
            change is a conflict: argus keeps it, overwrites nothing, and ends with status 10
            until \(command: "queue retry") or \(command: "queue drop") decides. argus sets a
            change aside if the server refuses it, or after three tries that it answered with a failure. While
            the server is down, no try counts.
            """,
        examples: [
            "argus queue run": "Send everything that is due",
            "argus queue run --quiet": "From a timer",
        ],
        exitStatuses: .requests(3, 11), prints: .lists(SentWrite.fields()))

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let names = try context.serverNames()
        let printer = try context.printer(of: SentWrite.fields(names), .list)
        guard let store = WriteStore(in: context.system.paths.state) else { return }
        var outcome = BatchResult()
        let servers = try await context.serversOfQueue(store)
        for server in servers {
            let (sent, failures) = await context.sendAll(
                of: store, to: server, named: names[server])
            for row in sent { try printer.write(row) }
            for (id, failure) in failures { outcome.record(failure, of: id) }
        }
        let left = servers.flatMap { store.writes(of: $0).writes }.count { $0.status == .setAside }
        try printer.finish(
            whenEmpty: left == 0 ? "no change is due" : "nothing was sent",
            counting: ListCount(("change", "changes")))
        if left > 0 {
            let (what, them) = left == 1 ? ("1 change was", "it") : ("\(left) changes were", "them")
            // In quiet runs too: these are not sent until a user decides.
            context.console.noticeAlways(
                "argus: \(what) set aside; 'argus queue list' lists \(them)")
        }
        try outcome.finish()
    }
}

/// A change of the queue and the result of a try.
struct SentWrite: Sendable {
    var item: QueuedWrite
    var result: String
    var failure: Failure?

    static func fields(_ servers: [String: String] = [:]) -> [Field<SentWrite>] {
        [
            .column("id", "its id for 'argus queue'") { $0.item.id }.shortened,
            .column("server", "the server's name") { QueueView.name($0.item.server, servers) },
            .column("operation", "the command, such as 'cameras disable'") {
                $0.item.write.operation
            },
            .column("object", "the object that it changes") {
                $0.item.label ?? $0.item.write.object
            }.shrinking(1),
            .column(
                "result",
                "sent, done (already so), conflict, waits, set_aside, refused or other_user"
            ) { $0.result },
            .column("reason", "why it was not sent") { $0.failure?.message }.shrinking(0, to: 12),
        ]
    }

    fileprivate init(
        _ item: QueuedWrite, _ outcome: WriteReplay.Outcome, on server: SignedInServer
    ) async {
        self.item = item
        let doing = "run '\(item.write.operation)'"
        switch outcome {
        case .sent: result = "sent"
        case .alreadyDone: result = "done"
        case .conflict: (result, failure) = ("conflict", .conflict(item))
        case .failed(let error):
            result = item.tries + 1 < QueuedWrite.tryLimit ? "waits" : "set_aside"
            failure = await server.failure(error, doing: doing)
        case .refused(let error):
            (result, failure) = ("refused", await server.failure(error, doing: doing))
        case .otherUser:
            result = "other_user"
            failure = Failure(
                .forbidden, "this is the change of another user than the one signed in",
                hint: "sign in as that user, or remove it with 'argus queue drop \(item.id)'",
                reason: "other_user")
        }
    }
}

extension Context {
    /// The servers to send to: that of `--server`, else those for which changes wait.
    fileprivate func serversOfQueue(_ store: WriteStore) async throws(Failure) -> [String] {
        if let named = globals.server {
            return [try knownServer(named, in: try knownServers()).id.text]
        }
        // Nothing needs to be sent to a server whose folder a killed process has left empty.
        for server in try attempt(store.servers) {
            try await attempt(awaiting: await store.tidy(server))
        }
        return try attempt(store.servers)
    }

    /// Sends what is due to one server; the failures are by id of a change, or by server's name.
    fileprivate func sendAll(
        of store: WriteStore, to id: String, named name: String?
    ) async -> (sent: [SentWrite], failures: [(String, Failure?)]) {
        let rows = Collected<SentWrite>()
        var failures: [(String, Failure?)] = []
        var globals = globals
        globals.server = id
        let context = Context(globals: globals, system: system)
        do throws(Failure) {
            guard name != nil else {
                throw Failure(
                    .notFound, "changes wait for a server that argus no longer knows",
                    hint: "'argus queue list' lists them, and 'queue drop' removes them")
            }
            let server = try await context.server()
            guard let replay = context.replay(to: server) else {
                throw Failure(
                    .usage, "changes are sent with the stored sign-in of '\(server.name)' only")
            }
            let end = try await attempt(
                awaiting: await replay.run(timeout: .seconds(60)) { write, outcome in
                    rows.add(await SentWrite(write, outcome, on: server))
                })
            switch end {
            case .complete: break
            case .stopped(let error):
                var failure = await server.failure(error, doing: "send waiting changes")
                failure.hint = failure.hint ?? "the changes wait on; 'argus queue list' lists them"
                failures.append((server.name, failure))
            case .busy:
                throw Failure(
                    .failed, "another argus still sends the changes for '\(server.name)'",
                    hint: "what it leaves is sent by the next run", reason: "busy")
            }
        } catch {
            failures.append((name ?? id, error))
        }
        _ = await context.close()
        let sent = rows.take()
        failures += sent.map { ($0.item.id, $0.failure) }
        let seen = Set(sent.map(\.item.id))
        let stored = store.writes(of: id)
        for write in stored.writes where write.status == .conflict && !seen.contains(write.id) {
            failures.append((write.id, .conflict(write)))
        }
        for file in stored.unreadable {
            failures.append((name ?? id, Failure(.failed, "\(file)", hint: file.remedy)))
        }
        return (sent, failures)
    }
}

extension Failure {
    fileprivate static func conflict(_ write: QueuedWrite) -> Failure {
        Failure(
            .rejected,
            write.isBlind
                ? "argus had not seen \(write.subject) before the change, and overwrites nothing unseen"
                : "\(write.subject) was changed on the server since",
            hint: "'argus queue show \(write.id)' shows both; 'queue retry' sends it all the same, "
                + "'queue drop' removes it", reason: "conflict")
    }
}
