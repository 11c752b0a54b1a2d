/// Encodes events in the form of the mobile API file and of the documents.
enum MobileEventJSON {
    /// A row of a mobile list (`EventSummary`).
    static func summary(_ event: Event, _ store: EventStore) -> JSON {
        var row = head(event, store)
        if let kind = mobileWord(event.kind) {
            row = row.setting("smart_detection_type", .text(kind))
        }
        return row.setting("confidence", .integer(Int(event.confidence)))
            .setting("has_thumbnail", .bool(event.marks.contains(.thumbnail)))
    }

    /// A single event of the mobile file (`EventResponse`).
    ///
    /// Unknown members are left out, because the file has no nulls. `folder` is the parent of
    /// `{id}/thumbnail`, and `kind` the type, of which the mobile file has five.
    static func detail(
        _ event: Event, _ store: EventStore, thumbnailsUnder folder: String, kind: String?
    ) -> JSON {
        let analysis = Analysis.all[Int(event.analysis)]
        var row = head(event, store)
        if let kind { row = row.setting("smart_detection_type", .text(kind)) }
        row = row.setting("confidence", .integer(Int(event.confidence)))
            .setting("objects_detected", .list(event.objects.names.map(JSON.text)))
            .setting("is_doorbell_ring", .bool(event.isDoorbellRing))
            .setting("source_type", .text(event.source.rawValue))
        let known = [
            ("provider_used", analysis.provider), ("analysis_mode", analysis.mode),
            ("delivery_carrier", analysis.carrier),
        ]
        for case (let name, let value?) in known { row = row.setting(name, .text(value)) }
        if event.marks.contains(.thumbnail) {
            row = row.setting("thumbnail_url", .text("\(folder)/\(event.id.text)/thumbnail"))
        }
        return row.setting("created_at", .text(event.created.text))
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
