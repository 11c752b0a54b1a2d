import NIOConcurrencyHelpers
import NIOCore

/// Writes events as today's server does: 64 keys, about 2.9 KB each.
///
/// Most of a row follows from a few properties of the event. It is rendered once for each combination
/// of them and cut where the other values belong, so that a page costs little more than copying it.
struct CurrentRow: Sendable {
    /// The values of an event that are not in its row of the store.
    struct Extras {
        var feedback: JSON?
        /// The other events of its group; only the answer for a single event has them.
        var correlated: JSON?
        /// The answer to a creation has no name of the camera.
        var hidesCameraName = false
    }

    /// A value of its own in each row, in the order of the members.
    private enum Slot: String, CaseIterable {
        case id, cameraID, cameraName, timestamp, description, confidence, objects, thumbnail
        case created, group, correlated, feedback

        /// The stand-in for the value in a rendered row, which no text of the server contains.
        var mark: JSON { .text("\u{1}\(rawValue)\u{1}") }
    }

    /// The properties that decide the rest of a row.
    private struct Kind: Hashable {
        var kind: Event.Kind?
        var source: Camera.Source
        var isAlert: Bool
        var analysis: UInt8
    }

    /// Bytes that all rows of a kind share, and the slot behind them; nil at the end.
    private typealias Piece = (bytes: [UInt8], slot: Slot?)

    private let pieces = NIOLockedValueBox<[Kind: [Piece]]>([:])

    /// Appends the object of an event.
    func write(
        _ event: Event, of store: EventStore, _ extras: Extras = Extras(),
        to page: inout ByteBuffer
    ) {
        for piece in pieces(of: event) {
            page.writeBytes(piece.bytes)
            switch piece.slot {
            case .id: page.writeQuoted { $0.write(event.id) }
            case .cameraID: page.writeBytes(store.label(of: event).encodedID)
            case .cameraName where extras.hidesCameraName: page.writeStaticString("null")
            case .cameraName: page.writeBytes(store.label(of: event).encodedName)
            case .timestamp: page.writeQuoted { $0.write(event.time) }
            case .description: page.writeBytes(store.encodedText(of: event))
            case .confidence: page.writeString(String(event.confidence))
            case .objects: page.writeBytes(CurrentRow.objects[Int(event.objects.rawValue)])
            case .thumbnail where event.marks.contains(.thumbnail):
                page.writeQuoted { page in
                    page.writeDay(of: event.created)
                    page.writeStaticString("/event_")
                    page.write(event.id)
                    page.writeStaticString(".jpg")
                }
            case .created: page.writeQuoted { $0.write(event.created) }
            case .group where event.marks.contains(.correlated):
                // Events of one moment share a group, whose id follows from the moment.
                var generator = SeededGenerator(seed: UInt64(bitPattern: event.time.microseconds))
                page.writeQuoted { $0.write(Identifier(&generator)) }
            case .correlated: page.write(extras.correlated)
            case .feedback: page.write(extras.feedback)
            case .thumbnail, .group: page.writeStaticString("null")
            case nil: break
            }
        }
    }

    private func pieces(of event: Event) -> [Piece] {
        let kind = Kind(
            kind: event.kind, source: event.source, isAlert: event.marks.contains(.alert),
            analysis: event.analysis)
        return pieces.withLockedValue { known in
            if let pieces = known[kind] { return pieces }
            var pieces: [Piece] = []
            var rest = CurrentRow.json(of: kind).bytes()[...]
            for slot in Slot.allCases {
                guard let range = rest.firstRange(of: slot.mark.bytes()) else { continue }
                pieces.append((Array(rest[..<range.lowerBound]), slot))
                rest = rest[range.upperBound...]
            }
            pieces.append((Array(rest), nil))
            known[kind] = pieces
            return pieces
        }
    }

    /// The lists of objects, by their raw values.
    private static let objects = (0..<32).map { bits in
        JSON.list(Event.Objects(rawValue: bits).names.map(JSON.text)).bytes()
    }

    /// The whole row, with marks in its slots.
    private static func json(of kind: Kind) -> JSON {
        let analysis = Analysis.all[Int(kind.analysis)]
        let isLow = JSON.bool(analysis.isLowConfidence)
        let first: JSON = [
            "id": Slot.id.mark, "camera_id": Slot.cameraID.mark,
            "camera_name": Slot.cameraName.mark, "timestamp": Slot.timestamp.mark,
            "description": Slot.description.mark, "confidence": Slot.confidence.mark,
            "objects_detected": Slot.objects.mark, "thumbnail_path": Slot.thumbnail.mark,
            "thumbnail_base64": nil, "alert_triggered": .bool(kind.isAlert),
            "source_type": .text(kind.source.rawValue), "protect_event_id": nil,
            "smart_detection_type": JSON(kind.kind?.rawValue),
            "is_doorbell_ring": .bool(kind.kind == .ring), "created_at": Slot.created.mark,
            "correlation_group_id": Slot.group.mark, "correlated_events": Slot.correlated.mark,
        ]
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
        let last: JSON = [
            "ai_economics": economics, "processing_summary": summary,
            "processing_metadata": [
                "ai_economics": economics, "processing_summary": summary, "context": nil,
                "entity": nil, "flags": flags,
            ],
            "key_frames_base64": nil, "frame_timestamps": nil, "matched_entity": nil,
            "entity_id": nil, "entity_name": nil, "feedback": Slot.feedback.mark,
            "audio_event_type": nil, "audio_confidence": nil, "audio_duration_ms": nil,
            "delivery_carrier": JSON(analysis.carrier),
            "delivery_carrier_display": JSON(analysis.carrierDisplay), "video_path": nil,
            "has_annotations": false, "bounding_boxes": nil, "annotated_thumbnail_path": nil,
        ]
        return first.merging(provider).merging(entity).merging(last)
    }
}

extension ByteBuffer {
    fileprivate mutating func writeQuoted(_ write: (inout ByteBuffer) -> Void) {
        writeStaticString("\"")
        write(&self)
        writeStaticString("\"")
    }

    fileprivate mutating func write(_ value: JSON?) {
        guard let value else {
            writeStaticString("null")
            return
        }
        writeBytes(value.bytes())
    }

    fileprivate mutating func write(_ id: Identifier) {
        writeWithUnsafeMutableBytes(minimumWritableBytes: 36) { space in
            id.write(to: space)
            return 36
        }
    }

    fileprivate mutating func write(_ time: Moment) {
        writeWithUnsafeMutableBytes(minimumWritableBytes: Moment.longestText) { time.write(to: $0) }
    }

    /// Writes the UTC day, `YYYY-MM-DD`.
    fileprivate mutating func writeDay(of time: Moment) {
        writeWithUnsafeMutableBytes(minimumWritableBytes: Moment.longestText) { space in
            _ = time.write(to: space)
            return 10
        }
    }
}
