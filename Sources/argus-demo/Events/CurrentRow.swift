import NIOCore

/// Writes events as today's server does: 64 keys, about 2.9 KB each.
///
/// A row is a few numbers between fragments that were rendered once, so that a page costs little
/// more than copying it.
struct CurrentRow: Sendable {
    /// `,"objects_detected":[…],"thumbnail_path":` for each set of objects; the second half is for
    /// rows with a thumbnail and goes on with its opening quote.
    private let objects: [[UInt8]]
    /// From the end of `thumbnail_path` to the opening quote of `created_at`.
    private let middles: [[UInt8]]
    /// From the end of `created_at` to the end, for each analysis of a row with nothing unusual.
    private let endings: [[UInt8]]
    /// From `,"provider_used"` to the value of `feedback`, for each analysis.
    private let tails: [[UInt8]]
    /// What follows the value of `feedback`, for each analysis.
    private let ends: [[UInt8]]
    private let numbers = (0...255).map { Array(String($0).utf8) }

    init() {
        objects = [false, true].flatMap { hasThumbnail in
            (0..<32).map { bits in
                let names = Event.Objects(rawValue: UInt8(bits)).names.map(JSON.text)
                let list = JSON.list(names).description()
                let quote = hasThumbnail ? "\"" : ""
                return Array(",\"objects_detected\":\(list),\"thumbnail_path\":\(quote)".utf8)
            }
        }
        let kinds = [nil] + Event.Kind.allCases.map(Optional.some)
        middles = kinds.flatMap { kind in
            Camera.Source.allCases.flatMap { source in
                (0..<4).map { CurrentRow.middle(kind, source, Event.Marks(rawValue: $0)) }
            }
        }
        tails = Analysis.all.map { CurrentRow.tail(of: $0) }
        ends = Analysis.all.map { CurrentRow.end(of: $0) }
        let ungrouped = "\",\"correlation_group_id\":null,\"correlated_events\":null"
        endings = zip(tails, ends).map { tail, end in
            Array(ungrouped.utf8) + tail + Array("null".utf8) + end
        }
    }

    /// What is known of an event beyond its row in the store.
    struct Extras {
        var feedback: JSON?
        /// The other events of its group; only the answer for a single event has them.
        var correlated: JSON?
        /// The answer to a creation does not know the camera's name.
        var hidesCameraName = false
    }

    /// Appends the object of an event.
    func write(
        _ event: Event, of store: EventStore, _ extras: Extras = Extras(),
        to page: inout ByteBuffer
    ) {
        let hasThumbnail = event.marks.contains(.thumbnail)
        let camera = store.label(of: event)
        let opening = extras.hidesCameraName ? CurrentRow.unnamed(camera) : camera.fragment
        let description = store.descriptions[Int(event.description)].fragment
        let objects = objects[(hasThumbnail ? 32 : 0) + Int(event.objects.rawValue)]
        let middle = middles[CurrentRow.place(of: event)]
        let ending =
            isUsual(event, extras) ? endings[Int(event.analysis)] : unusualEnding(event, extras)
        let size =
            CurrentRow.variableSize + opening.count + description.count + objects.count
            + middle.count + ending.count
        page.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { space in
            var row = RowCursor(space)
            row.put(start)
            row.put(event.id)
            row.put(opening)
            row.put(event.time)
            row.put(description)
            row.put(numbers[Int(event.confidence)])
            row.put(objects)
            if hasThumbnail {
                row.putDay(of: event.created)
                row.put(folder)
                row.put(event.id)
            }
            row.put(middle)
            row.put(event.created)
            row.put(ending)
            return row.count
        }
    }

    /// Enough for what stands between the fragments: two ids, three times and some signs.
    private static let variableSize = 2 * 36 + 3 * Moment.longestText + 64
    private let start = Array("{\"id\":\"".utf8)
    private let folder = Array("/event_".utf8)

    private func isUsual(_ event: Event, _ extras: Extras) -> Bool {
        extras.feedback == nil && !event.marks.contains(.correlated)
    }

    /// The ending of a row with feedback or a group.
    private func unusualEnding(_ event: Event, _ extras: Extras) -> [UInt8] {
        let group =
            event.marks.contains(.correlated) ? "\"\(CurrentRow.group(of: event))\"" : "null"
        return Array("\",\"correlation_group_id\":\(group),\"correlated_events\":".utf8)
            + (extras.correlated ?? .null).bytes() + tails[Int(event.analysis)]
            + (extras.feedback ?? .null).bytes() + ends[Int(event.analysis)]
    }

    /// Events of one moment share a group, whose id follows from the moment.
    private static func group(of event: Event) -> String {
        var generator = SeededGenerator(seed: UInt64(bitPattern: event.time.microseconds))
        return Identifier(&generator).text
    }

    private static func unnamed(_ camera: EventStore.CameraLabel) -> [UInt8] {
        let id = JSON.text(camera.id).description()
        return Array("\",\"camera_id\":\(id),\"camera_name\":null,\"timestamp\":\"".utf8)
    }

    /// Where in `middles` the fragment of an event is.
    private static func place(of event: Event) -> Int {
        let kind = event.kind.map { $0.number + 1 } ?? 0
        let marks = event.marks.rawValue & 3
        return (kind * Camera.Source.allCases.count + event.source.number) * 4 + Int(marks)
    }

    /// The members of an object without its braces, after a comma.
    private static func inner(_ object: JSON) -> [UInt8] {
        [UInt8(ascii: ",")] + object.bytes().dropFirst().dropLast()
    }
}

extension CurrentRow {
    private static func middle(
        _ kind: Event.Kind?, _ source: Camera.Source, _ marks: Event.Marks
    ) -> [UInt8] {
        let members: JSON = [
            "thumbnail_base64": nil, "alert_triggered": .bool(marks.contains(.alert)),
            "source_type": .text(source.rawValue), "protect_event_id": nil,
            "smart_detection_type": JSON(kind?.rawValue),
            "is_doorbell_ring": .bool(kind == .ring),
        ]
        let start = marks.contains(.thumbnail) ? ".jpg\"" : "null"
        return Array(start.utf8) + inner(members) + Array(",\"created_at\":\"".utf8)
    }

    private static func tail(of analysis: Analysis) -> [UInt8] {
        let nothing: JSON = .null
        let head: JSON = [
            "provider_used": JSON(analysis.provider), "fallback_reason": JSON(analysis.fallback),
            "analysis_mode": JSON(analysis.mode),
            "frame_count_used": JSON(analysis.mode == "multi_frame" ? 5 : Int?.none),
            "audio_transcription": nothing, "ai_confidence": JSON(analysis.confidence),
            "low_confidence": .bool(analysis.isLowConfidence),
            "vague_reason": JSON(analysis.isVague ? "Generic description" : String?.none),
            "reanalyzed_at": nothing, "reanalysis_count": 0,
        ]
        let nulls = [
            "ai_cost", "ai_response_time_ms", "tokens_used", "ocr_used", "ai_fallback_used",
            "prompt_variant", "entity_similarity_score", "entity_occurrence_count",
            "entity_is_new", "final_entity_similarity_score", "final_entity_occurrence_count",
            "final_entity_is_new", "final_entity_id", "final_entity_type", "final_entity_name",
            "regenerated", "context_included", "context_stats", "post_processing_summary",
        ]
        let flags: Set<String> = [
            "ocr_used", "ai_fallback_used", "regenerated", "context_included",
        ]
        let middle = JSON.object(
            nulls.map { JSON.Member(name: $0, value: flags.contains($0) ? false : nothing) })
        let economics = economics(of: analysis)
        let summary = summary(of: analysis)
        let flagged: JSON = [
            "ai_fallback_used": false, "regenerated": false, "ocr_used": false,
            "low_confidence": .bool(analysis.isLowConfidence),
        ]
        let metadata: JSON = [
            "ai_economics": economics, "processing_summary": summary, "context": nothing,
            "entity": nothing, "flags": flagged,
        ]
        let last: JSON = [
            "ai_economics": economics, "processing_summary": summary,
            "processing_metadata": metadata, "key_frames_base64": nothing,
            "frame_timestamps": nothing, "matched_entity": nothing, "entity_id": nothing,
            "entity_name": nothing,
        ]
        return inner(head) + inner(middle) + inner(last) + Array(",\"feedback\":".utf8)
    }

    private static func end(of analysis: Analysis) -> [UInt8] {
        let members: JSON = [
            "audio_event_type": nil, "audio_confidence": nil, "audio_duration_ms": nil,
            "delivery_carrier": JSON(analysis.carrier),
            "delivery_carrier_display": JSON(analysis.carrierDisplay), "video_path": nil,
            "has_annotations": false, "bounding_boxes": nil, "annotated_thumbnail_path": nil,
        ]
        return inner(members) + [UInt8(ascii: "}")]
    }

    private static func economics(of analysis: Analysis) -> JSON {
        [
            "cost": nil, "tokens_used": nil, "response_time_ms": nil,
            "provider": JSON(analysis.provider), "fallback_used": false,
            "confidence": JSON(analysis.confidence), "prompt_variant": nil, "ocr_used": false,
            "low_confidence": .bool(analysis.isLowConfidence),
        ]
    }

    private static func summary(of analysis: Analysis) -> JSON {
        [
            "context_used": false, "low_confidence": .bool(analysis.isLowConfidence),
            "ai_fallback_used": false, "ocr_used": false, "entity_matched": false,
            "entity_is_new": nil, "regenerated": false, "homekit_triggered": false,
            "face_processed": false, "vehicle_processed": false, "entity_alerts_run": false,
        ]
    }
}
