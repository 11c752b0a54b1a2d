import ArgusAccount
import ArgusCore
import ArgusKit
import ArgusPush
import ArgusTransport
import CommandLineKit

/// The services of a command; nothing is opened before its first use.
struct Context: Sendable {
    var globals: GlobalOptions
    let system: SystemEnvironment
    let console: Console
    let settings: RunSettings
    /// The secrets of options, variables and the service manager.
    let credentialOverrides: CredentialOverrides
    /// The records of the known servers.
    let directory: ServerDirectory
    /// The reports of endpoint selections in this run.
    let endpointReports = Collected<EndpointReport>()
    /// Collects the rows if this is one of several servers; nil if they are printed at once.
    var collected: CollectedRows?
    /// The servers that this run has used, whose routes are remembered at its end.
    var usedServers = Collected<SignedInServer>()
    /// The credential stores that timed out recently.
    private let timeouts: TimeoutSkippingStore.Memory
    /// The passphrase of the sealed files.
    private var passphrase: SealingPassphrase

    /// Prepares a run of a command; `toleratesFaults` ignores faults of the config file.
    init(
        globals: GlobalOptions, system: SystemEnvironment, command: String = Tool.name,
        toleratesFaults: Bool = false
    ) {
        var console = Console(system, globals, command: command)
        let settings = RunSettings(
            globals: globals, system: system, toleratesFaults: toleratesFaults, warn: console.warn)
        console.mayAsk = settings.mayAsk
        console.terminal = { settings.terminal }
        (self.globals, self.system) = (globals, system)
        (self.console, self.settings) = (console, settings)
        credentialOverrides = CredentialOverrides(
            tokenFile: globals.tokenFile, apiKeyFile: globals.apiKeyFile,
            passphraseFile: globals.passphraseFile, environment: system.environment)
        let seen = SeenSet<ServerDirectory.Notice>()
        directory = ServerDirectory(system.paths.state) { [console] notice in
            if seen.insert(notice) { console.report(notice) }
        }
        timeouts = TimeoutSkippingStore.Memory(now: system.now)
        passphrase = SealingPassphrase(of: credentialOverrides)
    }

    /// This context for commands that must work with a faulty configuration.
    var tolerant: Context { Context(globals: globals, system: system, toleratesFaults: true) }

    /// This context for commands that erase secrets, which needs no passphrase.
    var withoutPassphrase: Context {
        var context = self
        context.passphrase = passphrase.ignoredIfUnreadable
        return context
    }

    var now: @Sendable () -> Timestamp { system.now }
    var sleep: @Sendable (Duration) async -> Void { system.pause }

    /// Ends the run: stores what its servers have taught, to save time, and returns these servers.
    func close() async -> [SignedInServer] {
        // The servers hold this context: keeping them would leak both.
        let servers = usedServers.take()
        for server in servers {
            do throws(AccountError) {
                try await server.keepKnowledge(in: directory, at: now())
            } catch {
                console.debug("cannot store the routes of '\(server.name)': \(error)")
            }
        }
        return servers
    }
}

// Servers.
extension Context {
    /// - Throws: `Failure` 1 if the file is unreadable.
    func knownServers() throws(Failure) -> ServerList { try attempt(directory.load()) }

    /// The known server with a name, an id, a prefix of an id, or a URL; without one, the default.
    ///
    /// - Throws: `Failure` 3 if there is none, 2 if several match, 4 if no server is known.
    func knownServer(_ name: String?, in list: ServerList) throws(Failure) -> ServerRecord {
        try attempt(list.record(of: name))
    }

    /// The server of this run with the credentials to use there.
    ///
    /// - Throws: `Failure` 2, 3, 9 or 4.
    func server() async throws(Failure) -> SignedInServer {
        let named = try settings[.server]?.text
        let list = try knownServers()
        let explicit = try attempt(credentialOverrides.resolve())
        if let explicit {
            console.warnIfOpen(explicit.path ?? explicit.source, explicit.modeOpenToOthers)
        }
        let sessions = try sessions()
        do {
            let server = try await attempt(
                awaiting: await sessions.open(
                    named, in: list, with: explicit, fingerprint: credentialOverrides.fingerprint))
            usedServers.add(server)
            return server
        } catch { throw settings.attributed(error) }
    }

    /// A known server with credentials from `source`, ready for requests.
    ///
    /// - Throws: `Failure` 6 or 9 if no endpoint can be used.
    func signedInServer(
        _ record: ServerRecord, _ credential: Credential, from source: String,
        renewing: Bool = false
    ) throws(Failure) -> SignedInServer {
        let sessions = try sessions()
        let server = try attempt(
            sessions.open(record, credential, from: source, renewing: renewing))
        usedServers.add(server)
        return server
    }

    private func sessions() throws(Failure) -> SessionOpener {
        SessionOpener(try connector(), secrets) { pairingID(of: $0.name) }
    }

    /// - Throws: `Failure` for a setting or a trace file that cannot be used.
    func connector() throws(Failure) -> ServerConnector {
        let (secrets, console, reports) = (secrets, console, endpointReports)
        return ServerConnector(
            try ConnectionOptions(of: self), in: system.connections,
            store: { secrets.store(of: $0) }, notify: { console.report($0, reports) })
    }

    /// The names that completion offers for a server; nil if nothing can be kept.
    func cache(for server: SignedInServer) -> CompletionCache? {
        server.record.flatMap { CompletionCache(system.paths.cache, server: $0.id) }
    }
}

// Sign-ins and their secrets.
extension Context {
    var secrets: ServerSecrets {
        let stores = CredentialStores(
            system.paths.state, passphrase: passphrase, environment: system.environment,
            machine: system.machineID, keyring: system.keyring, timeouts: timeouts,
            report: { [console] in console.report($0) })
        let environment = StateEnvironment(
            system.paths.state, now: now, sleep: system.sleep, notify: console.warn,
            debug: console.debug)
        return ServerSecrets(in: stores, of: directory, environment)
    }

    /// - Throws: `Failure` 2 for a store that the configuration names wrongly.
    func signInTransaction() throws(Failure) -> SignInTransaction {
        let files = TLSFiles(of: self)
        return SignInTransaction(
            secrets, chosenStore: try settings.chosenStore(),
            replacesEndpoint: files.areRemembered)
    }

    var signOut: SignOut {
        let context = self
        let receivers = try? context.receivers()
        return SignOut(secrets, receivers: receivers) {
            record, credential, renewing throws(SignOut.Unreachable) in
            do throws(Failure) {
                return try context.signedInServer(
                    record, credential, from: record.credentialStore.name, renewing: renewing)
            } catch {
                throw SignOut.Unreachable(reason: error.message)
            }
        } endKey: { server, key throws(APIError) in
            try await KeyKeeper.end(key, at: server)
        } report: { notice in
            await context.console.report(notice)
        } reportPush: { notice in
            await context.console.report(notice)
        }
    }
}

// Results.
extension Context {
    var configuration: ConfigurationFile { ConfigurationFile(of: system.paths) }

    func format() throws(Failure) -> OutputFormat {
        try settings[.format].flatMap { OutputFormat(rawValue: $0.text) } ?? .table
    }

    /// True if a program reads the output.
    func isForMachines() throws(Failure) -> Bool { try format().isMachine }

    /// True if a person reads the output on a terminal.
    func isForScreen() throws(Failure) -> Bool {
        try format() == .table && system.streams.terminal.isOutputTerminal
    }

    /// Makes the printer of a command's results, which go to stdout or to `sink`.
    ///
    /// - Throws: `Failure` 2 for a format or a field that the command does not have.
    func printer<Record>(
        of fields: [Field<Record>], _ shape: Printer<Record>.Shape, as chosen: OutputFormat? = nil,
        to sink: ByteSink? = nil, hidesHeader: Bool = false
    ) throws(Failure) -> Printer<Record> {
        try Printer(of: fields, shape, as: chosen, to: sink, hidesHeader: hidesHeader, in: self)
    }

    /// Prints a text that is a command's whole result.
    func write(_ text: String) throws(Failure) { try system.streams.write(text) }

    /// Prints a secret and a line feed as a command's whole result.
    func write(_ secret: Redacted<String>) throws(Failure) { try write(secret.reveal() + "\n") }

    /// Prints a changed object (`raw` is the server's own) for programs, or a sentence for users.
    func report<Record>(
        _ record: Record, raw: @autoclosure () -> JSONView? = nil, with printer: Printer<Record>,
        _ sentence: String
    ) throws(Failure) {
        guard try isForMachines() else { return console.notice(sentence) }
        try printer.write(record, raw: raw())
        try printer.finish()
    }

    /// The terminal, with the colours that the user chose.
    var terminal: Terminal { settings.terminal }

    var helpText: HelpText {
        HelpText(
            Tool.commandLine.description, width: min(terminal.width, 100),
            isBold: terminal.style.isOn)
    }

    var timeZone: TimeZoneRules { console.timeZone }

    /// The zone of times for people and spreadsheets: local, or UTC with `--utc`.
    func displayZone() throws(Failure) -> TimeZoneRules {
        if globals.hasLocalTimes { return timeZone }
        return try settings[.utc]?.isOn == true ? .utc : timeZone
    }
}
