import Glibc
import Synchronization

/// The unfinished files of this process, for a signal handler to remove before it dies.
///
/// A fixed table of C strings, each slot one atomic word: a handler may walk it at any moment,
/// whatever thread it interrupted (signal-safety(7)).
package enum TemporaryFiles {
    /// The place of a registered path in the table; nil when the table was full.
    package typealias Slot = Int

    private static let slotCount = 512
    // The table is made once and never freed; each word is only touched by atomic operations.
    private nonisolated(unsafe) static let slots: UnsafeMutablePointer<Atomic<UInt>> = {
        let slots = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: slotCount)
        for index in 0..<slotCount { (slots + index).initialize(to: Atomic(0)) }
        return slots
    }()

    /// Allocates the table, so that a handler never has to.
    package static func prepare() { _ = slots }

    /// Notes a path before the file is created, so that no signal can fall in between.
    package static func register(_ path: String) -> Slot? {
        guard let copy = strdup(path) else { return nil }
        let word = UInt(bitPattern: copy)
        for index in 0..<slotCount {
            let exchange = slots[index].compareExchange(
                expected: 0, desired: word, ordering: .acquiringAndReleasing)
            if exchange.exchanged { return index }
        }
        free(copy)
        return nil
    }

    /// Forgets a path whose file has been renamed or removed.
    package static func forget(_ slot: Slot) {
        free(UnsafeMutableRawPointer(bitPattern: take(slot)))
    }

    /// Removes every registered file; safe in a signal handler, which must not outlive it.
    package static func unlinkAll() {
        for index in 0..<slotCount {
            // Not freed: free(3) may not be called in a handler, and the process is ending.
            if let path = UnsafePointer<CChar>(bitPattern: take(index)) { unlink(path) }
        }
    }

    private static func take(_ slot: Slot) -> UInt {
        slots[slot].exchange(0, ordering: .acquiringAndReleasing)
    }
}
