import NIOCore

/// Writes events in the form of today's server: 64 keys, about 2.9 KB each.
///
/// Most of a row depends only on the event's analysis and is rendered once, so a page costs little
/// more than a copy.
enum CurrentRow {
    /// Appends the object of an event.
    ///
    /// Only the answer for a single event lists the other events of its group; the answer to a
    /// creation lacks the camera's name. `entity` has three members.
    static func write(
        _ event: Event, of store: EventStore, feedback: JSON? = nil, correlated: JSON? = nil,
        entity: JSON? = nil, hidesCameraName: Bool = false, to page: inout ByteBuffer
    ) {
        let label = store.label(of: event)
        let (camera, name) = (label.encodedID, hidesCameraName ? null : label.encodedName)
        let description = store.descriptions[Int(event.description)].encoded
        let (id, created) = (event.id.text, event.created.text)
        page.writeStaticString(#"{"id":""#)
        page.writeString(id)
        page.writeStaticString(#"","camera_id":"#)
        page.writeBytes(camera)
        page.writeStaticString(#","camera_name":"#)
        page.writeBytes(name)
        page.writeStaticString(#","timestamp":""#)
        page.writeString(event.time.text)
        page.writeStaticString(#"","description":"#)
        page.writeBytes(description)
        page.writeStaticString(#","confidence":"#)
        page.writeString(String(event.confidence))
        page.writeStaticString(#","objects_detected":"#)
        page.writeBytes(objects[Int(event.objects.rawValue)])
        page.writeStaticString(#","thumbnail_path":"#)
        if event.marks.contains(.thumbnail) {
            page.writeStaticString("\"")
            page.writeSubstring(created.prefix(10))
            page.writeStaticString("/event_")
            page.writeString(id)
            page.writeStaticString(".jpg\"")
        } else {
            page.writeBytes(null)
        }
        page.writeStaticString(#","thumbnail_base64":null,"alert_triggered":"#)
        page.writeString(event.marks.contains(.alert) ? "true" : "false")
        page.writeStaticString(#","source_type":""#)
        page.writeString(event.source.rawValue)
        page.writeStaticString(#"","protect_event_id":null,"smart_detection_type":"#)
        page.write(quoted: event.kind?.rawValue)
        page.writeStaticString(#","is_doorbell_ring":"#)
        page.writeString(event.isDoorbellRing ? "true" : "false")
        page.writeStaticString(#","created_at":""#)
        page.writeString(created)
        page.writeStaticString(#"","correlation_group_id":"#)
        page.write(quoted: event.marks.contains(.correlated) ? group(of: event).text : nil)
        page.writeStaticString(#","correlated_events":"#)
        page.writeBytes(correlated?.bytes() ?? null)
        let rest = rests[Int(event.analysis)]
        page.writeBytes(rest.beforeEntity)
        page.writeBytes(entity.map(members) ?? noEntity)
        page.writeStaticString(#","feedback":"#)
        page.writeBytes(feedback?.bytes() ?? null)
        page.writeBytes(rest.afterFeedback)
    }

    /// The group of events of one moment, whose id follows from the moment.
    private static func group(of event: Event) -> Identifier {
        var generator = SeededGenerator(seed: UInt64(bitPattern: event.time.microseconds))
        return Identifier(&generator)
    }

    private static let null = Array("null".utf8)

    private static let noEntity = members(
        ["matched_entity": nil, "entity_id": nil, "entity_name": nil])

    /// The members of an object without its brackets.
    private static func members(_ object: JSON) -> [UInt8] {
        Array(object.bytes().dropFirst().dropLast())
    }

    /// The encoded lists of objects, by raw value.
    private static let objects = (0..<32).map { bits in
        JSON(Event.Objects(rawValue: bits).names).bytes()
    }

    /// The members that depend on the analysis, and the end of the row.
    private static let rests = Analysis.all.map { analysis in
        let (first, last) = members(of: analysis)
        let before = ",\(first.description().dropFirst().dropLast()),"
        let after = ",\(last.description().dropFirst())"
        return (beforeEntity: Array(before.utf8), afterFeedback: Array(after.utf8))
    }

    /// The members between `correlated_events` and those about the entity, and those after the
    /// feedback.
    private static func members(of analysis: Analysis) -> (JSON, JSON) {
        let isLow = JSON.bool(analysis.isLowConfidence)
        let provider: JSON = [
            "provider_used": JSON(analysis.provider), "fallback_reason": JSON(analysis.fallback),
            "analysis_mode": JSON(analysis.mode),
            "frame_count_used": analysis.mode == "multi_frame" ? 5 : nil,
            "audio_transcription": nil, "ai_confidence": JSON(analysis.confidence),
            "low_confidence": isLow,
            "vague_reason": analysis.isVague ? "Generic description" : nil,
            "reanalyzed_at": nil, "reanalysis_count": 0, "ai_cost": nil,
            "ai_response_time_ms": nil, "tokens_used": nil, "ocr_used": false,
            "ai_fallback_used": false, "prompt_variant": nil,
        ]
        let entity: JSON = [
            "entity_similarity_score": nil, "entity_occurrence_count": nil, "entity_is_new": nil,
            "final_entity_similarity_score": nil, "final_entity_occurrence_count": nil,
            "final_entity_is_new": nil, "final_entity_id": nil, "final_entity_type": nil,
            "final_entity_name": nil, "regenerated": false, "context_included": false,
            "context_stats": nil, "post_processing_summary": nil,
        ]
        let economics: JSON = [
            "cost": nil, "tokens_used": nil, "response_time_ms": nil,
            "provider": JSON(analysis.provider), "fallback_used": false,
            "confidence": JSON(analysis.confidence), "prompt_variant": nil, "ocr_used": false,
            "low_confidence": isLow,
        ]
        let summary: JSON = [
            "context_used": false, "low_confidence": isLow, "ai_fallback_used": false,
            "ocr_used": false, "entity_matched": false, "entity_is_new": nil,
            "regenerated": false, "homekit_triggered": false, "face_processed": false,
            "vehicle_processed": false, "entity_alerts_run": false,
        ]
        let flags: JSON = [
            "ai_fallback_used": false, "regenerated": false, "ocr_used": false,
            "low_confidence": isLow,
        ]
        let middle: JSON = [
            "ai_economics": economics, "processing_summary": summary,
            "processing_metadata": [
                "ai_economics": economics, "processing_summary": summary, "context": nil,
                "entity": nil, "flags": flags,
            ],
            "key_frames_base64": nil, "frame_timestamps": nil,
        ]
        let last: JSON = [
            "audio_event_type": nil, "audio_confidence": nil, "audio_duration_ms": nil,
            "delivery_carrier": JSON(analysis.carrier),
            "delivery_carrier_display": JSON(analysis.carrierDisplay), "video_path": nil,
            "has_annotations": false, "bounding_boxes": nil, "annotated_thumbnail_path": nil,
        ]
        return (provider.merging(entity).merging(middle), last)
    }
}

extension ByteBuffer {
    /// Writes a word in quotes, or `null`.
    fileprivate mutating func write(quoted word: String?) {
        guard let word else {
            writeStaticString("null")
            return
        }
        writeStaticString("\"")
        writeString(word)
        writeStaticString("\"")
    }
}
