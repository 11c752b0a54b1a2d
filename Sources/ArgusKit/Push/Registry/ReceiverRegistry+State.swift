package import ArgusCore

/// The document of the registry.
///
///     {"version":1,"tokens":[{"id":"…","service":"apns","token":"…","token_type":"production",
///      "device_id":"…","active":true,"failure_count":0,"created_at":"…","updated_at":"…",
///      "preferences":{"sound":true,…}},{"id":"…","service":"webpush","endpoint":"…","p256dh":"…",
///      "auth":"…",…}],
///      "receivers":[{"id":"9f86d081884c7d65","server":"0b7c…",
///      "endpoint":"http://192.168.1.5:40123/…"}]}
extension ReceiverRegistry: StateDocument {
    package init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(document: state)
        self.init(try object.list("tokens").required().map(DeliveryToken.init(state:)))
        listening = try ListeningReceiver.list(in: &object)
    }

    package var state: JSONValue {
        var object = JSONObject.document()
        object.put("tokens", .list(tokens.map(\.state)))
        object.put("receivers", .list(listening.map(\.state)))
        return object.value
    }
}

extension DeliveryToken {
    fileprivate init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        let address = try Address(&object)
        self.init(
            id: try object.text("id").required(), address: address,
            device: try DeviceDescription(&object),
            createdAt: try object.time("created_at").required())
        updatedAt = try object.time("updated_at").required()
        isActive = try object.flag("active").required()
        failureCount = Int(clamping: try object.integer("failure_count").required())
        lastFailureAt = try object.time("last_failure_at")
        lastFailureReason = try object.text("last_failure_reason")
        lastUsedAt = try object.time("last_used_at")
        inactiveSince = try object.time("inactive_since")
        preferences = try PushPreferences(state: object.take("preferences").required())
    }

    fileprivate var state: JSONValue {
        var object = JSONObject()
        object.put("id", id)
        object.put("service", service.rawValue)
        address.put(in: &object)
        device.put(in: &object)
        object.put("active", .bool(isActive))
        object.put("failure_count", .integer(Int64(failureCount)))
        object.put("last_failure_at", lastFailureAt)
        object.put("last_failure_reason", lastFailureReason)
        object.put("last_used_at", lastUsedAt)
        object.put("inactive_since", inactiveSince)
        object.put("created_at", createdAt)
        object.put("updated_at", updatedAt)
        object.put("preferences", preferences.state)
        return object.value
    }
}

extension DeliveryToken.Address {
    fileprivate init(_ object: inout JSONObject) throws(StateUnreadable) {
        let service = try DeliveryService(rawValue: object.text("service").required())
        switch try service.required() {
        case .apns:
            let type = try PushTokenType(rawValue: object.text("token_type").required())
            self = .apns(
                token: PushToken(stored: try object.text("token").required()),
                type: try type.required(), bundleID: try object.text("bundle_id"))
        case .fcm: self = .fcm(token: PushToken(stored: try object.text("token").required()))
        case .webPush:
            let (endpoint, keys) = try object.subscription()
            self = .webPush(endpoint: endpoint, keys: keys)
        }
    }

    fileprivate func put(in object: inout JSONObject) {
        switch self {
        case .apns(let token, let type, let bundleID):
            object.put("token", token.text.reveal())
            object.put("token_type", type.rawValue)
            object.put("bundle_id", bundleID)
        case .fcm(let token): object.put("token", token.text.reveal())
        case .webPush(let endpoint, let keys): object.put(endpoint, keys)
        }
    }
}

extension DeviceDescription {
    fileprivate init(_ object: inout JSONObject) throws(StateUnreadable) {
        self.init(id: try object.text("device_id"), name: try object.text("device_name"))
        model = try object.text("device_model")
        osVersion = try object.text("os_version")
        appVersion = try object.text("app_version")
        user = try object.text("user")
        platform = try object.text("platform").flatMap(PushPlatform.init(rawValue:))
    }

    fileprivate func put(in object: inout JSONObject) {
        object.put("device_id", id)
        object.put("device_name", name)
        object.put("device_model", model)
        object.put("os_version", osVersion)
        object.put("app_version", appVersion)
        object.put("user", user)
        object.put("platform", platform?.rawValue)
    }
}

extension PushPreferences {
    fileprivate init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        self.init()
        cameras = try object.texts("cameras")
        objects = try object.texts("types")
        isQuietEnabled = try object.flag("quiet_hours_enabled").required()
        quietStart = try object.text("quiet_hours_start")
        quietEnd = try object.text("quiet_hours_end")
        timezone = try object.text("timezone").required()
        hasSound = try object.flag("sound").required()
        updatedAt = try object.time("updated_at")
    }

    fileprivate var state: JSONValue {
        var object = JSONObject()
        object.put("cameras", cameras)
        object.put("types", objects)
        object.put("quiet_hours_enabled", .bool(isQuietEnabled))
        object.put("quiet_hours_start", quietStart)
        object.put("quiet_hours_end", quietEnd)
        object.put("timezone", timezone)
        object.put("sound", .bool(hasSound))
        object.put("updated_at", updatedAt)
        return object.value
    }
}
