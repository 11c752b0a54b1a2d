import Glibc
import Synchronization

/// The unfinished files of this process, which a signal removes or reports.
package enum TemporaryFiles {
    /// The number of a registered file.
    package typealias Slot = Int

    private struct Entry {
        let path: String
        /// Reports that the file stays; nil for a file to remove.
        let sentence: String?
    }

    private struct State {
        var entries: [Slot: Entry] = [:]
        var lastSlot = 0
    }

    private static let state = Mutex(State())

    /// Registers a path before its file is created, so that no signal falls in between.
    ///
    /// A file with a `sentence` is reported, unless it is empty.
    package static func register(_ path: String, reporting sentence: String? = nil) -> Slot {
        state.withLock { state in
            state.lastSlot += 1
            state.entries[state.lastSlot] = Entry(path: path, sentence: sentence)
            return state.lastSlot
        }
    }

    /// Removes a path whose file is complete, deleted or reported otherwise.
    package static func forget(_ slot: Slot) {
        state.withLock { _ = $0.entries.removeValue(forKey: slot) }
    }

    /// Removes or reports every registered file, as the process is ending.
    static func endAll() {
        for entry in state.withLock({ $0.entries.values.map(\.self) }) {
            guard let sentence = entry.sentence else {
                unlink(entry.path)
                continue
            }
            var status = stat()
            // A missing file has been renamed.
            guard lstat(entry.path, &status) == 0 else { continue }
            if status.st_size == 0 {
                unlink(entry.path)
            } else {
                // A progress line may stand on the terminal.
                let start = isatty(STDERR_FILENO) == 1 ? "\r\u{1B}[K" : ""
                writeWithoutWaiting(
                    start + Sanitizer.visible(sentence) + "\n", to: STDERR_FILENO)
            }
        }
    }
}

/// A file, 0600, that another program may read while this value exists; a signal removes it too.
package final class PrivateTemporaryFile: Sendable {
    package let path: String
    private static let prefix = "argus-"
    private let slot: TemporaryFiles.Slot

    /// True for the name of such a file, which a kill may have left.
    package static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// Writes the bytes to a new file in a folder; `kind` is its extension.
    /// - Throws: `FileSystemError`; no file is left behind.
    package init(_ bytes: [UInt8], in folder: String, kind: String) throws(FileSystemError) {
        let number = UInt64.random(in: .min ... .max)
        path = "\(folder)/\(Self.prefix)\(String(number, radix: 36)).\(kind)"
        slot = TemporaryFiles.register(path)
        do throws(FileSystemError) {
            let file = try OwnedDescriptor(
                path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, for: .create)
            // A umask such as 0777 takes away bits that the reader needs.
            _ = fchmod(file.rawValue, 0o600)
            try writeAll(bytes, to: file.rawValue, named: path)
        } catch {
            remove()
            throw error
        }
    }

    deinit { remove() }

    private func remove() {
        unlink(path)
        TemporaryFiles.forget(slot)
    }
}
