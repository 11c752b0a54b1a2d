import Glibc
import Synchronization

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

/// The files that stay when this process is interrupted, for a signal handler to report.
package enum InterruptedFiles {
    /// The place of a registered file in the table.
    package typealias Slot = Int

    /// The data of a file as C strings, so that a handler never allocates.
    private struct Entry {
        var path: UnsafeMutablePointer<CChar>
        var line: UnsafeMutablePointer<CChar>
        var length: Int
    }

    private static let table = HandlerTable(count: 16)

    /// Allocates the table, so that a handler never has to.
    package static func prepare() { _ = table }

    /// Registers an existing file and the sentence that reports it; nil if the table is full.
    package static func register(_ path: String, _ sentence: String) -> Slot? {
        // A progress line may stand on the terminal.
        let start = isatty(2) == 1 ? "\r\u{1B}[K" : ""
        guard let path = strdup(path) else { return nil }
        guard let line = strdup(start + Sanitizer.visible(sentence) + "\n") else {
            free(path)
            return nil
        }
        let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
        entry.initialize(to: Entry(path: path, line: line, length: strlen(line)))
        if let slot = table.insert(entry) { return slot }
        release(entry)
        return nil
    }

    /// Removes a file that is complete or reported otherwise.
    package static func forget(_ slot: Slot) {
        if let entry = table.take(slot) { release(entry) }
    }

    /// Reports every registered file that has contents, and removes those that are empty.
    ///
    /// Safe in a signal handler, which must end the process.
    package static func tellAll() {
        for index in 0..<table.count {
            guard let entry = table.take(index)?.assumingMemoryBound(to: Entry.self).pointee else {
                continue
            }
            var status = stat()
            // A file that is gone has been renamed.
            guard lstat(entry.path, &status) == 0 else { continue }
            if status.st_size == 0 {
                unlink(entry.path)
            } else {
                _ = write(2, entry.line, entry.length)
            }
        }
    }

    private static func release(_ pointer: UnsafeMutableRawPointer) {
        let entry = pointer.assumingMemoryBound(to: Entry.self)
        free(entry.pointee.path)
        free(entry.pointee.line)
        entry.deallocate()
    }
}

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
