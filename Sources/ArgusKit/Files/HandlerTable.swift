import Glibc
import Synchronization

/// Pointers that a signal handler may take out at any moment, whatever thread it interrupted
/// (signal-safety(7)): each slot is one atomic word.
// The words are made once, never freed, and only touched by atomic operations.
struct HandlerTable: @unchecked Sendable {
    let count: Int
    private let slots: UnsafeMutablePointer<Atomic<UInt>>

    init(count: Int) {
        self.count = count
        slots = .allocate(capacity: count)
        for index in 0..<count { (slots + index).initialize(to: Atomic(0)) }
    }

    /// Keeps a pointer, and gives its slot; nil when the table is full.
    func insert(_ pointer: UnsafeMutableRawPointer) -> Int? {
        (0..<count).first { index in
            slots[index].compareExchange(
                expected: 0, desired: UInt(bitPattern: pointer), ordering: .acquiringAndReleasing
            ).exchanged
        }
    }

    /// Takes a pointer out; nil when somebody has.
    func take(_ slot: Int) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(
            bitPattern: slots[slot].exchange(0, ordering: .acquiringAndReleasing))
    }
}
