import NIOCore

/// The export of events on today's server.
enum EventExportRoutes {
    /// Exports events, oldest first, in chunks, as lines of JSON or as CSV.
    static func export(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var input = Validation()
        let format = input.word(request.field("format"), oneOf: ["json", "csv"])
        if format == nil { input.reportMissing(at: ["query", "format"]) }
        var filter = EventRoutes.basics(request, &input, from: "start_date", through: "end_date")
        filter.end = filter.end.map { Moment(microseconds: $0.microseconds + 86_400_000_000 - 1) }
        filter.minimumConfidence = input.integer(request.field("min_confidence"), in: 0...100)
        try input.finish()
        var body = ByteBuffer()
        if format == "csv" { body.writeString(names.joined(separator: ",") + "\r\n") }
        for index in filter.matches(in: state.events) {
            try state.events.rows[index].expectReadable("Failed to export events")
            let row = row(state.events.rows[index], state.events)
            body.writeBytes(format == "csv" ? Array(csv(row).utf8) : row.bytes(.spaced))
            body.writeStaticString(format == "csv" ? "\r\n" : "\n")
        }
        let stamp = request.now.stampText.filter(\.isNumber)
        let name = "events_export_\(stamp.prefix(8))_\(stamp.suffix(6)).\(format ?? "json")"
        var answer = Answer(
            type: format == "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson",
            headers: [("content-disposition", "attachment; filename=\(name)")],
            body: .bytes(body))
        answer.isChunked = true
        return answer
    }

    private static let names = [
        "id", "camera_id", "timestamp", "description", "confidence", "objects_detected",
        "thumbnail_path", "alert_triggered", "created_at",
    ]

    private static func row(_ event: Event, _ store: EventStore) -> JSON {
        [
            "id": .text(event.id.text), "camera_id": .text(store.label(of: event).id),
            "timestamp": .text(event.time.text), "description": .text(store.text(of: event)),
            "confidence": .integer(Int(event.confidence)),
            "objects_detected": JSON(event.objects.names),
            "thumbnail_path": JSON(event.thumbnailPath),
            "alert_triggered": .bool(event.marks.contains(.alert)),
            "created_at": .text(event.created.text),
        ]
    }

    /// A line in the form of Python's csv module, without protection from formulas.
    private static func csv(_ row: JSON) -> String {
        names.map { name in
            let cell: String
            switch row[name] {
            case .text(let text): cell = text
            case .integer(let number): cell = String(number)
            case .bool(let flag): cell = flag ? "True" : "False"
            case .list(let elements): cell = elements.compactMap(\.string).joined(separator: ",")
            default: cell = ""
            }
            guard cell.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return cell }
            return "\"" + cell.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",")
    }
}
