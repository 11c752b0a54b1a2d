package import ArgusCore

/// A secret in a file that the user or the service manager named.
package struct SecretFile: Sendable {
    package var secret: Redacted<String>
    /// The permission bits if other users may read the file, for a warning.
    package var modeOpenToOthers: UInt32?

    /// Reads a file and follows links, because service managers mount secrets as links; `trust`
    /// decides whether a pipe is read too.
    ///
    /// - Throws: `AccountError`.
    package init(
        _ path: String, as alphabet: SecretText.Alphabet, _ environment: Environment,
        trust: FileContents.Trust = .named
    ) throws(AccountError) {
        // Two bytes more than the limit leave space for the line end that is dropped.
        let contents = try rethrowing(
            FileContents(path, trust: trust, limit: SecretText.sizeLimit + 2),
            as: { AccountError.secret("'\(path)'", .file($0)) })
        secret = try SecretText.parse(contents.bytes, as: alphabet, from: "'\(path)'")
        modeOpenToOthers = contents.modeOpenToOthers
        // systemd gives the service its files by the group bits (0440, with an access list).
        if let mode = modeOpenToOthers, mode & 0o007 == 0, environment.isServiceFile(path) {
            modeOpenToOthers = nil
        }
    }
}

extension Environment {
    /// The folder of the service manager's files (systemd.exec(5)); nil if there is none.
    var serviceFolder: String? {
        self["CREDENTIALS_DIRECTORY"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    fileprivate func isServiceFile(_ path: String) -> Bool {
        serviceFolder.map { path.hasPrefix($0 + "/") } ?? false
    }
}
