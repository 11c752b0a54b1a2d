import ArgusCore
package import ArgusTransport

/// A server's stream of announcements as signals of a feed, opened again whenever it ends.
package struct FeedStream: Sendable {
    private static let longestPause = Duration.seconds(60)
    /// The pause for a server without a stream, which an update may bring.
    private static let pauseWithout = Duration.seconds(600)

    private let client: APIClient
    private let inbox: FeedInbox
    private let sleep: @Sendable (Duration) async throws -> Void

    package init(
        of client: APIClient, to inbox: FeedInbox,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        (self.client, self.inbox, self.sleep) = (client, inbox, sleep)
    }

    /// Follows the stream until the task is cancelled, with pauses of 1, 2, 4 … 60 seconds, 25 %
    /// more or less, between two connections.
    package func run() async {
        var pause = Duration.seconds(1)
        while !Task.isCancelled {
            do throws(TransportError) {
                let stream = try await client.stream()
                pause = .seconds(1)
                await inbox.send(.connected)
                let reason = await forward(stream)
                await inbox.send(.disconnected(reason))
            } catch {
                if case .upgradeRefused(let status) = error.kind, (400..<500).contains(status) {
                    await inbox.send(.disconnected(error.detail))
                    pause = Self.pauseWithout
                }
            }
            let percent = Int.random(in: 75...125)
            do { try await sleep(pause * percent / 100) } catch { return }
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Sends what the stream announces, and returns the reason of its end.
    private func forward(_ stream: WebSocket) async -> String {
        do throws(TransportError) {
            while let text = try await stream.next() {
                if let signal = FeedSignal(streamText: text) { await inbox.send(signal) }
            }
            return "the server closed the stream"
        } catch {
            return error.detail
        }
    }
}

extension FeedSignal {
    /// Reads a text of a server's stream; nil if it announces no event and no ring
    /// (docs/compatibility.md, trap 26).
    ///
    ///     {"type":"NEW_EVENT","data":{"event_id":"8f85eda1-…","camera_id":"7323d311-…"}}
    init?(streamText text: [UInt8]) {
        guard let view = try? JSONView.parse(text), let kind = view["type"]?.string else {
            return nil
        }
        let data = view["data"]
        switch kind {
        case "NEW_EVENT", "EVENT_CREATED", "notification":
            // A notification's `id` is its own, not the event's.
            let own = kind == "notification" ? nil : data?["id"]?.string
            guard let id = data?["event_id"]?.string ?? own, EventRow.isUsual(id: id) else {
                return nil
            }
            self = .announced(id)
        case "DOORBELL_RING": self = .ring
        default: return nil
        }
    }
}
