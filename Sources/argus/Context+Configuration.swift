import ArgusKit

// The config file, read and changed.
extension Context {
    /// The path of the config file, which need not exist.
    ///
    /// - Throws: `Failure` 1 if there is no folder for it.
    func configurationFile() throws(Failure) -> String {
        switch system.paths.configuration {
        case .folder(let folder): return folder + "/config.toml"
        case .none(let reason):
            throw Failure(.failed, "there is no place for a configuration: \(reason)")
        }
    }

    /// Reads the config file in spite of faults.
    ///
    /// - Throws: `Failure` 2 if it is not TOML.
    func readConfiguration() throws(Failure) -> (settings: Settings, faults: [SettingError]) {
        guard let path = system.paths.configurationFile else { return (Settings(), []) }
        do throws(SettingsError) {
            guard let text = try Settings.text(of: path) else { return (Settings(), []) }
            return try Settings.read(text, path: path)
        } catch {
            throw Failure(error)
        }
    }

    /// Checks the whole config file and reports every unknown key and wrong value, one a line.
    ///
    /// - Throws: `Failure` 2 with the last of them.
    func expectSoundConfiguration(hint: String) throws(Failure) {
        let faults = try readConfiguration().faults
        for fault in faults.dropLast() { noticeAlways("argus: \(fault)") }
        if let last = faults.last { throw Failure(.usage, "\(last)", hint: hint) }
    }

    /// The aliases of the configuration, by name.
    func aliases() throws(Failure) -> [String: Settings.Entry] {
        try readConfiguration().settings.aliases
    }

    /// Edits the config file under a lock.
    ///
    /// The file is replaced in one step. Behind a symbolic link, the target is edited or created.
    /// - Throws: `Failure` 2 if the file is not TOML, 1 if it cannot be written.
    func changeConfiguration(
        _ change: (inout ConfigurationText) throws(ConfigurationText.Refusal) -> Void
    ) async throws(Failure) {
        let path = try configurationFile()
        let lock = try await configurationLock()
        try Self.asFailure(prepareConfigurationFolder)
        let target = SymbolicLink.destination(of: path)
        var text: ConfigurationText
        let old: String
        do throws(SettingsError) {
            old = try Settings.text(of: target) ?? ""
        } catch {
            throw Failure(error)
        }
        do throws(ConfigurationText.Refusal) {
            text = try ConfigurationText(old, path: path)
            try change(&text)
        } catch {
            throw Failure(error, path)
        }
        let new = text.text
        if new != old {
            try Self.asFailure { () throws(FileSystemError) in
                try AtomicFile.write(Array(new.utf8), to: target, for: .settings, replacing: true)
            }
        }
        _ = consume lock
    }

    /// Makes the folder of the config file; one that is there stays as its owner made it.
    func prepareConfigurationFolder() throws(FileSystemError) {
        guard case .folder(let folder) = system.paths.configuration,
            !FileContents.exists(folder)
        else { return }
        try PrivateFolder.prepare(folder)
    }

    private static func asFailure(
        _ work: () throws(FileSystemError) -> Void
    ) throws(Failure) {
        do throws(FileSystemError) {
            try work()
        } catch {
            throw Failure(.failed, "\(error)")
        }
    }

    /// Takes the lock; nil without a state folder, which other processes then lack too.
    private func configurationLock() async throws(Failure) -> FileLock? {
        guard case .folder(let folder) = system.paths.state,
            let path = system.paths.state.file("config.lock")
        else { return nil }
        do throws(FileSystemError) {
            try PrivateFolder.prepare(folder)
        } catch {
            return nil
        }
        do throws(FileSystemError) {
            return try await FileLock(path, timeout: .seconds(10))
        } catch {
            throw Failure(.failed, "\(error)")
        }
    }
}

extension Failure {
    /// Reports an unusable config file.
    init(_ error: SettingsError) {
        self.init(.usage, "\(error)")
        if case .settings(_, let others) = error, others > 0 {
            hint = "'argus config list' tells all of them"
        }
    }

    fileprivate init(_ refusal: ConfigurationText.Refusal, _ path: String) {
        switch refusal {
        case .syntax(let error): self.init(error)
        case .tooComplex:
            self.init(
                .failed, "'\(path)' cannot be changed without touching more than that key",
                hint: "change it by hand with 'argus config edit'")
        }
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
        case .timeout: timeout.map { DurationText.short($0.duration) }
        case .retries: retries.map { String($0) }
        case .noInput: hasNoInput ? "true" : nil
        case .trace: trace
        case .credentialStore, .relayURL, .errors: nil
        }
    }
}
