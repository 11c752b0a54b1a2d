extension PushPayload {
    /// The notification of an event, worded as servers word it.
    ///
    /// `publicURL` is the address of the server for phones (`[push] public_url`); without it the
    /// payload has no picture, whose URL must be absolute.
    package init(event: Event, publicURL: ServerAddress?) {
        let camera = event.cameraName
        title = Self.title(of: event, camera: camera)
        body = Self.body(of: event, camera: camera)
        subtitle = camera
        eventID = event.id
        cameraID = event.cameraID
        cameraName = camera
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
        priority = Self.isUrgent(event) ? .high : .normal
    }

    /// The characters of a description in a push of a server.
    private static let longestBody = 100

    private static func title(of event: Event, camera: String?) -> String {
        var what = "Motion Detected"
        if event.smartDetectionType == "ring" || event.isDoorbellRing == true {
            what = "Doorbell Ring"
        } else if event.smartDetectionType == "package", let carrier = event.carrier {
            what = "Package delivered by \(carrierName(carrier))"
        } else if let type = event.smartDetectionType {
            what = "\(type.prefix(1).uppercased())\(type.dropFirst()) Detected"
        }
        return camera.map { "\($0): \(what)" } ?? what
    }

    private static func carrierName(_ carrier: String) -> String {
        switch carrier.lowercased() {
        case "fedex": "FedEx"
        case "amazon": "Amazon"
        case "ups", "usps", "dhl": carrier.uppercased()
        default: carrier
        }
    }

    private static func body(of event: Event, camera: String?) -> String {
        guard let text = event.description, !text.isEmpty else {
            return camera.map { "An event at \($0)" } ?? "An event of a camera"
        }
        return text.count > longestBody ? text.prefix(longestBody) + "..." : text
    }

    private static func isUrgent(_ event: Event) -> Bool {
        ["ring", "person", "package"].contains(where: event.isOfType)
    }
}
