package import ArgusCore
import ArgusEvents
package import ArgusPush

/// A change of one object of a server that may be sent again, and therefore may wait.
///
/// It holds no secret: a subscription is named by its id, since its endpoint is one.
package enum QueueableWrite: Hashable, Sendable {
    /// The owner of push preferences.
    package enum Owner: Hashable, Sendable {
        /// The id that the device chose.
        case device(String)
        /// The id of a subscription that this machine made.
        case subscription(String)

        /// The preferences as an object of writes.
        var object: String {
            switch self {
            case .device(let id): "preferences of device \(id)"
            case .subscription(let id): "preferences of subscription \(id)"
            }
        }
    }

    /// Rates an event; without a correction an earlier one stays.
    case feedback(event: String, rating: String, correction: String?)
    case cameraEnabled(camera: String, Bool)
    /// Renames a device, which is named by the id of its row or, if that is unknown, by its own id.
    case deviceName(device: String, String)
    case preferences(Owner, PushPreferencesChange)

    /// The name of the operation in records and output.
    package var operation: String {
        switch self {
        case .feedback: "events feedback"
        case .cameraEnabled(_, let isOn): isOn ? "cameras enable" : "cameras disable"
        case .deviceName: "devices rename"
        case .preferences: "push prefs set"
        }
    }

    /// The object that it changes; writes of one object are sent in the order of their addition.
    package var object: String {
        switch self {
        case .feedback(let event, _, _): "event \(event)"
        case .cameraEnabled(let camera, _): "camera \(camera)"
        case .deviceName(let device, _): "device \(device)"
        case .preferences(let owner, _): owner.object
        }
    }

    /// The members of an `ObjectVersion` that it replaces.
    package var members: [String] {
        switch self {
        case .feedback: ["rating", "correction"]
        case .cameraEnabled: ["enabled"]
        case .deviceName: ["name"]
        case .preferences(_, let change): change.members
        }
    }
}

/// The document of a write.
///
///     {"operation":"cameras disable","camera":"83e8482b-…"}
///     {"operation":"push prefs set","device":"7f…","quiet_hours":"22:00-07:00","sound":false}
extension QueueableWrite: StateDocument {
    package init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        switch try object.text("operation").required() {
        case "events feedback":
            self = .feedback(
                event: try object.text("event").required(),
                rating: try object.text("rating").required(),
                correction: try object.text("correction"))
        case "cameras enable":
            self = .cameraEnabled(camera: try object.text("camera").required(), true)
        case "cameras disable":
            self = .cameraEnabled(camera: try object.text("camera").required(), false)
        case "devices rename":
            self = .deviceName(
                device: try object.text("device").required(),
                try object.text("name").required())
        case "push prefs set":
            let owner: Owner
            if let id = try object.text("device") {
                owner = .device(id)
            } else {
                owner = .subscription(try object.text("subscription").required())
            }
            self = .preferences(owner, try PushPreferencesChange(&object))
        default: throw StateUnreadable()
        }
    }

    package var state: JSONValue {
        var object = JSONObject(body)
        object.put("operation", .text(operation))
        return object.value
    }

    /// The document without the operation.
    package var body: [String: JSONValue] {
        switch self {
        case .feedback(let event, let rating, let correction):
            var members: [String: JSONValue] = ["event": .text(event), "rating": .text(rating)]
            members["correction"] = correction.map { .text($0) }
            return members
        case .cameraEnabled(let camera, _): return ["camera": .text(camera)]
        case .deviceName(let device, let name):
            return ["device": .text(device), "name": .text(name)]
        case .preferences(let owner, let change):
            var members = change.document
            switch owner {
            case .device(let id): members["device"] = .text(id)
            case .subscription(let id): members["subscription"] = .text(id)
            }
            return members
        }
    }
}

extension PushPreferencesChange {
    /// The members of an `ObjectVersion` of preferences that it replaces.
    var members: [String] {
        let given = [
            ("cameras", cameras != nil), ("types", objects != nil), ("quiet_hours", quiet != nil),
            ("timezone", quiet != nil || timezone != nil), ("sound", hasSound != nil),
        ]
        return given.filter(\.1).map(\.0)
    }

    fileprivate init(_ object: inout JSONObject) throws(StateUnreadable) {
        func choice(_ name: String) throws(StateUnreadable) -> Choice? {
            if object.rest[name] == .text("all") { return Choice(nil) }
            return try object.texts(name).map { Choice($0) }
        }
        self.init()
        cameras = try choice("cameras")
        objects = try choice("types")
        if let text = try object.text("quiet_hours") {
            quiet = .some(text == "off" ? nil : try QuietHours(text).required())
        }
        timezone = try object.text("timezone")
        defaultTimezone = try object.text("default_timezone")
        hasSound = try object.flag("sound")
    }

    fileprivate var document: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        members["cameras"] = cameras.map { .listOrAll($0.values) }
        members["types"] = objects.map { .listOrAll($0.values) }
        members["quiet_hours"] = quiet.map { .text($0?.text ?? "off") }
        members["timezone"] = timezone.map { .text($0) }
        members["default_timezone"] = defaultTimezone.map { .text($0) }
        members["sound"] = hasSound.map { .bool($0) }
        return members
    }
}
