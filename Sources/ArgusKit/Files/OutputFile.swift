import Glibc

/// One result being written: a file that appears whole, or a stream written as it comes.
package final class OutputFile: Sendable {
    private enum Destination: Sendable {
        case whole(AtomicFile, replacing: Bool)
        case stream(StreamOutput)
    }

    /// What to call it in messages and results: the path, or `standard output`.
    package let path: String
    private let destination: Destination

    /// Begins a file that appears under its name at `commit`.
    package init(_ path: String, replacing: Bool) throws(FileSystemError) {
        self.path = path
        destination = .whole(try AtomicFile(path, for: .person), replacing: replacing)
    }

    /// Opens a device or pipe.
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

    /// Adds bytes at the end.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        switch destination {
        case .whole(let file, _): try file.write(bytes)
        case .stream(let stream): try stream.write(bytes)
        }
    }

    /// Adds bytes at the end.
    package func write(_ bytes: [UInt8]) throws(FileSystemError) {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(FileSystemError) in try write(buffer) }
        }.get()
    }

    /// Puts the file under its name; nothing is left to do for a stream.
    ///
    /// - Throws: `.exists` when the name was taken meanwhile and may not be replaced.
    package func commit() throws(FileSystemError) {
        if case .whole(let file, let replacing) = destination {
            try file.commit(replacing: replacing)
        }
    }

    /// Leaves nothing under the name; what a stream took stays taken.
    package func discard() {
        if case .whole(let file, _) = destination { file.discard() }
    }
}

/// A descriptor that is written without detours.
private final class StreamOutput: Sendable {
    private let descriptor: Int32
    private let owner: Owner?
    private let path: String

    /// Closes the descriptor when the stream goes.
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
