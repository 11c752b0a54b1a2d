import NIOCore

/// The creation and deletion of events on today's server.
enum EventChangeRoutes {
    /// Stores an event; validates and drops many members of the request.
    static func create(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let camera = body.required("camera_id")
        body.require("timestamp")
        let time = body.moment("timestamp") ?? request.now
        let description = body.required("description", length: 1...5000)
        let confidence = body.integer("confidence", in: 0...100)
        let objects = body.words(
            "objects_detected", oneOf: ["person", "vehicle", "animal", "package", "unknown"])
        let path = body.optional("thumbnail_path", length: 0...500)
        let picture = body.optional("thumbnail_base64")
        let isAlert = body.flag("alert_triggered") ?? false
        try body.finish()
        var event = Event(
            id: .random(), time: time, created: request.now, kind: nil,
            objects: Event.Objects(objects), source: .rtsp, confidence: UInt8(confidence),
            camera: state.events.number(ofCamera: camera),
            description: state.events.number(ofDescription: description))
        if path != nil || picture != nil { event.marks.insert(.thumbnail) }
        if isAlert { event.marks.insert(.alert) }
        state.store(
            event, now: request.now, ruleTime: state.applyRules(to: event, now: request.now))
        var row = ByteBuffer()
        CurrentRow.write(event, of: state.events, hidesCameraName: true, to: &row)
        return Answer(status: 201, body: .bytes(row))
    }

    static func delete(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        state.events.remove(at: try EventRoutes.find(request, state))
        return .noContent
    }

    /// Deletes the events in `event_ids`, a repeated parameter.
    static func deleteSeveral(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let ids = request.query.filter { $0.name == "event_ids" }.map(\.value)
        guard !ids.isEmpty else {
            var input = Validation()
            input.reportMissing(at: ["query", "event_ids"])
            throw input.refusal
        }
        guard ids.count <= 100 else {
            throw Refusal("Cannot delete more than 100 events at once", status: 400)
        }
        let deleted = ids.compactMap { id in
            state.events.index(of: id).map { state.events.remove(at: $0) }
        }
        guard !deleted.isEmpty else { throw Refusal("No events found to delete", status: 404) }
        let thumbnails = deleted.count { $0.marks.contains(.thumbnail) }
        return .json([
            "deleted_count": .integer(deleted.count), "thumbnails_deleted": .integer(thumbnails),
            "frames_deleted": .integer(thumbnails * 3),
            "space_freed_mb": .number(Double(thumbnails) / 100),
            "not_found_count": .integer(ids.count - deleted.count),
        ])
    }

    /// Fails every permitted analysis, since there is no AI provider.
    static func reanalyze(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let event = state.events.rows[try EventRoutes.find(request, state)]
        var body = try BodyReader(request)
        let mode = body.word(
            "analysis_mode", oneOf: ["single_frame", "multi_frame", "video_native"])
        try body.finish()
        if event.source != .protect, mode != "single_frame" {
            throw Refusal(
                "Analysis mode '\(mode)' is not available for \(event.source.rawValue) cameras. "
                    + "Only 'single_frame' is supported.", status: 400)
        }
        guard event.marks.contains(.thumbnail) else {
            throw Refusal("Event has no thumbnail available for re-analysis", status: 400)
        }
        try state.limit(
            "reanalyze \(event.id.text)", to: 3, in: 3600, request,
            or: Refusal(
                "Rate limit exceeded: maximum 3 re-analyses per event per hour", status: 429))
        throw Refusal("AI re-analysis failed", status: 500)
    }
}
