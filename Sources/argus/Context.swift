import ArgusKit
import CommandLineKit

/// The services of a command; nothing is opened before its first use.
struct Context: Sendable {
    let globals: GlobalOptions
    let system: SystemEnvironment
    private let settings = Lazy<LoadedSettings>()
    /// The servers that this run has used, whose routes are remembered at its end.
    let usedServers = Collected<SignedInServer>()
    /// The reports of endpoint selections in this run.
    let endpointReports = Collected<EndpointReport>()

    /// The notices about the list of servers, which a run reads more than once.
    let seenNotices = SeenSet<ServerDirectory.Notice>()
    private let seenProblems = SeenSet<SettingsError>()
    /// Records that a run has warned about repaired text.
    let repairs = SeenSet<Bool>()
    /// The places of secrets that gave no answer just now.
    let silences: TimeoutSkippingStore.Memory
    /// The secrets of options, variables and the service manager.
    let explicitCredentials: ExplicitCredentials
    /// The passphrase of the sealed files.
    private(set) var passphrase: SealingPassphrase

    /// True if faults of the configuration are ignored, as in commands that fix it.
    private let toleratesFaults: Bool

    init(globals: GlobalOptions, system: SystemEnvironment, toleratesFaults: Bool = false) {
        self.globals = globals
        self.system = system
        self.toleratesFaults = toleratesFaults
        silences = TimeoutSkippingStore.Memory(now: system.now)
        explicitCredentials = ExplicitCredentials(
            tokenFile: globals.tokenFile, apiKeyFile: globals.apiKeyFile,
            passphraseFile: globals.passphraseFile, environment: system.environment)
        passphrase = SealingPassphrase(of: explicitCredentials)
    }

    /// This context for commands that must work whatever the configuration is.
    var tolerant: Context { Context(globals: globals, system: system, toleratesFaults: true) }

    /// This context for commands that forget secrets, which must be possible without opening them.
    var forgetting: Context {
        var context = self
        context.passphrase = passphrase.ignoredIfUnreadable
        return context
    }

    var now: @Sendable () -> Timestamp { system.now }
    var sleep: @Sendable (Duration) async -> Void { system.pause }

    /// Ends the run: remembers what was learnt of servers.
    func close() async {
        // They hold this context: keeping them here would leak both.
        for server in usedServers.take() { await keepKnowledge(of: server) }
    }

    /// The value of a setting in this run: option, then environment, then configuration, then
    /// default.
    ///
    /// - Throws: `Failure` 2 naming the variable, or the line of the configuration.
    func setting(
        _ setting: Setting, option: String? = nil
    ) throws(Failure) -> Precedence.Resolved? {
        let loaded = settings.value {
            do throws(SettingsError) {
                let settings =
                    toleratesFaults
                    ? (try? readConfiguration().settings) ?? Settings()
                    : try Settings.load(system.paths.configurationFile)
                return LoadedSettings(settings: settings)
            } catch {
                return LoadedSettings(problem: error)
            }
        }
        if let problem = loaded.problem, !problem.isForbiddenFile { throw Failure(problem) }
        let precedence = Precedence(environment: system.environment, settings: loaded.settings)
        let value: Precedence.Resolved?
        do {
            value = try precedence.value(of: setting, option: option)
        } catch {
            throw Failure(.usage, "\(error)")
        }
        let isSaid = value.map { $0.origin != .builtIn } ?? false
        guard let problem = loaded.problem, setting.isConfigurable, !isSaid else { return value }
        guard !setting.decidesDestination else { throw Failure(problem) }
        // Help needs colours, and works whatever the configuration is.
        if setting != .color, seenProblems.insert(problem) { warn("\(problem); using defaults") }
        return value
    }
}

/// The configuration, or the reason why it is unreadable.
private struct LoadedSettings: Sendable {
    var settings = Settings()
    var problem: SettingsError?
}

// Messages and prompts.
extension Context {
    /// A sentence on stderr about what was done; quiet runs leave it out.
    func notice(_ sentence: String) {
        guard !globals.isQuiet else { return }
        noticeAlways(sentence)
    }

    /// A sentence on stderr, in quiet runs too.
    func noticeAlways(_ sentence: String) {
        system.streams.writeError(Sanitizer.visible(sentence) + "\n")
    }

    /// A sentence on stderr that only `-v` shows.
    var debug: @Sendable (String) -> Void {
        guard globals.verbosity > 0, !globals.isQuiet else { return { _ in } }
        let streams = system.streams
        return { streams.writeError("argus: " + Sanitizer.visible($0) + "\n") }
    }

    /// Receives the notices of an event list; slowness and missing events are always reported.
    var eventNotice: @Sendable (EventNotice) -> Void {
        let (debug, isQuiet, streams) = (debug, globals.isQuiet, system.streams)
        return { notice in
            let label: String
            switch notice {
            case .matchesHere: label = "argus: "
            case .knowsMainDetection: label = "argus: warning: "
            case .filtersHere, .countsPages, .readsPages: return debug("\(notice)")
            }
            if !isQuiet { streams.writeError("\(label)\(notice)\n") }
        }
    }

    /// A progress line for long work.
    func progress(_ label: String, unit: Progress.Unit, total: Int?) -> Progress {
        Progress(
            label, unit: unit, total: total, terminal: system.streams.terminal,
            sink: globals.isQuiet ? nil : system.streams.err, now: { ContinuousClock.now })
    }

    /// Prints a warning; the work goes on.
    func warn(_ sentence: String) {
        notice("argus: warning: " + sentence)
    }

    /// Prompts for a line at the terminal.
    ///
    /// - Throws: `Failure` 2 with the alternative if there is no terminal.
    func ask(
        _ prompt: String, below lines: [String] = [], otherwise remedy: String
    ) throws(Failure) -> String {
        let input = try input
        let text = (lines + [prompt]).map { Sanitizer.visible($0.masked) }.joined(separator: "\n")
        do throws(SecretInputError) {
            return try input.askLine(text, insteadOf: remedy)
        } catch {
            throw Failure(.usage, "\(error)", reason: "input_needed")
        }
    }

    /// Checks, before anything is sent, that a later prompt is possible.
    ///
    /// - Throws: `Failure` 2 with the alternative if there is no terminal.
    func expectTerminal(
        for question: String, otherwise remedy: String
    ) throws(Failure) {
        let input = try input
        do throws(SecretInputError) {
            try input.expectTerminal(for: question, insteadOf: remedy)
        } catch {
            throw Failure(.usage, "\(error)", reason: "input_needed")
        }
    }

    /// Asks for a secret at the terminal, without echo.
    func askSecret(_ prompt: String, otherwise remedy: String) throws(Failure) -> Redacted<String> {
        let input = try input
        do throws(SecretInputError) {
            return try input.askSecret(Sanitizer.visible(prompt.masked), insteadOf: remedy)
        } catch {
            throw Failure(.usage, "\(error)", reason: "input_needed")
        }
    }

    /// Reads a secret from stdin, less one line end.
    func secretFromStdin(_ alphabet: SecretText.Alphabet) throws(Failure) -> Redacted<String> {
        let input = try input
        do throws(SecretInputError) {
            return try input.readStandardInput(as: alphabet)
        } catch {
            throw Failure(.usage, "\(error)")
        }
    }

    /// Reads a secret from a file, less one line end; warns if others may read the file.
    func secret(
        inFile path: String, _ alphabet: SecretText.Alphabet
    ) throws(Failure) -> Redacted<String> {
        do {
            let file = try SecretFile(path, as: alphabet)
            warnIfOpen(path, file.modeOpenToOthers)
            return file.secret
        } catch {
            throw Failure(.usage, "\(error)")
        }
    }

    /// Says that a file with a secret can be read by others.
    func warnIfOpen(_ path: String, _ mode: UInt32?) {
        guard let mode else { return }
        warn("'\(path)' can be read by others (mode \(String(mode, radix: 8)))")
    }

    /// False if prompts are forbidden (`--no-input`, `ARGUS_NO_INPUT`).
    func mayAsk() throws(Failure) -> Bool {
        let option = globals.hasNoInput ? "true" : nil
        return try setting(.noInput, option: option)?.isOn != true
    }

    private var input: SecretInput {
        get throws(Failure) { SecretInput(mayAsk: try mayAsk()) }
    }
}
