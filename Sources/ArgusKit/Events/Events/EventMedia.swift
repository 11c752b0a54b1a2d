import ArgusAccount
import ArgusCore
package import ArgusTransport

/// A frame that a server keeps of an event.
///
///     {"frame_number":1,"timestamp_offset_ms":0,"width":160,"height":90}
package struct EventFrame: Sendable, Equatable {
    /// Its number, counted from 1.
    package var number: Int
    /// Milliseconds since the event's time.
    package var offset: Int?

    init?(_ view: JSONView) {
        guard let number = view["frame_number"]?.int else { return nil }
        self.number = number
        offset = view["timestamp_offset_ms"]?.int
    }
}

/// The part of an event's video to read.
package struct VideoPart: Sendable {
    package var eventID: String
    /// The first byte wanted; nil for all of it.
    package var first: Int?
    /// The last byte wanted; nil for the end.
    package var last: Int?
    /// The version that `first` counts in; another is sent whole (RFC 9110, section 13.1.5).
    package var entityTag: String?
}

/// The routes of frames and videos of events; only today's server has them.
package enum EventMediaRoutes {
    private static let events = "/api/v1/events"

    /// Lists the frames of an event.
    package static let frames = Operation<String, ListedRows<EventFrame>>(
        "events.frames", feature: "frames of events",
        Route(.current, ResponseBody.rows("frames", EventFrame.init)) {
            RouteRequest(.get, events, $0, "frames")
        })

    /// Reads the picture of a frame.
    package static let frame = Operation<(id: String, number: Int), [UInt8]>(
        "events.frames.picture", feature: "pictures of frames",
        Route(.current, \.body) { .image(events, $0.id, "frames", String($0.number)) })

    /// Reads the first byte of an event's video, to learn that there is one.
    package static let videoProbe = Operation<String, Bool>(
        "events.video", feature: "video of an event",
        Route(.current) { id in
            RouteRequest(.get, events, id, "video", "download").with { request in
                request.accept = "video/*"
                request.range = 0...0
                request.limits.body = 64 << 10
            }
        } decode: { _ in
            true
        })

    /// Reads part of a video, and returns the answer's head; the player's route mishandles ranges.
    package static let video = Operation<VideoPart, HTTPResponse>(
        "events.video.part", feature: "videos of events",
        Route(.current, \.self) { part in
            RouteRequest(.get, events, part.eventID, "video", "download").with { request in
                request.accept = "video/*, */*;q=0.5"
                request.limits.body = part.last == nil ? Int.max / 2 : 1 << 20
                if let first = part.first {
                    let range = "bytes=\(first)-\(part.last.map { String($0) } ?? "")"
                    request.headers.append(HTTPHeader("Range", range))
                }
                if let tag = part.entityTag { request.headers.append(HTTPHeader("If-Range", tag)) }
            }
        })
}

extension EventService {
    /// Lists the frames that the server keeps of an event.
    /// - Throws: `APIError`.
    package func frames(of id: String) async throws(APIError) -> ListedRows<EventFrame> {
        try await session.call(EventMediaRoutes.frames, id)
    }

    /// Reads the picture of a frame.
    /// - Throws: `APIError`.
    package func picture(ofFrame number: Int, of id: String) async throws(APIError) -> [UInt8] {
        try await session.call(EventMediaRoutes.frame, (id: id, number: number))
    }

    /// Counts the frames of an event and looks for its video; nil where the server has no answer.
    package func extras(of id: String) async -> (frameCount: Int?, hasVideo: Bool?) {
        async let frames = try? self.frames(of: id)
        async let video = hasVideo(id)
        return await (frames.map { $0.count + $0.unreadableRows }, video)
    }

    private func hasVideo(_ id: String) async -> Bool? {
        do throws(APIError) {
            return try await session.call(EventMediaRoutes.videoProbe, id)
        } catch {
            switch error.kind {
            case .notFound: return false
            // More than a byte came back from a server that ignores ranges: there is a video.
            case .transport(let cause) where cause.kind == .tooLarge: return true
            default: return nil
            }
        }
    }
}
