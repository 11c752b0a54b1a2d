import Glibc

/// The destination of `-o` (docs/scripting.md, "Files").
package enum OutputTarget: Hashable, Sendable {
    case standardOutput
    /// A device or pipe, opened as it is: renaming a file over `/dev/null` would destroy it.
    case stream(String)
    case file(String)
    /// Files with generated names in this folder, which need not exist.
    case folder(String)

    /// True for a pipe or device, which gets its bytes once.
    package var isStream: Bool {
        switch self {
        case .standardOutput, .stream: true
        case .file, .folder: false
        }
    }

    /// Interprets the value of `-o` (nil: the current folder) for `count` files, before anything is
    /// fetched; `force` lets an existing file be replaced.
    /// - Throws: `OutputError`.
    package static func resolve(
        _ word: String?, count: Int = 1, isBinary: Bool = true, force: Bool = false
    ) throws(OutputError) -> OutputTarget {
        guard let word else { return .folder(".") }
        guard !word.isEmpty else { throw .emptyName }
        if ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(word) {
            guard count == 1 else { throw .severalToOne(word) }
            guard !isBinary || isatty(1) == 0 else { throw .binaryToTerminal }
            return .standardOutput
        }
        try rethrowing(SymbolicLink.expectTrusted(word), as: OutputError.file)
        var status = stat()
        guard stat(word, &status) == 0 else {
            if count > 1, namesOneFile(word) { throw .severalToOne(word) }
            return count > 1 || word.hasSuffix("/") ? .folder(word) : .file(word)
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder(word)
        case S_IFREG where count == 1 && !word.hasSuffix("/"):
            guard force else { throw .file(FileSystemError(.create, word, .exists)) }
            // The file behind a link is replaced, and the link stays.
            let isLink = SymbolicLink.target(of: word) != nil
            return .file(isLink ? SymbolicLink.destination(of: word) : word)
        case S_IFCHR where count == 1:
            guard !isBinary || !isTerminal(word) else { throw .binaryToTerminal }
            return .stream(word)
        // Opening a pipe to inspect it would end it for the reader at its other end.
        case S_IFIFO where count == 1: return .stream(word)
        case S_IFBLK, S_IFSOCK: throw .file(FileSystemError(.create, word, .notRegularFile))
        default: throw .file(FileSystemError(.create, word, .notFolder))
        }
    }

    /// Opens one file of the target; only a folder, which is made if absent, uses `name`.
    /// - Throws: `FileSystemError` if the place cannot be written.
    package func open(
        named name: String, for audience: AtomicFile.Audience = .person, force: Bool
    ) throws(FileSystemError) -> OutputFile {
        switch self {
        case .standardOutput: return OutputFile(descriptor: 1, named: "standard output")
        case .stream(let path): return try OutputFile(stream: path)
        case .file(let path): return try OutputFile(path, for: audience, replacing: force)
        case .folder(let path):
            return try OutputFile(
                try Self.path(of: name, in: path), for: audience, replacing: force)
        }
    }

    /// The path of a file that grows over several runs; nil for a stream.
    /// - Throws: `FileSystemError` if the folder cannot be made.
    package func path(named name: String) throws(FileSystemError) -> String? {
        switch self {
        case .standardOutput, .stream: nil
        case .file(let path): path
        case .folder(let path): try Self.path(of: name, in: path)
        }
    }

    /// The path of a file in a folder, or in one below it; both are made if absent.
    private static func path(of name: String, in folder: String) throws(FileSystemError) -> String {
        let separator = folder.hasSuffix("/") ? "" : "/"
        let path = folder == "." ? name : folder + separator + name
        try makeFolder(name.contains("/") ? FileRename.folder(of: path) : folder, isPrivate: false)
        return path
    }

    /// Returns true for a name with the extension of a picture or video, which no folder has by intent.
    private static func namesOneFile(_ word: String) -> Bool {
        let name = word.lowercased()
        return [".jpg", ".jpeg", ".png", ".mp4"].contains { name.hasSuffix($0) }
    }

    private static func isTerminal(_ path: String) -> Bool {
        guard let file = try? OwnedDescriptor(path, O_WRONLY | O_NOCTTY | O_NONBLOCK) else {
            return false
        }
        return isatty(file.rawValue) == 1
    }
}
