package import ArgusAccount
import ArgusCore
import Glibc
internal import Synchronization

/// The alert rules that a watch applies, kept up to date by its feed.
package final class RuleWatch: Sendable {
    /// A change of the rules while the watch goes on.
    package enum Change: Sendable {
        /// The rule has come, or has other conditions or actions.
        case applied(AlertRule)
        /// The rule was deleted, or is no longer enabled.
        case left(AlertRule)
    }

    private let current = Mutex<RuleSet?>(nil)
    private let file: String?
    private let report: @Sendable (Change) -> Void

    /// Makes the rules of a watch of a server, by the id of its record.
    package init(
        of server: String, in state: Paths.Folder, report: @escaping @Sendable (Change) -> Void
    ) {
        (file, self.report) = (Self.file(server, state), report)
    }

    /// The rules; nil until the feed has read them.
    package var rules: RuleSet? { current.withLock { $0 } }

    func learn(_ rules: RuleSet) {
        let before = current.withLock { current in
            defer { current = rules }
            return current?.rules
        }
        guard let before else { return }
        let ids = Set(rules.rules.map(\.id))
        for rule in before where !ids.contains(rule.id) { report(.left(rule)) }
        for rule in rules.rules
        where !before.contains(where: { $0.id == rule.id && $0.acts(as: rule) }) {
            report(.applied(rule))
        }
    }

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

extension AlertRule {
    /// True if it matches and does the same.
    fileprivate func acts(as other: AlertRule) -> Bool {
        (conditions, actions, problems) == (other.conditions, other.actions, other.problems)
    }
}
