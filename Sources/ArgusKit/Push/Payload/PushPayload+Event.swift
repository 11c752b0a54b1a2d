package import ArgusCore
package import ArgusEvents

extension PushPayload {
    /// The notification of an event, worded as servers word it.
    ///
    /// `publicURL` is the address of the server for phones (`[push] public_url`); without it the
    /// payload has no picture, whose URL must be absolute.
    package init(event: Event, publicURL: ServerAddress?) {
        title = Self.title(of: event)
        body = Self.body(of: event)
        subtitle = event.cameraName
        eventID = event.id
        cameraID = event.cameraID
        cameraName = event.cameraName
        smartDetectionType = event.smartDetectionType
        if let publicURL, event.hasThumbnail != false {
            let stored = ThumbnailReference(path: event.thumbnailPath).storedPath.map {
                ["thumbnails", $0.day, $0.file]
            }
            let path = stored ?? ["events", event.id, "thumbnail"]
            thumbnailURL = publicURL.origin.description + publicURL.target(["api", "v1"] + path)
        }
        url = "/events?highlight=\(PercentEncoding.encode(event.id))"
        timestamp = event.timestamp
        actions = [Action(id: "view", title: "View"), Action(id: "dismiss", title: "Dismiss")]
        category = "SECURITY_ALERT"
        sound = "default"
        let isUrgent = ["ring", "person", "package"].contains(where: event.isOfType)
        priority = isUrgent ? .high : .normal
    }

    /// The characters of a description in a push of a server.
    private static let longestBody = 100

    private static func title(of event: Event) -> String {
        // What no analysis named is a motion for people.
        let type = ["", "unknown"].contains(event.type) ? "motion" : event.type
        let what: String
        if type == "ring" || event.isDoorbellRing == true {
            what = "Doorbell Ring"
        } else if type == "package", let carrier = event.carrier {
            what = "Package delivered by \(carrierName(carrier))"
        } else {
            what = "\(type.prefix(1).uppercased())\(type.dropFirst()) Detected"
        }
        return event.cameraName.map { "\($0): \(what)" } ?? what
    }

    private static func carrierName(_ carrier: String) -> String {
        switch carrier.lowercased() {
        case "fedex": "FedEx"
        case "amazon": "Amazon"
        case "ups", "usps", "dhl": carrier.uppercased()
        default: carrier
        }
    }

    private static func body(of event: Event) -> String {
        guard let text = event.description, !text.isEmpty else {
            return event.cameraName.map { "An event at \($0)" } ?? "An event of a camera"
        }
        return text.count > longestBody ? text.prefix(longestBody) + "..." : text
    }
}
