import Glibc

/// The unfinished files of this process, for a signal handler to remove before it dies.
package enum TemporaryFiles {
    /// The place of a registered path in the table; nil when the table was full.
    package typealias Slot = Int

    private static let table = HandlerTable(count: 512)

    /// Allocates the table, so that a handler never has to.
    package static func prepare() { _ = table }

    /// Notes a path before the file is created, so that no signal can fall in between.
    package static func register(_ path: String) -> Slot? {
        guard let copy = strdup(path) else { return nil }
        if let slot = table.insert(copy) { return slot }
        free(copy)
        return nil
    }

    /// Forgets a path whose file has been renamed or removed.
    package static func forget(_ slot: Slot) { free(table.take(slot)) }

    /// Removes every registered file; safe in a signal handler, which must not outlive it.
    package static func unlinkAll() {
        for index in 0..<table.count {
            // Not freed: free(3) may not be called in a handler, and the process is ending.
            guard let path = table.take(index) else { continue }
            unlink(path.assumingMemoryBound(to: CChar.self))
        }
    }
}
