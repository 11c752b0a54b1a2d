import Glibc

/// A result being written: a file that appears complete, or a stream.
package final class OutputFile: ByteDestination {
    private enum Destination: Sendable {
        case whole(AtomicFile, replacing: Bool)
        /// A descriptor, and its owner if it is to be closed.
        case stream(Int32, SharedDescriptor?)
    }

    /// The name in messages and results: the path, or `standard output`.
    package let path: String
    private let destination: Destination

    /// Begins a file that appears under its name at `commit`.
    /// - Throws: `FileSystemError` if the folder is absent or not writable.
    package init(
        _ path: String, for audience: AtomicFile.Audience = .person, replacing: Bool
    ) throws(FileSystemError) {
        self.path = path
        AbandonedFiles.sweepOnce(FileRename.folder(of: path))
        destination = .whole(try AtomicFile(path, for: audience), replacing: replacing)
    }

    /// Opens a device or pipe.
    /// - Throws: `FileSystemError`.
    package init(stream path: String) throws(FileSystemError) {
        self.path = path
        let descriptor = try OwnedDescriptor(path, O_WRONLY | O_NOCTTY, for: .open)
        let number = descriptor.rawValue
        destination = .stream(number, SharedDescriptor(descriptor))
    }

    /// Writes to a descriptor that stays open.
    package init(descriptor: Int32, named name: String) {
        path = name
        destination = .stream(descriptor, nil)
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        switch destination {
        case .whole(let file, _): try file.write(bytes)
        case .stream(let descriptor, _): try writeAll(bytes, to: descriptor, named: path)
        }
    }

    /// The descriptor, for a program that writes the file; it stays open until `commit`.
    package var descriptor: Int32 {
        switch destination {
        case .whole(let file, _): file.number
        case .stream(let descriptor, _): descriptor
        }
    }

    /// Renames the file to its name; does nothing for a stream.
    /// - Throws: `.exists` if the name was taken in the meantime and may not be replaced.
    package func commit() throws(FileSystemError) {
        if case .whole(let file, let replacing) = destination {
            try file.commit(replacing: replacing)
        }
    }
}

/// The file of `--trace`: readable by its owner only, never opened through a link.
package enum TraceFile {
    /// Opens the file for appending, 0600 if created, and returns a descriptor that stays open.
    /// - Throws: `FileSystemError`, also for a link and for another user's file.
    package static func open(_ path: String) throws(FileSystemError) -> Int32 {
        let file = try OwnedDescriptor.appending(to: path, for: .open)
        let status = try file.status(of: path)
        guard status.st_mode & 0o077 == 0 || fchmod(file.rawValue, 0o600) == 0 else {
            throw .current(.open, path)
        }
        return file.release()
    }
}
