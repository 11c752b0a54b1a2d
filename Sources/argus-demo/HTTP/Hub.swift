import NIOConcurrencyHelpers
import NIOCore
import NIOWebSocket

/// The connected WebSocket clients.
final class Hub: Sendable {
    private let channels = NIOLockedValueBox<[ObjectIdentifier: any Channel]>([:])

    func add(_ channel: any Channel) {
        channels.withLockedValue { $0[ObjectIdentifier(channel)] = channel }
    }

    func remove(_ channel: any Channel) {
        channels.withLockedValue { $0[ObjectIdentifier(channel)] = nil }
    }

    /// The number of clients.
    var count: Int { channels.withLockedValue { $0.count } }

    /// Sends a text to all clients.
    func broadcast(_ text: String) {
        for channel in channels.withLockedValue({ Array($0.values) }) {
            let frame = WebSocketFrame(
                fin: true, opcode: .text, data: channel.allocator.buffer(string: text))
            channel.writeAndFlush(frame, promise: nil)
        }
    }
}
