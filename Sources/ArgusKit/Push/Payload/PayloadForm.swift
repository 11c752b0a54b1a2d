import ArgusCore

/// The document of a push service, made from a payload.
struct PayloadForm {
    /// The service, for messages.
    let service: DeliveryService
    /// The maximum number of bytes that the service takes.
    let limit: Int
    let document: (PushPayload) -> [UInt8]
    /// Counts the bytes of a payload against the limit; nil counts those of the document.
    var size: ((PushPayload) -> Int)?

    struct Fitted {
        var payload: PushPayload
        var document: [UInt8]
        var size: Int
    }

    /// Makes the document; shortens the body at a character, then drops the subtitle, then the
    /// picture, until it fits.
    /// - Throws: `.rejected` if it never does.
    func fitting(_ payload: PushPayload) throws(DeliveryError) -> Fitted {
        let whole = made(payload)
        if whole.size <= limit { return whole }
        var smaller = payload
        if let fitted = shortened(smaller) { return fitted }
        smaller.subtitle = nil
        if let fitted = shortened(smaller) { return fitted }
        smaller.thumbnailURL = nil
        if let fitted = shortened(smaller) { return fitted }
        throw DeliveryError(
            .rejected,
            "the notification has \(whole.size) bytes, but \(service.name) takes \(limit), and it "
                + "cannot be shortened any further", hint: "give it a shorter title or less --data")
    }

    /// The document with as much of the body as fits; nil if it does not fit without any.
    private func shortened(_ payload: PushPayload) -> Fitted? {
        var payload = payload
        // A hostile text may have millions of characters.
        let body = Array(payload.body.beginning(atMost: limit))
        payload.body = "…"
        var best = made(payload)
        guard best.size <= limit else { return nil }
        var (low, high) = (0, body.count)
        while low < high {
            let middle = (low + high + 1) / 2
            payload.body = String(body[..<middle]) + "…"
            let next = made(payload)
            if next.size <= limit {
                (best, low) = (next, middle)
            } else {
                high = middle - 1
            }
        }
        return best
    }

    private func made(_ payload: PushPayload) -> Fitted {
        let document = document(payload)
        let size = size?(payload) ?? document.count
        return Fitted(payload: payload, document: document, size: size)
    }
}

extension PushPayload {
    /// The texts beside title and body, by the names that all documents give them.
    private static let texts:
        [(name: String, path: any WritableKeyPath<PushPayload, String?> & Sendable)] = [
            ("event_id", \.eventID), ("camera_id", \.cameraID), ("camera_name", \.cameraName),
            ("smart_detection_type", \.smartDetectionType), ("thumbnail_url", \.thumbnailURL),
            ("url", \.url),
        ]

    /// The members beside title and body.
    var members: [Member] {
        let own = Self.texts.compactMap { text in
            self[keyPath: text.path].map { Member(name: text.name, value: $0) }
        }
        return own + data
    }

    /// Sets a member by its name in documents: one of the payload's own, or one that it adds.
    package mutating func set(_ name: String, _ value: String) {
        if let text = Self.texts.first(where: { $0.name == name }) {
            self[keyPath: text.path] = value
        } else {
            data.removeAll { $0.name == name }
            data.append(Member(name: name, value: value))
        }
    }
}
