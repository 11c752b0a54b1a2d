internal import Glibc
internal import Synchronization

/// Collects bytes and writes them to a file descriptor, or keeps them for a test.
///
/// Secrets that this process holds are masked in each piece, which must therefore be whole lines.
/// Pieces are never split between two writes unless the system does it, so that a reader of a pipe
/// sees whole lines, too. The first failure stays: all later calls throw it too. The process must
/// ignore SIGPIPE.
package final class ByteSink: Sendable {
    private enum Target {
        case descriptor(Int32)
        case memory
    }

    fileprivate struct Content {
        var buffer: [UInt8] = []
        var failure: OutputError?
    }

    /// What a sink shares with its verbatim twin.
    private final class State: Sendable {
        let content = Mutex(Content())
    }

    /// From how many bytes on the buffer is written out.
    private static let flushSize = 1 << 16

    private let target: Target
    private let state: State
    private let isVerbatim: Bool

    /// A sink that writes to an open descriptor, which stays open.
    package convenience init(descriptor: Int32) {
        self.init(target: .descriptor(descriptor))
    }

    private init(target: Target, state: State = State(), isVerbatim: Bool = false) {
        self.target = target
        self.state = state
        self.isVerbatim = isVerbatim
    }

    /// A sink that keeps everything, to be read with `contents`.
    package static func memory() -> ByteSink { ByteSink(target: .memory) }

    /// The same sink without the mask, for the commands whose result is a secret.
    package var verbatim: ByteSink { ByteSink(target: target, state: state, isVerbatim: true) }

    /// What a memory sink has been given, and what another has not written out yet.
    package var contents: [UInt8] { state.content.withLock { $0.buffer } }

    /// `contents` as text.
    package var text: String { String(decoding: contents, as: UTF8.self) }

    /// Takes bytes; they are written out when enough have come together.
    package func write(_ bytes: some Collection<UInt8>) throws(OutputError) {
        try state.content.withLock { (content: inout Content) throws(OutputError) in
            if let failure = content.failure { throw failure }
            if try writesAtOnce(bytes, &content) { return }
            let start = content.buffer.count
            content.buffer.append(contentsOf: bytes)
            if !isVerbatim { content.mask(from: start) }
            if content.buffer.count >= Self.flushSize { try writeOut(&content) }
        }
    }

    /// Takes a text.
    package func write(_ text: String) throws(OutputError) {
        try write(text.utf8)
    }

    /// Writes out what has been taken; the last call of a run tells whether all of it arrived.
    package func flush() throws(OutputError) {
        try state.content.withLock { (content: inout Content) throws(OutputError) in
            if let failure = content.failure { throw failure }
            try writeOut(&content)
        }
    }

    /// Writes out what is long, so that it is not held twice; false where it has to be held.
    private func writesAtOnce(
        _ bytes: some Collection<UInt8>, _ content: inout Content
    ) throws(OutputError) -> Bool {
        guard bytes.count >= Self.flushSize, case .descriptor(let descriptor) = target else {
            return false
        }
        try writeOut(&content)
        var failure: OutputError?
        let isWritten: Void? = bytes.withContiguousStorageIfAvailable { piece in
            let ranges = isVerbatim ? [] : HeldSecrets.mask.ranges(in: piece)
            do throws(OutputError) {
                guard ranges.isEmpty else {
                    let masked = SecretMask.masking(piece, at: ranges)
                    try masked.withUnsafeBufferPointer { (bytes) throws(OutputError) in
                        try Self.writeAll(bytes, to: descriptor)
                    }
                    return
                }
                try Self.writeAll(piece, to: descriptor)
            } catch {
                failure = error
            }
        }
        content.failure = failure
        if let failure { throw failure }
        return isWritten != nil
    }

    private func writeOut(_ content: inout Content) throws(OutputError) {
        guard case .descriptor(let descriptor) = target else { return }
        defer { content.buffer.removeAll(keepingCapacity: true) }
        do throws(OutputError) {
            try content.buffer.withUnsafeBufferPointer { (bytes) throws(OutputError) in
                try Self.writeAll(bytes, to: descriptor)
            }
        } catch {
            content.failure = error
            throw error
        }
    }

    private static func writeAll(
        _ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32
    ) throws(OutputError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(
                descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilWritable(descriptor)
            case EPIPE: throw .closedPipe
            default: throw .failed(.current)
            }
        }
    }

    /// Waits for a descriptor that someone else has made non-blocking, as parents of a
    /// pipeline do; a failure shows at the next write.
    private static func waitUntilWritable(_ descriptor: Int32) {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
    }
}

extension ByteSink.Content {
    /// Masks the secrets in what was taken last.
    fileprivate mutating func mask(from start: Int) {
        let ranges = buffer.withUnsafeBufferPointer {
            HeldSecrets.mask.ranges(in: UnsafeBufferPointer(rebasing: $0[start...]))
        }
        guard !ranges.isEmpty else { return }
        let masked = SecretMask.masking(buffer[start...], at: ranges)
        buffer.replaceSubrange(start..., with: masked)
    }
}
