import Glibc

/// The files of this process that stay when it is interrupted, for a signal handler to tell of.
package enum InterruptedFiles {
    /// The place of a registered file in the table.
    package typealias Slot = Int

    /// What a handler needs, as C knows it, so that it never has to allocate.
    private struct Entry {
        var path: UnsafeMutablePointer<CChar>
        var line: UnsafeMutablePointer<CChar>
        var length: Int
    }

    private static let table = HandlerTable(count: 16)

    /// Allocates the table, so that a handler never has to.
    package static func prepare() { _ = table }

    /// Notes a file that exists, and the sentence that tells of it; nil when the table is full.
    package static func register(_ path: String, _ sentence: String) -> Slot? {
        // A line of progress may stand on the terminal.
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

    /// Forgets a file, which is whole, or told of otherwise.
    package static func forget(_ slot: Slot) {
        if let entry = table.take(slot) { release(entry) }
    }

    /// Tells of every registered file that holds something, and removes those that are empty; safe
    /// in a signal handler, which must not outlive it.
    package static func tellAll() {
        for index in 0..<table.count {
            guard let entry = table.take(index)?.assumingMemoryBound(to: Entry.self).pointee else {
                continue
            }
            var status = stat()
            // One that is gone has got its name.
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
