import ArgusCore
package import ArgusTransport

/// A server's stream of announcements as signals of a feed, opened again whenever it ends.
package struct FeedStream: Sendable {
    /// The pause for a server without a stream, which an update may bring.
    private static let pauseWithout = Duration.seconds(600)

    private let client: APIClient
    private let run: ServiceRun

    package init(of client: APIClient, to run: ServiceRun) {
        (self.client, self.run) = (client, run)
    }

    /// Follows the stream until the task is cancelled, with the pauses of `Backoff.ofRequests`, 25 %
    /// more or less, between two connections.
    package func follow() async {
        var pause: Duration?
        while !Task.isCancelled {
            var next = Backoff.ofRequests.pause(after: pause)
            do throws(TransportError) {
                let stream = try await client.stream()
                next = Backoff.ofRequests.pause(after: nil)
                await run.send(.connected)
                let reason = await forward(stream)
                await run.send(.disconnected(reason))
            } catch {
                if case .upgradeRefused(let status) = error.kind, (400..<500).contains(status) {
                    await run.send(.disconnected(error.detail))
                    next = Self.pauseWithout
                }
            }
            let percent = Int.random(in: 75...125)
            do { try await run.clock.sleep(next * percent / 100) } catch { return }
            pause = next
        }
    }

    /// Sends what the stream announces, and returns the reason of its end.
    private func forward(_ stream: WebSocket) async -> String {
        do throws(TransportError) {
            while let text = try await stream.next() {
                if let signal = ServiceSignal(streamText: text) { await run.send(signal) }
            }
            return "the server closed the stream"
        } catch {
            return error.detail
        }
    }
}

extension ServiceSignal {
    /// Reads a text of a server's stream; nil if it announces no event and no ring
    /// (docs/compatibility.md, trap 26).
    ///
    ///     {"type":"NEW_EVENT","data":{"event_id":"8f85eda1-…","camera_id":"7323d311-…"}}
    package init?(streamText text: [UInt8]) {
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
