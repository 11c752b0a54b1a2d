package import ArgusCore

/// The config file of a user, read as a whole and changed under a lock.
package struct ConfigurationFile: Sendable {
    private let paths: Paths

    package init(of paths: Paths) {
        self.paths = paths
    }

    /// Returns the path of the file, which need not exist.
    ///
    /// - Throws: `.noFolder` if there is no folder for it.
    package func path() throws(ConfigurationFileError) -> String {
        switch paths.configuration {
        case .folder(let folder): return folder + "/config.toml"
        case .none(let reason): throw .noFolder(reason: reason)
        }
    }

    /// Reads the file in spite of faults; an absent file has no settings.
    ///
    /// - Throws: `SettingsError` if it is unreadable or not the TOML that argus reads.
    package func read() throws(SettingsError) -> (settings: Settings, faults: [SettingError]) {
        guard let path = paths.configurationFile, let text = try Settings.text(of: path) else {
            return (Settings(), [])
        }
        return try Settings.read(text, path: path)
    }

    /// Makes the folder of the file; an existing one stays as its owner made it.
    ///
    /// - Throws: `.file`.
    package func prepareFolder() throws(ConfigurationFileError) {
        guard case .folder(let folder) = paths.configuration, !FileContents.exists(folder)
        else { return }
        try rethrowing(
            try makeFolder(folder, isPrivate: true, inheriting: true),
            as: ConfigurationFileError.file)
    }

    /// Edits the file and returns the result of `change`.
    ///
    /// The file is replaced in one step. Behind a symbolic link, the target is edited or created.
    ///
    /// - Throws: `ConfigurationFileError`; the file is then as it was.
    package func change<Value>(
        _ change: (inout ConfigurationText) throws(ConfigurationFileError) -> Value
    ) async throws(ConfigurationFileError) -> Value {
        let path = try path()
        // Root that changes the settings of a user leaves no folder of its own in their home.
        let isForeign = paths.state.file("config.lock").map(PrivateFolder.isForeign) ?? false
        let state: Paths.Folder =
            isForeign ? .none(reason: "it belongs to another user") : paths.state
        return try await state.withLock(
            "config.lock", timeout: .seconds(10),
            unlocked: { error throws(ConfigurationFileError) in
                // Without a state folder, other processes cannot lock either.
                if error.operation == .lock { throw .file(error) }
            }
        ) { () throws(ConfigurationFileError) in
            try prepareFolder()
            let target = SymbolicLink.destination(of: path)
            let old = try rethrowing(
                try Settings.text(of: target), as: ConfigurationFileError.settings)
            var text = try ConfigurationText(old ?? "", path: path)
            let value = try change(&text)
            guard text.text != old ?? "" else { return value }
            let new = Array(text.text.utf8)
            AbandonedFiles.sweep(FileRename.folder(of: target))
            try rethrowing(
                try AtomicFile.write(new, to: target, for: .settings, replacing: true),
                as: ConfigurationFileError.file)
            return value
        }
    }
}

/// The reason why the config file has no path, or could not be changed.
package enum ConfigurationFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no folder for it, for this reason.
    case noFolder(reason: String)
    case settings(SettingsError)
    case file(FileSystemError)

    package var description: String {
        switch self {
        case .noFolder(let reason): "there is no place for a configuration: \(reason)"
        case .settings(let error): error.description
        case .file(let error): error.description
        }
    }
}
