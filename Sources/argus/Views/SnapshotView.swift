import ArgusKit

/// A saved picture of a camera, with its age and freshness.
struct SavedSnapshot: Sendable {
    var image: SavedImage
    var age: Duration?
    /// True if the camera repeated its last picture; nil without an earlier one.
    var isFrozen: Bool?

    static let fields: [Field<SavedSnapshot>] =
        SavedImage.fields(id: "camera_id", "the camera's id").reading { $0.image } + own

    private static let own: [Field<SavedSnapshot>] = [
        .hidden("age_seconds", "its age when the server sent it") {
            $0.age.map { Double($0.components.seconds) }
        },
        .hidden("frozen", "whether it is the same picture as the last one") { $0.isFrozen },
    ]
}
