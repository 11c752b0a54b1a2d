package import ArgusAccount
import ArgusCore
import Glibc
internal import Synchronization

/// The alert rules that a watch applies, kept up to date by its feed.
package final class RuleWatch: Sendable {
    private let current = Mutex<RuleSet?>(nil)
    private let file: String?

    /// Makes the rules of a watch of a server, by the id of its record.
    package init(of server: String, in state: Paths.Folder) { file = Self.file(server, state) }

    /// The rules; nil until the feed has read them.
    package var rules: RuleSet? { current.withLock { $0 } }

    func learn(_ rules: RuleSet) { current.withLock { $0 = rules } }

    /// A text that changes when argus changes a rule of the server on this machine.
    var mark: String {
        var status = stat()
        guard let file, stat(file, &status) == 0 else { return "" }
        return "\(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec) \(status.st_ino)"
    }

    /// Has the watches of a server read its rules again.
    package static func markChanged(of server: String, in state: Paths.Folder) {
        guard let file = file(server, state) else { return }
        // Without it they read the rules within a minute.
        try? PrivateFolder.prepare(FileRename.folder(of: file))
        try? AtomicFile.write([], to: file, for: .cache, replacing: true)
    }

    private static func file(_ server: String, _ state: Paths.Folder) -> String? {
        state.file("rules/\(server)")
    }
}
