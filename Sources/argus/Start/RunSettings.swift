import ArgusAccount
import ArgusCore
import ArgusTransport

/// The settings of a run; the config file is read at the first use.
struct RunSettings: Sendable {
    let globals: GlobalOptions
    let system: SystemEnvironment
    /// True if faults of the config file are ignored.
    let toleratesFaults: Bool
    let warn: @Sendable (String) -> Void
    private let loaded = Lazy<(Settings, problem: AccountError?)>()
    private let seenProblems = SeenSet<AccountError>()

    /// The effective value: option, then environment, then configuration, then default.
    ///
    /// - Throws: `Failure` 2 naming the variable, or the line of the configuration.
    subscript(setting: Setting) -> Precedence.Resolved? {
        get throws(Failure) {
            let (settings, problem) = loaded.value { load() }
            if let problem, !problem.isForbiddenFile { throw Failure(problem) }
            let precedence = Precedence(environment: system.environment, settings: settings)
            let value = try attempt(
                precedence.value(of: setting, option: globals.text(of: setting)))
            let isDecided = value.map { $0.origin != .defaultValue } ?? false
            guard let problem, setting.isConfigurable, !isDecided else { return value }
            guard !setting.decidesDestination else { throw Failure(problem) }
            // Help uses colours and a pager, and must work with a faulty configuration.
            if ![.color, .pager].contains(setting), seenProblems.insert(problem) {
                warn("\(problem); using defaults")
            }
            return value
        }
    }

    /// The failure with the variable, or the line of the config file, whose setting caused it.
    func attributed(_ failure: Failure) -> Failure {
        let settings: [String: Setting] = ["no_such_server": .server, "no_address": .via]
        guard let setting = failure.reason.flatMap({ settings[$0] }),
            let origin = (try? self[setting])??.origin, origin != .option
        else { return failure }
        var failure = failure
        failure.message = "\(origin): \(failure.message)"
        return failure
    }

    private func load() -> (Settings, problem: AccountError?) {
        if toleratesFaults {
            return ((try? ConfigurationFile(of: system.paths).read().settings) ?? Settings(), nil)
        }
        do throws(AccountError) {
            return (try Settings.load(system.paths.configurationFile), nil)
        } catch {
            return (Settings(), error)
        }
    }

    /// The terminal, with the colours that the user chose.
    var terminal: Terminal {
        var terminal = system.streams.terminal
        // Code that needs the configuration reports its faults; colours do not.
        let color = (try? self[.color])?.flatMap { ColorChoice(rawValue: $0.text) } ?? .auto
        terminal.applyColor(color, environment: system.environment.variables)
        return terminal
    }

    func retries() throws(Failure) -> Int {
        try self[.retries].flatMap { Int($0.text) } ?? RetryPolicy().retries
    }

    /// False if prompts are forbidden (`--no-input`, `ARGUS_NO_INPUT`).
    func mayAsk() throws(Failure) -> Bool { try self[.noInput]?.isOn != true }

    /// The store that the user chose for new sign-ins; nil without a choice.
    func chosenStore() throws(Failure) -> CredentialStoreKind? {
        try self[.credentialStore].flatMap { CredentialStoreKind($0.text) }
    }
}

extension GlobalOptions {
    /// The value of a setting in this run's options, in the form of the config file.
    func text(of setting: Setting) -> String? {
        switch setting {
        case .server: server
        case .format: format?.rawValue
        case .color: color?.rawValue
        case .utc: utc.map { String($0) }
        case .via: via?.rawValue
        case .timeout: timeout.map { DurationText.short($0) }
        case .retries: retries.map { String($0) }
        case .noInput: hasNoInput ? "true" : nil
        case .pager: hasNoPager ? "cat" : nil
        case .trace: trace
        case .credentialStore, .relayURL, .dashboardURL, .archiveFolder, .night, .errors,
            .pushPublicURL, .pushVAPIDSubject, .pushLocalHosts, .pushAPNsKeyFile, .pushAPNsKeyID,
            .pushAPNsTeamID, .pushAPNsBundleID, .pushAPNsSandbox, .pushFCMCredentials,
            .pushFCMProjectID:
            nil
        }
    }
}
