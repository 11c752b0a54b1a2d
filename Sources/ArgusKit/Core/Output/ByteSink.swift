internal import Glibc
internal import Synchronization

/// Buffers bytes for a file descriptor, or keeps them for a test.
///
/// Pieces are never split between two writes unless the system does it, so a reader of a pipe sees
/// whole lines. After a failure all later calls throw the same error. The process must ignore SIGPIPE.
package final class ByteSink: Sendable {
    private struct Content {
        var buffer: [UInt8] = []
        var failure: OutputError?
        /// True if `flush` leaves the buffer to `writeAvailable`.
        var isPatient = false
    }

    /// The buffer size in bytes from which it is written out.
    private static let flushSize = 1 << 16

    /// The place to write to; nil keeps everything in `contents`.
    private let descriptor: Int32?
    /// The path of a file, for errors; nil for a standard stream.
    private let path: String?
    private let content = Mutex(Content())

    /// Makes a sink that writes to an open descriptor, which stays open: that of the file at `path`,
    /// or of a standard stream.
    package init(descriptor: Int32, of path: String? = nil) {
        self.descriptor = descriptor
        self.path = path
    }

    private init() { (descriptor, path) = (nil, nil) }

    /// Makes a sink that keeps everything in `contents`.
    package static func memory() -> ByteSink { ByteSink() }

    /// Shows a reader the end of the output, which was flushed, while the process goes on.
    package func end() {
        guard let descriptor else { return }
        let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(nothing, descriptor)
        close(nothing)
    }

    /// The bytes of a memory sink, or those that another has not written out yet.
    package var contents: [UInt8] { content.withLock { $0.buffer } }

    package var text: String { String(decoding: contents, as: UTF8.self) }

    /// Buffers bytes and writes them out once there are enough.
    /// - Throws: `OutputError`.
    package func write(_ bytes: some Collection<UInt8>) throws(OutputError) {
        try content.withLock { (content: inout Content) throws(OutputError) in
            if let failure = content.failure { throw failure }
            if try writesAtOnce(bytes, &content) { return }
            content.buffer.append(contentsOf: bytes)
            if content.buffer.count >= Self.flushSize { try writeOut(&content) }
        }
    }

    /// Buffers text and writes it out once there is enough.
    /// - Throws: `OutputError`.
    package func write(_ text: String) throws(OutputError) { try write(text.utf8) }

    /// Writes out the buffer; the last call of a run reports whether all output arrived.
    /// - Throws: `OutputError`.
    package func flush() throws(OutputError) {
        try content.withLock { (content: inout Content) throws(OutputError) in
            if let failure = content.failure { throw failure }
            if !content.isPatient { try writeOut(&content) }
        }
    }

    /// Writes text without held secrets out at once and ignores errors: words of argus, which may
    /// repeat those of a server, and on which no result depends.
    package func show(_ text: String) {
        try? write(text.masked)
        try? flush()
    }

    /// Leaves the buffer to `writeAvailable` from now on, for a run that no reader may hold up.
    package func setPatient() { content.withLock { $0.isPatient = true } }

    /// Writes out the buffer until that would block; true once nothing is left.
    /// - Throws: `OutputError`.
    package func writeAvailable() throws(OutputError) -> Bool {
        try content.withLock { (content: inout Content) throws(OutputError) in
            if let failure = content.failure { throw failure }
            guard let descriptor else { return true }
            while !content.buffer.isEmpty {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&request, 1, 0) != 0 else { return false }
                // As much as a pipe takes then (pipe(7), PIPE_BUF).
                let rest = content.buffer.dropFirst(4096)
                content.buffer.removeLast(rest.count)
                try writeOut(&content)
                content.buffer = Array(rest)
            }
            return true
        }
    }

    /// Writes a long piece out directly instead of buffering it; false if it must be buffered.
    private func writesAtOnce(
        _ bytes: some Collection<UInt8>, _ content: inout Content
    ) throws(OutputError) -> Bool {
        guard bytes.count >= Self.flushSize, let descriptor else { return false }
        try writeOut(&content)
        var failure: OutputError?
        let isWritten: Void? = bytes.withContiguousStorageIfAvailable { piece in
            do throws(OutputError) {
                try writeAll(piece, to: descriptor)
            } catch {
                failure = error
            }
        }
        content.failure = failure
        if let failure { throw failure }
        return isWritten != nil
    }

    private func writeOut(_ content: inout Content) throws(OutputError) {
        guard let descriptor else { return }
        defer { content.buffer.removeAll(keepingCapacity: true) }
        do throws(OutputError) {
            try content.buffer.withUnsafeBufferPointer { (bytes) throws(OutputError) in
                try writeAll(bytes, to: descriptor)
            }
        } catch {
            content.failure = error
            throw error
        }
    }

    private func writeAll(
        _ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32
    ) throws(OutputError) {
        do throws(FileSystemError) {
            try ArgusCore.writeAll(
                UnsafeRawBufferPointer(bytes), to: descriptor, named: path ?? "the output")
        } catch {
            if path != nil { throw .file(error) }
            guard !error.isClosedPipe, case .errno(let code) = error.reason else {
                throw .closedPipe
            }
            throw .failed(code)
        }
    }
}

/// The reason why results cannot be written.
package enum OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reader closed the pipe (EPIPE), which is a success for commands that only read.
    case closedPipe
    /// Any other error, such as a full disk (ENOSPC).
    case failed(Errno)
    /// The failure of a file that takes the results instead of stdout.
    case file(FileSystemError)
    /// The name of the output file is empty.
    case emptyName
    case binaryToTerminal
    /// Several files cannot go to one stream.
    case severalToOne(String)

    /// A clause for an error message.
    package var description: String {
        switch self {
        case .closedPipe: "the reader has closed the output"
        case .failed(let code): "cannot write the output: \(code)"
        case .file(let error): error.description
        case .emptyName: "the name of the output file is empty"
        case .binaryToTerminal: "binary data is not written to a terminal; use -o FILE or a pipe"
        case .severalToOne(let word): "several files cannot be written to '\(word)'"
        }
    }
}
