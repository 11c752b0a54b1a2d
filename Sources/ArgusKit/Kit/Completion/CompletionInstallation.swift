package import ArgusCore

/// The changes that enable completion of argus in a shell of this user.
package struct CompletionInstallation: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        /// Writes the completion script to this path.
        case script(String)
        /// Adds a line at the end of a start-up file.
        case line(String, to: String)
    }

    /// The changes to make, in order; empty if the shell completes argus already.
    package var changes: [Change] = []
    private let script: String

    /// Finds the changes that a shell needs for a script of this file name, and makes none.
    ///
    /// `state` is the shell's answer; nil if it gave none, so nothing is assumed. The result is nil
    /// if there is no home folder.
    /// - Throws: `FileSystemError` if the start-up file cannot be read.
    package init?(
        of script: String, named name: String, for shell: UserShell, in environment: Environment,
        _ state: UserShell.Completion?
    ) throws(FileSystemError) {
        self.script = script
        guard let home = UserHome(environment) else { return nil }
        let path = home.scriptFolder(of: shell) + "/" + name
        let old = try? FileContents(path, trust: .settings, limit: 1 << 20).bytes
        // Another copy, such as a package's, serves as well.
        if old == nil, state?.isLoaded == true { return }
        if old != Array(script.utf8) { changes.append(.script(path)) }
        guard state?.isLoaded != true, state?.searchesFolder != true,
            let line = shell.line(reading: home.quoted(path))
        else { return }
        let file = home.startUpFile(of: shell)
        let text = String(decoding: try Self.contents(of: file), as: UTF8.self)
        guard !text.split(separator: "\n").contains(Substring(line)) else { return }
        changes.append(.line(line, to: file))
    }

    /// Makes one of the changes; a file behind a symbolic link is changed, and the link stays.
    ///
    /// - Throws: `FileSystemError`.
    package func make(_ change: Change) throws(FileSystemError) {
        switch change {
        case .script(let path):
            try makeFolder(FileRename.folder(of: path), isPrivate: false, inheriting: true)
            try Self.replace(path, with: Array(script.utf8))
        case .line(let line, let file):
            var bytes = try Self.contents(of: file)
            if bytes.last != nil, bytes.last != UInt8(ascii: "\n") { bytes += Array("\n".utf8) }
            try Self.replace(file, with: bytes + Array((line + "\n").utf8))
        }
    }

    private static func replace(_ path: String, with bytes: [UInt8]) throws(FileSystemError) {
        let target = SymbolicLink.destination(of: path)
        AbandonedFiles.sweep(FileRename.folder(of: target))
        try AtomicFile.write(bytes, to: target, for: .settings, replacing: true)
    }

    private static func contents(of file: String) throws(FileSystemError) -> [UInt8] {
        try FileContents.bytes(ifAny: file, trust: .settings, limit: 1 << 20) ?? []
    }
}

extension UserShell {
    /// The line of a start-up file that loads a script; nil for fish, which needs none.
    fileprivate func line(reading script: String) -> String? {
        let read = "if [[ -r \(script) ]]; then . \(script); fi  # completion of argus"
        return switch self {
        case .bash: read
        // The script needs `compinit`, which many start-up files run already.
        case .zsh: "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }; \(read)"
        case .fish: nil
        }
    }
}
