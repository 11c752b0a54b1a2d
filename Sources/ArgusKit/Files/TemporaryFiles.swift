import Glibc

/// The unfinished files of this process, for a signal handler to remove.
package enum TemporaryFiles {
    /// The index of a registered path in the table.
    package typealias Slot = Int

    private static let table = HandlerTable(count: 512)

    /// Allocates the table, so that a handler never has to.
    package static func prepare() { _ = table }

    /// Registers a path before its file is created, so that no signal falls in between.
    ///
    /// Returns nil if the table is full.
    package static func register(_ path: String) -> Slot? {
        guard let copy = strdup(path) else { return nil }
        if let slot = table.insert(copy) { return slot }
        free(copy)
        return nil
    }

    /// Removes a path whose file has been renamed or deleted.
    package static func forget(_ slot: Slot) { free(table.take(slot)) }

    /// Deletes every registered file; safe in a signal handler, which must end the process.
    package static func unlinkAll() {
        for index in 0..<table.count {
            // Not freed: free(3) may not be called in a handler, and the process is ending.
            guard let path = table.take(index) else { continue }
            unlink(path.assumingMemoryBound(to: CChar.self))
        }
    }
}
