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

    /// The maximum number of files at once.
    private static let count = 512
    /// The addresses of entries, which a handler may take on any thread; 0 for a free slot.
    private nonisolated(unsafe) static let table = {
        let slots = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: count)
        for index in 0..<count { (slots + index).initialize(to: Atomic(0)) }
        return slots
    }()

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
        let slot = (0..<count).first { index in
            table[index].compareExchange(
                expected: 0, desired: UInt(bitPattern: entry), ordering: .acquiringAndReleasing
            ).exchanged
        }
        if slot == nil { release(entry) }
        return slot
    }

    /// Removes a path whose file is complete, deleted or reported otherwise.
    package static func forget(_ slot: Slot) {
        if let entry = take(slot) { release(entry) }
    }

    /// Removes or reports every registered file; safe in a signal handler that ends the process.
    package static func endAll() {
        for slot in 0..<count {
            // Not freed: free(3) may not be called in a handler, and the process is ending.
            guard let entry = take(slot)?.pointee else { continue }
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

    /// Empties a slot; nil if that has happened already.
    private static func take(_ slot: Slot) -> UnsafeMutablePointer<Entry>? {
        UnsafeMutablePointer(bitPattern: table[slot].exchange(0, ordering: .acquiringAndReleasing))
    }

    private static func release(_ entry: UnsafeMutablePointer<Entry>) {
        free(entry.pointee.path)
        free(entry.pointee.line)
        entry.deallocate()
    }
}

/// A file, 0600, that another program may read while this value exists; a signal removes it too.
package final class PrivateTemporaryFile: Sendable {
    package let path: String
    private static let prefix = "argus-"
    private let slot: TemporaryFiles.Slot?

    /// True for the name of such a file, which a kill may have left.
    package static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// Writes the bytes to a new file in a folder; `kind` is its extension.
    /// - Throws: `FileSystemError`; no file is left behind.
    package init(_ bytes: StoredBytes, in folder: String, kind: String) throws(FileSystemError) {
        let number = UInt64.random(in: .min ... .max)
        path = "\(folder)/\(Self.prefix)\(String(number, radix: 36)).\(kind)"
        slot = TemporaryFiles.register(path)
        do throws(FileSystemError) {
            let file = try OwnedDescriptor(
                path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, for: .create)
            // A umask such as 0777 takes away bits that the reader needs.
            _ = fchmod(file.rawValue, 0o600)
            var blocks = bytes.blocks()
            while let block = try blocks.next() {
                try writeAll(block, to: file.rawValue, named: path)
            }
        } catch {
            remove()
            throw error
        }
    }

    deinit { remove() }

    private func remove() {
        unlink(path)
        slot.map(TemporaryFiles.forget)
    }
}
