import Glibc
import Synchronization

/// The unfinished files of this process, for a signal handler to remove or to report.
package enum TemporaryFiles {
    /// The index of a registered file in the table.
    package typealias Slot = Int

    /// The data of a file as C strings, so that a handler never allocates.
    private struct Entry {
        var path: UnsafeMutablePointer<CChar>
        /// Reports that the file stays; nil for a file to remove.
        var line: UnsafeMutablePointer<CChar>?
    }

    private static let table = HandlerTable(count: 512)

    /// Allocates the table, so that a handler never has to.
    package static func prepare() { _ = table }

    /// Registers a path before its file is created, so that no signal falls in between.
    ///
    /// A file with a `sentence` is reported, unless it is empty. Nil if the table is full.
    package static func register(_ path: String, reporting sentence: String? = nil) -> Slot? {
        guard let path = strdup(path) else { return nil }
        var line: UnsafeMutablePointer<CChar>?
        if let sentence {
            // A progress line may stand on the terminal.
            let start = isatty(2) == 1 ? "\r\u{1B}[K" : ""
            line = strdup(start + Sanitizer.visible(sentence) + "\n")
            guard line != nil else {
                free(path)
                return nil
            }
        }
        let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
        entry.initialize(to: Entry(path: path, line: line))
        if let slot = table.insert(entry) { return slot }
        release(entry)
        return nil
    }

    /// Removes a path whose file is complete, deleted or reported otherwise.
    package static func forget(_ slot: Slot) {
        if let entry = table.take(slot) { release(entry) }
    }

    /// Removes or reports every registered file; safe in a signal handler that ends the process.
    package static func endAll() {
        for index in 0..<table.count {
            // Not freed: free(3) may not be called in a handler, and the process is ending.
            guard let entry = table.take(index)?.assumingMemoryBound(to: Entry.self).pointee else {
                continue
            }
            var status = stat()
            guard let line = entry.line else {
                unlink(entry.path)
                continue
            }
            // A missing file has been renamed.
            guard lstat(entry.path, &status) == 0 else { continue }
            if status.st_size == 0 {
                unlink(entry.path)
            } else {
                _ = write(2, line, strlen(line))
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

/// A table of atomic words that a signal handler may empty on any thread (signal-safety(7)).
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
