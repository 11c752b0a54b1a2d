import ArgusKit

/// The canonical fields of events (contract section 2).
enum EventView {
    static let fields: [Field<Event>] = [
        Field("id", "the event's id") { .text($0.id) },
        Field("camera_id", "the camera's id", isColumn: false) { FieldValue($0.cameraID) },
        Field("camera_name", "the camera's name") { FieldValue($0.cameraName) },
        Field("timestamp", "when it was seen") { FieldValue($0.timestamp) },
        Field("type", "the smart detection type, else the first object seen, else motion") {
            .text($0.type)
        },
        Field("objects", "everything that was detected", isColumn: false) {
            FieldValue($0.objects)
        },
        Field("confidence", "how sure the detection is, in percent", isColumn: false) {
            FieldValue($0.confidence)
        },
        Field("description", "what the AI says it saw") { FieldValue($0.description) },
        Field("is_doorbell_ring", "whether somebody rang", isColumn: false) {
            FieldValue($0.isDoorbellRing)
        },
        Field("alert_triggered", "whether an alert rule fired", isColumn: false) {
            FieldValue($0.alertTriggered)
        },
        Field("carrier", "who delivered the package", isColumn: false) { FieldValue($0.carrier) },
        Field("source", "how the camera is connected: rtsp, usb, protect", isColumn: false) {
            FieldValue($0.source)
        },
        Field("has_thumbnail", "whether there is a picture", isColumn: false) {
            FieldValue($0.hasThumbnail)
        },
    ]

    static let detailFields: [Field<EventDetail>] =
        fields.map { field in
            Field(field.name, field.summary) { field.value($0.event) }
        } + [
            Field("analysis_mode", "how the AI looked: single_frame, multi_frame, video_native") {
                FieldValue($0.analysisMode)
            },
            Field("provider", "the AI that described it") { FieldValue($0.provider) },
            Field("created_at", "when the server stored it") { FieldValue($0.createdAt) },
            Field("correlated_event_ids", "events of other cameras that belong to it") {
                FieldValue($0.correlatedEventIDs)
            },
            Field("feedback", "what a person said of the description") {
                $0.feedback.map(feedback) ?? .null
            },
            Field("frame_count", "frames kept of it") { FieldValue($0.frameCount) },
            Field("has_video", "whether there is a video") { FieldValue($0.hasVideo) },
        ]

    private static func feedback(_ feedback: EventFeedback) -> FieldValue {
        .object([
            .init("rating", .text(feedback.rating)),
            .init("correction", FieldValue(feedback.correction)),
            .init("created_at", FieldValue(feedback.createdAt)),
        ])
    }
}
