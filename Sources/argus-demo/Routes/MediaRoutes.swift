import NIOCore

/// The frames and videos of events on today's server; frames are public.
enum MediaRoutes {
    private static let framesPerEvent = 3

    static func frames(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let event = state.events.rows[try EventRoutes.find(request, state)]
        let id = event.id.text
        let count = event.marks.contains(.thumbnail) ? framesPerEvent : 0
        var total = 0
        var generator = SeededGenerator(seed: event.id.low)
        let frames = (0..<count).map { index -> JSON in
            let number = index + 1
            let size = picture(event, number, state).readableBytes
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
        return ByteRange.answer(
            picture(event, number, state), type: "image/jpeg",
            tag: "\(event.id.text)-\(number)", request)
    }

    static func download(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let bytes = try video(request, state)
        let id = request.parameter("event_id")
        var answer = ByteRange.answer(bytes, type: "video/mp4", tag: id, request)
        answer.headers.append(
            ("content-disposition", "attachment; filename=\"event_\(id).mp4\""))
        return answer
    }

    /// A file that begins like an MP4 and continues with noise, always the same for an event.
    ///
    /// - Throws: The 404 for an event without a video; only Protect cameras record them.
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

    private static func picture(_ event: Event, _ number: Int, _ state: State) -> ByteBuffer {
        ThumbnailRoutes.picture(of: event, state, frame: number, headers: []).bytes
    }
}

/// File answers with ranges (RFC 9110, section 14), like the framework's file responses.
enum ByteRange {
    static func answer(
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
            return Answer(
                status: 416, type: "text/plain",
                headers: [("content-range", "bytes */\(size)")])
        }
        let place = (
            name: "content-range",
            value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        )
        return Answer(status: 206, type: type, headers: headers + [place], body: .bytes(part))
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
