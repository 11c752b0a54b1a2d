import NIOConcurrencyHelpers
import NIOCore
import NIOWebSocket

final class ChannelSet: Sendable {
    private let channels = NIOLockedValueBox<[ObjectIdentifier: any Channel]>([:])

    func add(_ channel: any Channel) {
        channels.withLockedValue { $0[ObjectIdentifier(channel)] = channel }
    }

    func remove(_ channel: any Channel) {
        channels.withLockedValue { $0[ObjectIdentifier(channel)] = nil }
    }

    func contains(_ channel: any Channel) -> Bool {
        channels.withLockedValue { $0[ObjectIdentifier(channel)] != nil }
    }

    var all: [any Channel] { channels.withLockedValue { Array($0.values) } }

    func close() {
        for channel in all { channel.close(promise: nil) }
    }
}

/// The connected WebSocket clients.
final class Hub: Sendable {
    let clients = ChannelSet()
    /// The clients that no longer receive anything.
    let silenced = ChannelSet()

    func broadcast(_ text: String) {
        for channel in clients.all where !silenced.contains(channel) {
            let frame = WebSocketFrame(
                fin: true, opcode: .text, data: channel.allocator.buffer(string: text))
            channel.writeAndFlush(frame, promise: nil)
        }
    }

    /// Sends all clients a frame that breaks RFC 6455: a reserved bit (section 5.2), or a text that
    /// is not UTF-8 (section 8.1).
    func sendGarbage() {
        let frames = [
            WebSocketFrame(
                fin: true, rsv1: true, opcode: .text, data: ByteBuffer(string: "garbage")),
            WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: [0xC3, 0x28])),
        ]
        for channel in clients.all {
            channel.writeAndFlush(frames.randomElement(), promise: nil)
        }
    }
}
