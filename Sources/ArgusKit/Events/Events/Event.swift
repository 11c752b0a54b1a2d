package import ArgusCore

/// An event of a camera, in the one canonical shape for every generation of servers.
///
///     {"id":"8f85eda1-…","camera_id":"7323d311-…","camera_name":"Front Door",
///      "timestamp":"2026-11-20T23:32:00Z","smart_detection_type":"person",
///      "objects_detected":["person"],"confidence":87,"description":"A person …"}
package struct Event: Sendable, Equatable {
    package var id: String
    package var cameraID: String?
    package var cameraName: String?
    package var timestamp: Timestamp?
    package var smartDetectionType: String?
    package var objects: [String]?
    /// Percent, 0–100.
    package var confidence: Int?
    package var description: String?
    package var isDoorbellRing: Bool?
    package var alertTriggered: Bool?
    package var carrier: String?
    package var source: String?
    package var hasThumbnail: Bool?
    /// The picture among those that today's server stores by day.
    package var thumbnailPath: String?
    /// True if the server recognised a person or a vehicle, false if it recognised none; nil if it does
    /// not report it.
    package var hasEntity: Bool?
    package var entityID: String?
    /// The group of events that the server takes for one visit, such as those of several cameras.
    package var visitID: String?
    /// The entity's name; one without a name is called after its type, such as `Person entity`.
    package var entityName: String?
    /// The server that an archived event is from, by the name that tells it apart.
    package var server: String?

    /// The smart detection type, else the first object seen, else `motion`.
    package var type: String { smartDetectionType ?? objects?.first ?? "motion" }

    /// Returns true for an event of a type: by its smart type or by any object seen.
    package func isOfType(_ wanted: String) -> Bool {
        if let smartDetectionType, Self.areEqual(smartDetectionType, wanted) { return true }
        if let objects, objects.contains(where: { Self.areEqual($0, wanted) }) { return true }
        if wanted == "ring" { return isDoorbellRing == true }
        return wanted == "motion" && smartDetectionType == nil && (objects ?? []).isEmpty
    }

    private static func areEqual(_ word: String, _ wanted: String) -> Bool {
        word == wanted || word.lowercased() == wanted
    }
}

extension Event {
    /// Makes an event with nothing but an id.
    package init(id: String) { self.init(id: id, cameraID: nil) }

    /// Reads an event of any generation; nil for a value without an id, which cannot be an event.
    package init?(_ view: JSONView) {
        var event = Event(id: "")
        var hasPicture: Bool?
        // One pass over some 64 members, because a look-up by name reads all of them each time.
        view.forEachMember { key, value in
            switch key {
            case "id", "event_id": event.id = value.string ?? event.id
            case "camera_id": event.cameraID = value.string
            case "camera_name": event.cameraName = value.string
            case "timestamp": event.timestamp = value.timestamp
            case "smart_detection_type": event.smartDetectionType = value.string
            case "objects_detected": event.objects = value.strings
            case "confidence":
                // Others are no percentages.
                event.confidence = value.int.flatMap { (0...100).contains($0) ? $0 : nil }
            case "description": event.description = value.string
            case "is_doorbell_ring": event.isDoorbellRing = value.bool
            case "alert_triggered": event.alertTriggered = value.bool
            case "delivery_carrier": event.carrier = value.string
            case "source_type": event.source = value.string
            case "has_thumbnail": event.hasThumbnail = value.bool
            case "thumbnail_path":
                event.thumbnailPath = value.string
                hasPicture = (hasPicture ?? false) || value.kind == .string
            case "entity_id":
                event.entityID = value.string ?? event.entityID
                event.hasEntity = event.entityID != nil
            case "correlation_group_id": event.visitID = value.string
            case "entity_name": event.entityName = value.string ?? event.entityName
            case "matched_entity" where value.kind == .object:
                // A single event has its entity here only.
                event.entityID = value["id"]?.string ?? event.entityID
                event.entityName = value["name"]?.string ?? event.entityName
                event.hasEntity = event.entityID != nil
            case "thumbnail_url", "thumbnail_base64":
                hasPicture = (hasPicture ?? false) || value.kind == .string
            default: break
            }
        }
        guard !event.id.isEmpty else { return nil }
        event.hasThumbnail = event.hasThumbnail ?? hasPicture
        self = event
    }
}

/// An event with the details that only its own route gives.
package struct EventDetail: Sendable, Equatable {
    package var event: Event
    package var analysisMode: String?
    package var provider: String?
    package var createdAt: Timestamp?
    package var correlatedEventIDs: [String]?
    package var feedback: EventFeedback?
    package var frameCount: Int?
    package var hasVideo: Bool?
    package var thumbnail: ThumbnailReference

    /// Reads the answer of an event's own route; nil for a value that is not an event.
    package init?(_ view: JSONView) {
        guard let event = Event(view) else { return nil }
        self.event = event
        analysisMode = view["analysis_mode"]?.string
        provider = view["provider_used"]?.string
        createdAt = view["created_at"]?.timestamp
        correlatedEventIDs = view["correlated_events"].flatMap { correlated in
            correlated.kind == .array ? correlated.elements.compactMap { $0["id"]?.string } : nil
        }
        feedback = view["feedback"].flatMap(EventFeedback.init)
        thumbnail = ThumbnailReference(
            base64: view["thumbnail_base64"]?.string, path: event.thumbnailPath,
            url: view["thumbnail_url"]?.string)
    }
}

/// The rating of an event's description.
///
///     {"rating":"helpful","correction":null,"created_at":"2026-11-20T23:35:57Z"}
package struct EventFeedback: Sendable, Equatable {
    package var rating: String
    package var correction: String?
    package var createdAt: Timestamp?

    init?(_ view: JSONView) {
        guard let rating = view["rating"]?.string else { return nil }
        self.rating = rating
        correction = view["correction"]?.string
        createdAt = view["created_at"]?.timestamp
    }
}

/// The place of an event's picture; each generation of servers names it in its own form.
package struct ThumbnailReference: Sendable, Equatable {
    package var base64: String?
    package var path: String?
    package var url: String?

    package init(base64: String? = nil, path: String? = nil, url: String? = nil) {
        self.base64 = base64
        self.path = path
        self.url = url
    }

    /// The text that changes with the picture: a URL may be re-signed for each answer.
    package var place: String? {
        base64 ?? path ?? url.map { String($0.prefix { $0 != "?" }) }
    }

    /// A picture among those that today's server stores by day.
    package struct StoredPath: Sendable, Equatable {
        /// The day on which it was stored, such as `2026-11-20`.
        package var day: String
        package var file: String
    }

    /// The stored picture that the path or the URL names, such as
    /// `2026-11-20/event_8f85eda1-….jpg`; nil for a URL that is a route.
    package var storedPath: StoredPath? {
        for text in [path, url].compactMap(\.self) {
            let segments = text.split(separator: "/").suffix(2).map(String.init)
            if segments.count == 2, Self.isDay(segments[0]) {
                return StoredPath(day: segments[0], file: segments[1])
            }
        }
        return nil
    }

    private static func isDay(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [4, 2, 2]
            && groups.joined().utf8.allSatisfy(\.isASCIIDigit)
    }
}
