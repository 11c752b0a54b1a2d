import NIOConcurrencyHelpers
import NIOCore

/// Open connections.
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

    /// Closes all connections as they are.
    func close() {
        for channel in all { channel.close(promise: nil) }
    }
}
