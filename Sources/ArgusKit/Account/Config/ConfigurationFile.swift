import ArgusCore

/// The config file of a user, read as a whole and changed under a lock.
package struct ConfigurationFile: Sendable {
    private let paths: Paths

    package init(of paths: Paths) {
        self.paths = paths
    }

    /// Returns the path of the file, which need not exist.
    ///
    /// - Throws: `.noConfigurationFolder` if there is no folder for it.
    package func path() throws(AccountError) -> String {
        switch paths.configuration {
        case .folder(let folder): return folder + "/config.toml"
        case .none(let reason): throw .noConfigurationFolder(reason: reason)
        }
    }

    /// Reads the file in spite of faults; an absent file has no settings.
    ///
    /// - Throws: `AccountError` if it is unreadable or not the TOML that argus reads.
    package func read() throws(AccountError) -> (settings: Settings, faults: [SettingFault]) {
        guard let path = paths.configurationFile, let text = try Settings.text(of: path) else {
            return (Settings(), [])
        }
        return try Settings.read(text, path: path)
    }

    /// Makes the folder of the file; an existing one stays as its owner made it.
    ///
    /// - Throws: `.configurationUnwritable`.
    package func prepareFolder() throws(AccountError) {
        guard case .folder(let folder) = paths.configuration, !FileContents.exists(folder)
        else { return }
        try rethrowing(
            makeFolder(folder, isPrivate: true, inheriting: true),
            as: AccountError.configurationUnwritable)
    }

    /// Edits the file and returns the result of `change`.
    ///
    /// The file is replaced in one step. Behind a symbolic link, the target is edited or created.
    ///
    /// - Throws: `AccountError`; the file is then as it was.
    package func change<Value>(
        _ change: (inout ConfigurationText) throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let path = try path()
        // Root that changes the settings of a user leaves no folder of its own in their home.
        let isForeign = paths.state.file("config.lock").map(PrivateFolder.isForeign) ?? false
        let state: Paths.Folder =
            isForeign ? .none(reason: "it belongs to another user") : paths.state
        return try await state.withLock(
            "config.lock", timeout: .seconds(10),
            unlocked: { error throws(AccountError) in
                // Without a state folder, other processes cannot lock either.
                if error.operation == .lock { throw .configurationUnwritable(error) }
            }
        ) { () throws(AccountError) in
            try prepareFolder()
            let target = SymbolicLink.destination(of: path)
            let old = try Settings.text(of: target)
            var text = try ConfigurationText(old ?? "", path: path)
            let value = try change(&text)
            guard text.text != old ?? "" else { return value }
            let new = Array(text.text.utf8)
            AbandonedFiles.sweep(FileRename.folder(of: target))
            try rethrowing(
                AtomicFile.write(new, to: target, for: .settings, replacing: true),
                as: AccountError.configurationUnwritable)
            return value
        }
    }
}
