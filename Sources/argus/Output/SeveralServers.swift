import ArgusAccount
import ArgusCore
import CommandLineKit

/// The servers that `--server all` and `--server A,B` select.
enum SeveralServers: Equatable {
    case all
    case named([String])

    /// Reads the option's value; nil if it names one server.
    init?(_ text: String) {
        if text == "all" {
            self = .all
            return
        }
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        // A comma may be a part of one address.
        let isList = !text.contains("://") || words.allSatisfy { $0.contains("://") }
        guard words.count > 1, isList else { return nil }
        self = .named(words)
    }

    /// The records, each once.
    ///
    /// - Throws: `Failure` 3 for an unknown name, 2 for an ambiguous one, 4 without any sign-in.
    private func records(in list: ServerList) throws(Failure) -> [ServerRecord] {
        switch self {
        case .all:
            let records = list.servers.filter { $0.account != nil }
            guard let first = list.servers.first else { throw Failure(ServerError.noneKnown) }
            guard !records.isEmpty else {
                let login = first.endpoints.first?.address ?? first.name
                throw Failure(ServerError.notSignedIn(server: first.name, login: login))
            }
            return records
        case .named(let words):
            if words.contains("all"), !list.servers.contains(where: { $0.name == "all" }) {
                throw Failure(.usage, "--server all cannot be combined with names")
            }
            return try words.map { (word) throws(Failure) in try attempt(list.record(of: word)) }
                .distinct
        }
    }
}

/// The servers of a run that works on all of them at the same time.
struct OpenServers {
    var servers: [SignedInServer] = []
    /// The servers that cannot be used, by name.
    var failures: [(name: String, failure: Failure)] = []
    /// False for a run on one server, whose results do not name it.
    var areSeveral = true
}

extension GlobalOptions {
    /// The servers of this run if `--server` names several.
    var severalServers: SeveralServers? { server.flatMap(SeveralServers.init) }

    /// Checks that `--server` names one server, unless the command at the path takes several.
    func expectServers(for command: Invocation, of path: [String]) throws(Failure) {
        guard severalServers != nil, !command.takesSeveralServers else { return }
        throw Failure(
            .usage,
            "'argus \(path.joined(separator: " "))' uses one server at a time, but --server names "
                + "several", hint: "these take several: \(SeveralServers.commands)")
    }
}

extension SeveralServers {
    /// The commands that take several servers.
    static let commands = """
        cameras, cameras snapshot, devices, events, events stats, events watch, keys, \
        pair pending, push subscriptions, sessions, whoami
        """

    /// Runs a verb on the servers at once, and prints their rows as one list, by time if each list
    /// is, with the server's name as the first field.
    func run<Verb: ArgusCommand>(
        _ verb: Verb.Type, _ options: Verb.Options, in context: Context
    ) async throws(Failure) {
        try expectFields(of: verb, in: context)
        let records = try records(in: context)
        let results = await records.mapInParallel(8) { record in
            await rows(of: verb, options, from: record, in: context)
        }
        let lists = results.map(\.rows)
        if !lists.contains(where: \.isHidden) {
            let printer = try context.printer(of: CollectedRow.fields(like: lists), .list)
            for row in CollectedRow.merged(lists) { try printer.write(row) }
            try printer.finish(
                whenEmpty: "the lists are empty", counting: CollectedRow.count(of: lists))
        }
        var result = BatchResult()
        for (rows, failure) in results { result.record(failure, of: rows.server) }
        try result.finish()
    }

    /// Opens the servers at once, for a run that works on all of them; those that cannot be opened are
    /// in the result.
    /// - Throws: `Failure` if none can be opened.
    func open(in context: Context) async throws(Failure) -> OpenServers {
        let opened = try await records(in: context).mapInParallel(8) { record in
            let own = self.context(for: record, in: context)
            let server = await result { () async throws(Failure) in try await own.server() }
            return (name: record.name, server: server)
        }
        var open = OpenServers()
        for (name, server) in opened {
            switch server {
            case .success(let server): open.servers.append(server)
            case .failure(let failure): open.failures.append((name, failure))
            }
        }
        if open.servers.isEmpty {
            var result = BatchResult()
            for (name, failure) in open.failures { result.record(failure, of: name) }
            try result.finish()
        }
        return open
    }

    /// The records of the servers, once it is clear that the run is possible for several.
    private func records(in context: Context) throws(Failure) -> [ServerRecord] {
        if context.globals.isRaw { throw Failure(.usage, "--raw is for one server; leave it out") }
        if let explicit = try attempt(context.credentialOverrides.resolve()) {
            throw Failure(
                .usage, "the credentials of \(explicit.source) are for one server",
                hint: "name that server with --server")
        }
        return try records(in: try context.knownServers())
    }

    /// The context of a run for one of the servers.
    private func context(for record: ServerRecord, in context: Context) -> Context {
        var globals = context.globals
        globals.server = record.id.text
        // `--fields` applies when the rows of all servers are printed.
        globals.fields = nil
        var own = Context(globals: globals, system: context.system)
        // The end of the whole run is the end of this one too.
        own.usedServers = context.usedServers
        return own
    }

    /// Runs a verb on one of several servers, and keeps its rows and its failure.
    private func rows<Verb: ArgusCommand>(
        of verb: Verb.Type, _ options: Verb.Options, from record: ServerRecord,
        in context: Context
    ) async -> (rows: CollectedRows, failure: Failure?) {
        var own = self.context(for: record, in: context)
        let rows = CollectedRows(of: record.name, fields: context.globals.fields?.values)
        own.collected = rows
        do throws(Failure) {
            try verb.check(options, in: own)
            try await verb.run(options, in: own)
        } catch {
            return (rows, error)
        }
        return (rows, nil)
    }

    /// - Throws: `Failure` 2 for a name in `--fields` that the list does not have.
    private func expectFields<Verb: ArgusCommand>(
        of verb: Verb.Type, in context: Context
    ) throws(Failure) {
        let fields =
            [CollectedRow.serverField]
            + verb.about.fields.filter { $0.name != CollectedRow.serverField.name }
            .map { info in Field(info.name, info.summary) { _ in .null } }
        _ = try context.printer(of: fields, .list)
    }
}
