package import ArgusCore
import ArgusEvents
import ArgusPush

/// A call of a service that may wait in the queue.
package enum QueueableWrite: Hashable, Sendable {
    case feedback(GiveFeedback)
    case camera(SetCameraEnabled)
    case device(RenameDevice)
    case preferences(SetPreferences)

    package var call: any ServiceCall {
        switch self {
        case .feedback(let call): call
        case .camera(let call): call
        case .device(let call): call
        case .preferences(let call): call
        }
    }

    package var operation: String { call.operation }
    package var object: String { call.object }
    package var members: [String] { call.members }
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
                GiveFeedback(
                    event: try object.text("event").required(),
                    rating: try object.text("rating").required(),
                    correction: try object.text("correction")))
        case "cameras enable":
            self = .camera(
                SetCameraEnabled(camera: try object.text("camera").required(), isOn: true))
        case "cameras disable":
            self = .camera(
                SetCameraEnabled(camera: try object.text("camera").required(), isOn: false))
        case "devices rename":
            self = .device(
                RenameDevice(
                    device: try object.text("device").required(),
                    to: try object.text("name").required()))
        case "push prefs set":
            let owner: SetPreferences.Owner
            if let id = try object.text("device") {
                owner = .device(id)
            } else {
                owner = .subscription(try object.text("subscription").required())
            }
            self = .preferences(SetPreferences(owner, try PushPreferencesChange(&object)))
        default: throw StateUnreadable()
        }
    }

    package var state: JSONValue {
        var object = JSONObject(call.document)
        object.put("operation", .text(operation))
        return object.value
    }
}

extension PushPreferencesChange {
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
        overridesCritical = try object.flag("critical")
    }

    /// The document of the members that it changes.
    var document: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        members["cameras"] = cameras.map { .listOrAll($0.values) }
        members["types"] = objects.map { .listOrAll($0.values) }
        members["quiet_hours"] = quiet.map { .text($0?.text ?? "off") }
        members["timezone"] = timezone.map { .text($0) }
        members["default_timezone"] = defaultTimezone.map { .text($0) }
        members["sound"] = hasSound.map { .bool($0) }
        members["critical"] = overridesCritical.map { .bool($0) }
        return members
    }
}
