import ArgusCore
import ArgusEvents

/// The canonical fields of events (docs/scripting.md, "Fields").
enum EventView {
    static let fields: [Field<Event>] = [
        .column("id", "the event's id") { $0.id }.shortened,
        .hidden("camera_id", "the camera's id") { $0.cameraID }.shortened,
        .column("camera_name", "the camera's name") { $0.cameraName }.shrinking(2).headed("camera"),
        .column("timestamp", "when it happened") { $0.timestamp }.leading.headed("time"),
        .column("type", "the smart detection type, else the first object seen, else motion") {
            $0.type
        }.withTypeColors,
        .hidden("objects", "everything that was detected") { $0.objects }.shrinking(1),
        .hidden("confidence", "the confidence of the detection, in percent") { $0.confidence }
            .headed("%", label: "confidence").onTerminals(from: 120),
        .column("description", "the AI's description") { $0.description }.shrinking(0, to: 10)
            .asHeadline.untrusted,
        .hidden("is_doorbell_ring", "whether a visitor rang the doorbell") { $0.isDoorbellRing },
        .hidden("alert_triggered", "whether an alert rule fired") { $0.alertTriggered }
            .coloringYes(.yellow).leading.marking("!").headed("alert"),
        .hidden("carrier", "who delivered the package") { $0.carrier },
        .hidden("source", "how the camera is connected: rtsp, usb, protect") { $0.source },
        .hidden("has_thumbnail", "whether there is a picture") { $0.hasThumbnail },
        .hidden("entity_id", "the id of the recognised person or vehicle") { $0.entityID }
            .shortened,
        .hidden("entity_name", "the name of the recognised person or vehicle") { $0.entityName },
    ]

    /// The fields of a list that a filter chose; a terminal shows why an event of another type matched:
    /// `package +person`.
    static func fields(
        of filter: EventFilterOptions, in context: Context
    ) throws(Failure) -> [Field<Event>] {
        let types = filter.typeNames
        guard !types.isEmpty, try context.isForScreen() else { return fields }
        return fields.map { field in
            guard field.name == "type" else { return field }
            var field = field
            field.value = { .text($0.typeText(among: types)) }
            return field
        }
    }

    static let detailFields: [Field<EventDetail>] =
        fields.reading(asColumns: true) { $0.event } + own

    private static let own: [Field<EventDetail>] = [
        .column(
            "analysis_mode", "what the AI analysed: single_frame, multi_frame or video_native"
        ) { $0.analysisMode },
        .column("provider", "the AI that described it") { $0.provider },
        .column("created_at", "when the server stored it") { $0.createdAt },
        .column("correlated_event_ids", "the ids of related events of other cameras") {
            $0.correlatedEventIDs
        },
        .column("feedback", "the rating of the description") { $0.feedback.map(feedback) }
            .ofType(.nullable(.object)),
        .column("frame_count", "how many frames are stored") { $0.frameCount },
        .column("has_video", "whether there is a video") { $0.hasVideo },
    ]

    private static func feedback(_ feedback: EventFeedback) -> FieldValue {
        [
            "rating": feedback.rating, "correction": feedback.correction,
            "created_at": feedback.createdAt,
        ]
    }
}

extension Event {
    /// The type, with those of its other objects that are among the types of a filter.
    func typeText(among types: [String]) -> String {
        guard !types.contains(type.lowercased()) else { return type }
        return ([type] + types.filter(isOfType)).joined(separator: " +")
    }
}
