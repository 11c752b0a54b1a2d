import Glibc

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
