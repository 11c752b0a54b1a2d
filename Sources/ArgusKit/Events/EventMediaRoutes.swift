/// A frame that a server keeps of an event.
///
///     {"frame_number":1,"timestamp_offset_ms":0,"width":160,"height":90}
package struct EventFrame: Sendable, Equatable {
    /// Its number, counted from 1.
    package var number: Int
    /// Milliseconds since the event's time.
    package var offset: Int?

    /// Reads a row of the list of frames; nil without a number.
    init?(_ view: JSONView) {
        guard let number = view["frame_number"]?.int.flatMap(Int.init(exactly:)) else { return nil }
        self.number = number
        offset = view["timestamp_offset_ms"]?.int.flatMap(Int.init(exactly:))
    }
}

/// What of an event's video is asked for.
package struct VideoPart: Sendable {
    package var eventID: String
    /// The first byte wanted; nil for all of it.
    package var first: Int?
    /// The last byte wanted; nil for the end.
    package var last: Int?
    /// The version that `first` counts in; another is sent whole (RFC 9110, section 13.1.5).
    package var entityTag: String?

    var range: String? {
        first.map { first in "bytes=\(first)-\(last.map { String($0) } ?? "")" }
    }
}

/// The routes of frames and videos of events; only today's server has them (backend-facts 5.2).
package enum EventMediaRoutes {
    /// The frames of an event.
    package static let frames = Operation<String, ListedRows<EventFrame>>(
        "events.frames.list", purpose: "frames of events",
        routes: [
            Route(.current) { id in
                RouteRequest(.get, "/api/v1/events", id, "frames")
            } decode: { answer throws(APIError) in
                let body = try ResponseBody.parse(answer)
                guard let list = body.kind == .array ? body : body["frames"], list.kind == .array
                else { throw .malformed("the list of frames has no frames", answer) }
                return ListedRows(Array(list.elements), read: EventFrame.init)
            }
        ])

    /// The picture of a frame.
    package static let frame = Operation<(id: String, number: Int), StoredBytes>(
        "events.frames.picture", purpose: "pictures of frames",
        routes: [
            Route(.current) { input in
                .image("/api/v1/events", input.id, "frames", String(input.number))
            } decode: {
                $0.stored
            }
        ])

    /// A part of a video; what is read is the head of the answer.
    ///
    /// The other video route of today's server gets ranges wrong.
    package static let video = Operation<VideoPart, HTTPResponse>(
        "events.video.part", purpose: "videos of events",
        routes: [
            Route(.current) { part in
                var request = RouteRequest(
                    .get, "/api/v1/events", part.eventID, "video", "download")
                request.accept = "video/*, */*;q=0.5"
                request.limits.body = part.last == nil ? Int.max / 2 : 1 << 20
                if let range = part.range { request.headers.append(HTTPHeader("Range", range)) }
                if let tag = part.entityTag { request.headers.append(HTTPHeader("If-Range", tag)) }
                return request
            } decode: {
                $0
            }
        ])
}
