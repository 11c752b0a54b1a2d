package import ArgusCore
package import ArgusTransport

/// An event that argus stores itself, as no camera saw it.
package struct NewEvent: Sendable, Equatable {
    package var cameraID: String
    package var timestamp: Timestamp
    package var description: String
    /// The objects seen: `person`, `vehicle`, `package`, `animal` or `unknown`.
    package var objects: [String]
    /// Percent, 0–100.
    package var confidence: Int
    /// A JPEG in base64.
    package var picture: String?

    package init(
        ofCamera id: String, at time: Timestamp, description: String, objects: [String],
        confidence: Int, picture: String? = nil
    ) {
        (cameraID, timestamp, self.description) = (id, time, description)
        (self.objects, self.confidence, self.picture) = (objects, confidence, picture)
    }
}

extension EventChangeRoutes {
    /// Stores an event, to which the server's alert rules apply; the answer leaves the camera's name
    /// out.
    package static let create = Operation<NewEvent, Event>(
        "events.create", feature: "events that a client stores",
        Route(.current) { event in
            RouteRequest(.post, "/api/v1/events").sending { writer in
                writer.member("camera_id", event.cameraID)
                writer.member("timestamp", event.timestamp)
                writer.member("description", event.description)
                writer.member("confidence", event.confidence)
                writer.member("objects_detected", event.objects)
                if let picture = event.picture { writer.member("thumbnail_base64", picture) }
            }
        } decode: { answer throws(APIError) in
            try Event(try ResponseBody.parse(answer)).orMalformed(
                "the answer is not an event", in: answer)
        })
}
