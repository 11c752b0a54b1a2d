import ArgusCore
import Glibc

/// The messages for the thread of a listener, which a pipe wakes.
final class ListenerMailbox: Sendable {
    enum Message: Sendable {
        /// The status that answers the request of a connection.
        case answer(Int, to: Int)
        case close
    }

    private let reading: OwnedDescriptor
    private let writing: OwnedDescriptor
    private let messages = Collected<Message>()

    /// Makes an empty mailbox; nil if the system grants no pipe.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        reading = OwnedDescriptor(owning: ends[0])
        writing = OwnedDescriptor(owning: ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    /// The descriptor that can be read while there are messages.
    var descriptor: Int32 { reading.rawValue }

    /// Sends a message, from any thread.
    func send(_ message: Message) {
        messages.add(message)
        var byte: UInt8 = 0
        // A full pipe wakes as well.
        _ = write(writing.rawValue, &byte, 1)
    }

    func take() -> [Message] {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading.rawValue, &bytes, bytes.count) == bytes.count {}
        return messages.take()
    }
}
