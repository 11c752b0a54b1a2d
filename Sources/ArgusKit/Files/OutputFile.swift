import Glibc

/// A result being written: a file that appears complete, or a stream.
package final class OutputFile: Sendable {
    private enum Destination: Sendable {
        case whole(AtomicFile, replacing: Bool)
        case stream(StreamOutput)
    }

    /// The name in messages and results: the path, or `standard output`.
    package let path: String
    private let destination: Destination

    /// Begins a file that appears under its name at `commit`.
    ///
    /// - Throws: `FileSystemError` if the folder is absent or not writable.
    package init(_ path: String, replacing: Bool) throws(FileSystemError) {
        self.path = path
        destination = .whole(try AtomicFile(path, for: .person), replacing: replacing)
    }

    /// Opens a device or pipe.
    ///
    /// - Throws: `FileSystemError`.
    package init(stream path: String) throws(FileSystemError) {
        self.path = path
        let descriptor = try OwnedDescriptor(path, O_WRONLY | O_NOCTTY, for: .open)
        destination = .stream(StreamOutput(owned: descriptor, path: path))
    }

    /// Writes to a descriptor that stays open.
    package init(descriptor: Int32, named name: String) {
        path = name
        destination = .stream(StreamOutput(borrowed: descriptor, path: name))
    }

    /// Appends bytes.
    ///
    /// - Throws: `FileSystemError`.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        switch destination {
        case .whole(let file, _): try file.write(bytes)
        case .stream(let stream): try stream.write(bytes)
        }
    }

    /// Appends bytes.
    ///
    /// - Throws: `FileSystemError`.
    package func write(_ bytes: [UInt8]) throws(FileSystemError) {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(FileSystemError) in try write(buffer) }
        }.get()
    }

    /// Renames the file to its name; does nothing for a stream.
    ///
    /// - Throws: `.exists` if the name was taken in the meantime and may not be replaced.
    package func commit() throws(FileSystemError) {
        if case .whole(let file, let replacing) = destination {
            try file.commit(replacing: replacing)
        }
    }

    /// Removes an unfinished file; bytes written to a stream stay written.
    package func discard() {
        if case .whole(let file, _) = destination { file.discard() }
    }
}

/// Writes to a descriptor without buffering.
private final class StreamOutput: Sendable {
    private let descriptor: Int32
    private let owner: Owner?
    private let path: String

    /// Closes the descriptor with the stream.
    private final class Owner: Sendable {
        let descriptor: OwnedDescriptor
        init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
    }

    init(owned: consuming OwnedDescriptor, path: String) {
        descriptor = owned.rawValue
        owner = Owner(owned)
        self.path = path
    }

    init(borrowed: Int32, path: String) {
        descriptor = borrowed
        owner = nil
        self.path = path
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        try ArgusKit.writeAll(bytes, to: descriptor, named: path)
    }
}
