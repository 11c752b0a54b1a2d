import ArgusKit

/// A camera's picture that has been written, with what tells whether it is a fresh one.
struct SavedSnapshot: Sendable {
    var image: SavedImage
    var age: Duration?
    /// Whether the camera gave the same bytes before; nil when no earlier picture is known.
    var isFrozen: Bool?

    static let fields: [Field<SavedSnapshot>] =
        SavedImage.fields(id: "camera_id", "the camera's id").map { field in
            Field(field.name, field.summary, isColumn: field.isColumn) { field.value($0.image) }
        } + [
            Field("age_seconds", "how old it was when the server sent it", isColumn: false) {
                FieldValue($0.age.map { Double($0.components.seconds) })
            },
            Field("frozen", "whether it is the same picture as the last one", isColumn: false) {
                FieldValue($0.isFrozen)
            },
        ]
}
