/// A secret in a file that the user or the service manager named.
package struct SecretFile: Sendable {
    package var secret: Redacted<String>
    /// The permission bits if other users may read the file, for a warning.
    package var modeOpenToOthers: UInt32?

    /// Reads a file or pipe and follows links, because service managers mount secrets as links.
    ///
    /// - Throws: `SecretError`.
    package init(_ path: String, as alphabet: SecretText.Alphabet) throws(SecretError) {
        // Two bytes more than the limit leave space for the line end that is dropped.
        let contents = try rethrowing(
            try FileContents(path, trust: .named, limit: SecretText.sizeLimit + 2),
            as: { SecretError("'\(path)'", .file($0)) })
        secret = try SecretText.parse(contents.bytes, as: alphabet, from: "'\(path)'")
        modeOpenToOthers = contents.modeOpenToOthers
    }
}
