import ArgusKit

/// The canonical fields of the VAPID key; its private half is never printed.
enum VAPIDKeyView {
    static let fields: [Field<StoredVAPIDKey>] = [
        .column("public_key", "the applicationServerKey, in base64url") { $0.key.publicKey },
        .column("created_at", "when it was made") { $0.createdAt },
    ]
}
