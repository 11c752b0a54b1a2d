/// The document of a push service, made from a payload.
struct PayloadForm {
    /// The service, for messages.
    let service: DeliveryService
    /// The maximum number of bytes that the service takes.
    let limit: Int
    /// Writes the document.
    let document: (PushPayload) -> [UInt8]
    /// Counts the bytes of a payload and its document against the limit.
    let size: (PushPayload, [UInt8]) -> Int

    /// A document that fits.
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
        let body = Self.beginning(of: payload.body, atMost: limit)
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

    /// The characters of a text within `count` bytes, since a hostile text may have millions.
    private static func beginning(of text: String, atMost count: Int) -> [Character] {
        guard text.utf8.count > count else { return Array(text) }
        var scalars = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= count else { break }
            scalars.append(scalar)
        }
        // The last one may have lost marks that belong to it.
        return Array(String(scalars)).dropLast()
    }

    private func made(_ payload: PushPayload) -> Fitted {
        let document = document(payload)
        return Fitted(payload: payload, document: document, size: size(payload, document))
    }
}

extension PushPayload {
    /// The members beside title and body that all documents name alike.
    var members: [Member] {
        let known: [(String, String?)] = [
            ("event_id", eventID), ("camera_id", cameraID), ("camera_name", cameraName),
            ("smart_detection_type", smartDetectionType), ("thumbnail_url", thumbnailURL),
            ("url", url),
        ]
        return known.compactMap { name, value in value.map { Member(name, $0) } } + data
    }

    /// Sets a member by its name in documents: one of the payload's own, or one that it adds.
    package mutating func set(_ name: String, _ value: String) {
        switch name {
        case "event_id": eventID = value
        case "camera_id": cameraID = value
        case "camera_name": cameraName = value
        case "smart_detection_type": smartDetectionType = value
        case "thumbnail_url": thumbnailURL = value
        case "url": url = value
        default:
            data.removeAll { $0.name == name }
            data.append(Member(name, value))
        }
    }
}
