import ArgusKit

/// The canonical fields of cameras and of their pictures (contract section 2).
enum CameraView {
    static let fields: [Field<Camera>] = [
        Field("id", "the camera's id") { .text($0.id) },
        Field("name", "the camera's name") { FieldValue($0.name) },
        Field("enabled", "whether the server is to use it") { FieldValue($0.isEnabled) },
        Field("online", "whether it delivers pictures now; null when the server cannot tell") {
            FieldValue($0.isOnline)
        },
        Field("source", "how it is connected: rtsp, usb, protect") { FieldValue($0.source) },
        Field("is_doorbell", "whether it is a doorbell", isColumn: false) {
            FieldValue($0.isDoorbell)
        },
        Field("last_event_at", "when it last saw something", isColumn: false) {
            FieldValue($0.lastEventAt)
        },
    ]

    static let detailFields: [Field<CameraDetail>] =
        fields.map { field in
            Field(field.name, field.summary, isColumn: field.isColumn) { field.value($0.camera) }
        } + [
            Field("model", "the camera's model") { FieldValue($0.camera.model) },
            Field("capture_enabled", "whether capturing runs, apart from the setting") {
                FieldValue($0.camera.isCaptureEnabled)
            },
            Field("created_at", "when it was added") { FieldValue($0.camera.createdAt) },
            Field("updated_at", "when its settings last changed") {
                FieldValue($0.camera.updatedAt)
            },
            Field("status", "what the server's capturing says: connected, reconnecting, …") {
                FieldValue($0.health?.status)
            },
            Field("last_frame_at", "when its last picture came in") {
                FieldValue($0.health?.lastFrameAt)
            },
            Field("error", "what keeps pictures from coming") { FieldValue($0.health?.error) },
            Field("stream_available", "whether it can be watched live") {
                FieldValue($0.stream?.isAvailable)
            },
            Field("stream_qualities", "name, size and rate of the qualities") {
                FieldValue($0.stream?.qualities)
            },
            Field("stream_clients", "who watches it live now, as a number") {
                FieldValue($0.stream?.clients)
            },
        ]
}

/// A picture that has been written to where it was wanted.
struct SavedImage: Sendable {
    /// The camera or event that it shows.
    var id: String
    /// The file's path; nil for stdout.
    var path: String?
    var byteCount: Int
    /// Hexadecimal, lower case.
    var sha256: String
    var capturedAt: Timestamp?

    static func fields(id name: String, _ summary: String) -> [Field<SavedImage>] {
        [
            Field(name, summary, isColumn: false) { .text($0.id) },
            Field("path", "the file that was written; null for stdout") { FieldValue($0.path) },
            Field("bytes", "its size") { .integer(Int64($0.byteCount)) },
            Field("sha256", "its checksum", isColumn: false) { .text($0.sha256) },
            Field("captured_at", "when the picture was taken") { FieldValue($0.capturedAt) },
        ]
    }
}
