/// Reading a secret from a file that the person or the service manager named.
package struct SecretFile: Sendable {
    package var secret: Redacted<String>
    /// Permission bits when others than the owner may read the file, to be told.
    package var modeOpenToOthers: UInt32?

    /// Reads a file or pipe; links are followed, because service managers mount secrets as links.
    package init(_ path: String, as alphabet: SecretText.Alphabet) throws(SecretError) {
        let contents: FileContents
        do throws(FileSystemError) {
            // Two bytes more than the limit leave room for the line end that is dropped.
            contents = try FileContents(path, trust: .named, limit: SecretText.sizeLimit + 2)
        } catch {
            throw SecretError("'\(path)'", .file(error))
        }
        secret = try SecretText.parse(contents.bytes, as: alphabet, from: "'\(path)'")
        modeOpenToOthers = contents.modeOpenToOthers
    }
}
