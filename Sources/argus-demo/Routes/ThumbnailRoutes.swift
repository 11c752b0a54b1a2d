/// The pictures of events on today's server.
enum ThumbnailRoutes {
    /// Returns a file of the public folder of thumbnails.
    static func file(_ request: Request, _ state: inout State) -> Answer {
        let caching = [(name: "cache-control", value: "max-age=86400")]
        let file = request.parameter("file")
        let path = "\(request.parameter("date"))/\(file)"
        guard file.hasPrefix("event_"), file.hasSuffix(".jpg"),
            let index = state.events.index(of: String(file.dropFirst(6).dropLast(4))),
            state.events.rows[index].thumbnailPath == path
        else {
            // The answer for a missing file has no body but may still be cached for a day.
            return Answer(status: 404, type: nil, headers: caching)
        }
        return picture(of: state.events.rows[index], state, headers: caching)
    }

    /// The route by event id, which requires a signature that no route issues.
    static func signed(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var input = Validation()
        for name in ["signature", "expires"] where request.queryValue(name) == nil {
            input.reportMissing(at: ["query", .text(name)])
        }
        _ = input.integer(request.field("expires"))
        try input.finish()
        throw Refusal("Invalid or expired signature", status: 403)
    }

    /// The thumbnail as a JPEG.
    static func picture(
        of event: Event, _ state: State, frame: Int = 0,
        headers: [(name: String, value: String)]
    ) -> Answer {
        let label = state.events.label(of: event)
        let camera = state.cameras.first { $0.id.text == label.id }
        return .jpeg(headers: headers) {
            Scene.thumbnail(
                event.kind, camera: camera?.number ?? 0, name: camera?.pictureName ?? "CAMERA",
                at: event.time, frame: frame)
        }
    }
}
