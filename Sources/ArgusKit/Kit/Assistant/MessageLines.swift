internal import ArgusCore
internal import Glibc
internal import Synchronization

/// Reads the lines of a descriptor; a line that is too long is skipped without being kept.
package final class MessageLines: Sendable {
    package enum Line: Sendable, Equatable {
        case text([UInt8])
        case tooLong
        /// Nothing more comes.
        case end
    }

    /// The longest line in bytes; requests are short.
    package static let limit = 1 << 20

    private struct State {
        var buffer: [UInt8] = []
        /// The number of bytes of the buffer in which no line feed is.
        var searched = 0
        var isSkipping = false
        var isOver = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Waits for the next line, on a thread of its own.
    package func next() async -> Line { await onOwnThread { self.read() } }

    private func read() -> Line {
        state.withLock { state in
            while true {
                if let line = takeLine(&state) { return line }
                guard !state.isOver else { return .end }
                var chunk = [UInt8](repeating: 0, count: 1 << 16)
                let count = chunk.withUnsafeMutableBytes { bytes in
                    retryingInterrupts { Glibc.read(descriptor, bytes.baseAddress, bytes.count) }
                }
                if count <= 0 { state.isOver = true } else { state.buffer += chunk[..<count] }
            }
        }
    }

    /// The first line of the buffer, or its rest at the end; nil if more must be read.
    private func takeLine(_ state: inout State) -> Line? {
        guard let end = state.buffer[state.searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            state.searched = state.buffer.count
            if state.searched > Self.limit { state.isSkipping = true }
            if state.isSkipping { (state.buffer, state.searched) = ([], 0) }
            guard state.isOver, state.isSkipping || !state.buffer.isEmpty else { return nil }
            defer { state = State(isOver: true) }
            return state.isSkipping ? .tooLong : .text(state.buffer)
        }
        let line = Array(state.buffer[..<end])
        state.buffer.removeFirst(end + 1)
        state.searched = 0
        if state.isSkipping || line.count > Self.limit {
            state.isSkipping = false
            return .tooLong
        }
        return .text(line)
    }
}
