import Glibc
import Synchronization

/// A table of pointers that a signal handler may empty at any moment, on any thread.
///
/// Each slot is one atomic word (signal-safety(7)).
// The words are allocated once, never freed, and touched only by atomic operations.
struct HandlerTable: @unchecked Sendable {
    let count: Int
    private let slots: UnsafeMutablePointer<Atomic<UInt>>

    init(count: Int) {
        self.count = count
        slots = .allocate(capacity: count)
        for index in 0..<count { (slots + index).initialize(to: Atomic(0)) }
    }

    /// Stores a pointer and returns its slot; nil if the table is full.
    func insert(_ pointer: UnsafeMutableRawPointer) -> Int? {
        (0..<count).first { index in
            slots[index].compareExchange(
                expected: 0, desired: UInt(bitPattern: pointer), ordering: .acquiringAndReleasing
            ).exchanged
        }
    }

    /// Removes and returns a pointer; nil if it has been taken already.
    func take(_ slot: Int) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(
            bitPattern: slots[slot].exchange(0, ordering: .acquiringAndReleasing))
    }
}
