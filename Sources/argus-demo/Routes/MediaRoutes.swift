import NIOCore

/// The thumbnails, frames and videos of events on today's server; frames are public.
enum MediaRoutes {
    private static let framesPerEvent = 3

    /// Returns a file of the public folder of thumbnails.
    static func thumbnail(_ request: Request, _ state: inout State) -> Answer {
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

    static func picture(
        of event: Event, _ state: State, frame: Int = 0,
        headers: [(name: String, value: String)] = []
    ) -> Answer {
        let label = state.events.label(of: event)
        let camera = state.cameras.first { $0.id.text == label.id }
        return .jpeg(headers: headers) {
            Scene.thumbnail(
                event.kind, camera: camera?.number ?? 0, name: camera?.pictureName ?? "CAMERA",
                at: event.time, frame: frame)
        }
    }

    static func frames(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let event = state.events.rows[try EventRoutes.find(request, state)]
        let id = event.id.text
        let count = event.marks.contains(.thumbnail) ? framesPerEvent : 0
        var total = 0
        var generator = SeededGenerator(seed: event.id.low)
        let frames = (0..<count).map { index -> JSON in
            let number = index + 1
            let size = picture(of: event, state, frame: number).bytes.readableBytes
            total += size
            return [
                "id": .text(Identifier(&generator).text), "event_id": .text(id),
                "frame_number": .integer(number),
                "frame_path": .text("frames/\(id)/frame_00\(number).jpg"),
                "timestamp_offset_ms": .integer((number - 1) * 200), "width": 320, "height": 180,
                "file_size_bytes": .integer(size), "created_at": .text(event.created.text),
                "url": .text("/api/v1/events/\(id)/frames/\(number)"),
            ]
        }
        return .json([
            "event_id": .text(id), "frames": .list(frames), "total_count": .integer(count),
            "total_size_bytes": .integer(total),
        ])
    }

    static func frame(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let event = state.events.rows[try EventRoutes.find(request, state)]
        var input = Validation()
        let field = Validation.Field(
            text: request.parameter("number"), location: ["path", "frame_number"])
        let number = input.integer(field) ?? 0
        try input.finish()
        guard event.marks.contains(.thumbnail), (1...framesPerEvent).contains(number) else {
            throw Refusal("Frame \(number) not found for event \(event.id.text)", status: 404)
        }
        return .file(
            picture(of: event, state, frame: number).bytes, type: "image/jpeg",
            tag: "\(event.id.text)-\(number)", request)
    }

    static func download(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let bytes = try video(request, state)
        let id = request.parameter("event_id")
        var answer = Answer.file(bytes, type: "video/mp4", tag: id, request)
        answer.headers.append(
            ("content-disposition", "attachment; filename=\"event_\(id).mp4\""))
        return answer
    }

    /// A file that begins like an MP4 and continues with noise, always the same for an event; only
    /// Protect cameras record them.
    private static func video(_ request: Request, _ state: State) throws(Refusal) -> ByteBuffer {
        let event = state.events.rows[try EventRoutes.find(request, state)]
        guard event.source == .protect, event.marks.contains(.thumbnail) else {
            throw Refusal("No video available for event \(event.id.text)", status: 404)
        }
        var generator = SeededGenerator(seed: event.id.high)
        let count = 40_000 + Int(generator.next() % 40_000)
        var bytes = ByteBuffer()
        bytes.writeBytes([0, 0, 0, 24])
        bytes.writeStaticString("ftypisom\u{0}\u{0}\u{2}\u{0}isomiso2")
        bytes.writeInteger(UInt32(count * 8 + 8))
        bytes.writeStaticString("mdat")
        for _ in 0..<count { bytes.writeInteger(generator.next()) }
        return bytes
    }
}

extension Answer {
    /// A file, or a range of it (RFC 9110, section 14), like the framework's file responses.
    fileprivate static func file(
        _ bytes: ByteBuffer, type: String, tag: String, _ request: Request
    ) -> Answer {
        let headers = [
            (name: "accept-ranges", value: "bytes"), (name: "etag", value: "\"\(tag)\""),
        ]
        let size = bytes.readableBytes
        let isSame = request.header("if-range").map { $0 == "\"\(tag)\"" } ?? true
        guard isSame, let header = request.header("range"), header.hasPrefix("bytes=") else {
            return Answer(type: type, headers: headers, body: .bytes(bytes))
        }
        let bounds = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let range = range(first: bounds[0], last: bounds[1], of: size),
            let part = bytes.getSlice(at: range.lowerBound, length: range.count)
        else {
            let length = "bytes */\(size)"
            return Answer(status: 416, type: "text/plain", headers: [("content-range", length)])
        }
        let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        return Answer(
            status: 206, type: type, headers: headers + [("content-range", place)],
            body: .bytes(part))
    }

    private static func range(first: Substring, last: Substring, of size: Int) -> Range<Int>? {
        if first.isEmpty {
            guard let count = Int(last), count > 0 else { return nil }
            return max(0, size - count)..<size
        }
        guard let first = Int(first), first < size else { return nil }
        if last.isEmpty { return first..<size }
        guard let last = Int(last), last >= first else { return nil }
        return first..<min(last + 1, size)
    }
}
