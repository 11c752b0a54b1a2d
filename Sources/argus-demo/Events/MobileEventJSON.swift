/// Encodes events in the form of the mobile API file and of the documents.
enum MobileEventJSON {
    /// A row of a mobile list (`EventSummary`).
    static func summary(_ event: Event, _ store: EventStore) -> JSON {
        let rest: JSON = [
            "smart_detection_type": JSON(mobileWord(event.kind)),
            "confidence": .integer(Int(event.confidence)),
            "has_thumbnail": .bool(event.marks.contains(.thumbnail)),
        ]
        return head(event, store).merging(rest.withoutNulls)
    }

    /// A single event of the mobile file (`EventResponse`).
    ///
    /// Unknown members are left out, because the file has no nulls. `folder` is the parent of
    /// `{id}/thumbnail`, and `kind` the type, of which the mobile file has five.
    static func detail(
        _ event: Event, _ store: EventStore, thumbnailsUnder folder: String, kind: String?
    ) -> JSON {
        let analysis = Analysis.all[Int(event.analysis)]
        let hasThumbnail = event.marks.contains(.thumbnail)
        let rest: JSON = [
            "smart_detection_type": JSON(kind), "confidence": .integer(Int(event.confidence)),
            "objects_detected": .list(event.objects.names.map(JSON.text)),
            "is_doorbell_ring": .bool(event.isDoorbellRing),
            "source_type": .text(event.source.rawValue),
            "provider_used": JSON(analysis.provider), "analysis_mode": JSON(analysis.mode),
            "delivery_carrier": JSON(analysis.carrier),
            "thumbnail_url": hasThumbnail ? .text("\(folder)/\(event.id.text)/thumbnail") : nil,
            "created_at": .text(event.created.text),
        ]
        return head(event, store).merging(rest.withoutNulls)
    }

    /// The mobile file's word for a type; it has none for `ring` and for unlisted types.
    static func mobileWord(_ kind: Event.Kind?) -> String? {
        switch kind {
        case .ring: "motion"
        case .licensePlate, .manualTrigger, nil: nil
        case let kind?: kind.rawValue
        }
    }

    private static func head(_ event: Event, _ store: EventStore) -> JSON {
        let label = store.label(of: event)
        return [
            "id": .text(event.id.text), "camera_id": .text(label.id),
            "camera_name": .text(label.name), "timestamp": .text(event.time.text),
            "description": .text(store.text(of: event)),
        ]
    }
}
