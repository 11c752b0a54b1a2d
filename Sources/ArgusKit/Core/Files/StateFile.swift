/// A value that fills a JSON document of argus's own: a state file, or an item of a credential store.
package protocol StateDocument: Sendable {
    /// Reads the value.
    /// - Throws: `StateUnreadable` when the document holds something else.
    init(state: JSONValue) throws(StateUnreadable)

    /// The document to write.
    var state: JSONValue { get }
}

/// A JSON file of argus's own, read whole and replaced in one step; 0600 at creation.
///
/// A change that depends on what the file holds runs in `withLock`, which excludes other processes.
package struct StateFile<Value: StateDocument>: Sendable {
    package enum Contents {
        case absent
        case value(Value)
        /// The file holds no such document.
        case damaged
        /// The document has the layout of a newer argus.
        case newer
    }

    package let path: String
    private let audience: AtomicFile.Audience
    private let layout: JSONWriter.Layout
    private let sizeLimit: Int

    /// Names a file of at most `sizeLimit` bytes; `.state` is durable, `.cache` may be lost.
    package init(
        _ path: String, for audience: AtomicFile.Audience, layout: JSONWriter.Layout = .compact,
        sizeLimit: Int = 1 << 20
    ) {
        self.path = path
        self.audience = audience
        self.layout = layout
        self.sizeLimit = sizeLimit
    }

    /// Reads the file.
    /// - Throws: `FileSystemError` if the file cannot be read or others may have written it.
    package func read() throws(FileSystemError) -> Contents {
        guard let bytes = try FileContents.bytes(ifAny: path, trust: .state, limit: sizeLimit)
        else { return .absent }
        guard let state = JSONValue(parsing: bytes) else { return .damaged }
        do throws(StateUnreadable) {
            return .value(try Value(state: state))
        } catch {
            return error.isNewer ? .newer : .damaged
        }
    }

    /// The value; nil if there is none that can be read.
    package var value: Value? {
        if case .value(let value) = try? read() { value } else { nil }
    }

    /// Replaces the file, and creates its folder.
    /// - Throws: `FileSystemError`; the file is then as it was.
    package func write(_ value: Value) throws(FileSystemError) {
        let folder = FileRename.folder(of: path)
        try PrivateFolder.prepare(folder)
        try AtomicFile.write(
            value.state.document(layout), to: path, for: audience, replacing: true)
        if audience == .state { AbandonedFiles.sweep(folder) }
    }

    /// Renames a damaged file to `PATH.damaged-N` and returns the new path.
    /// - Throws: `FileSystemError` if it cannot be renamed.
    package func setAside() throws(FileSystemError) -> String { try FileRename.setAside(path) }
}

/// A file of lines in a folder of argus's own, which may vanish at any time.
package struct CachedLines: Sendable {
    let path: String

    package init(path: String) {
        self.path = path
    }

    /// The lines; none if the file cannot be read.
    package var all: [Substring] {
        String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
    }

    /// Replaces the lines, each with its line break; ignores failures.
    package func write(_ lines: [String]) {
        let bytes = Array(lines.joined().utf8)
        // Most runs see what the last one saw, and reading costs a fraction of writing.
        guard bytes != self.bytes else { return }
        try? PrivateFolder.prepare(FileRename.folder(of: path))
        try? AtomicFile.write(bytes, to: path, for: .cache, replacing: true)
    }

    private var bytes: [UInt8]? {
        (try? FileContents(path, trust: .state, limit: 1 << 20))?.bytes
    }
}
