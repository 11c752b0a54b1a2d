// The layout of `StoredPush` inside a store.

extension StoredPush {
    init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        for value in try object.list("registrations") ?? [] {
            registrations.append(try StoredRegistration(state: value))
        }
        for value in try object.list("subscriptions") ?? [] {
            subscriptions.append(try StoredSubscription(state: value))
        }
    }

    var state: JSONValue {
        var object = JSONObject()
        object.put("version", .integer(1))
        object.put("registrations", .list(registrations.map(\.state)))
        object.put("subscriptions", .list(subscriptions.map(\.state)))
        return object.value
    }
}

extension StoredRegistration {
    fileprivate init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        let platform = try PushPlatform(rawValue: object.text("platform").required()).required()
        let service = try PushService(rawValue: object.text("service").required()).required()
        let type = try PushTokenType(rawValue: object.text("token_type").required()).required()
        device = PushDevice(
            kept: try object.text("device_id").required(), platform, service,
            PushToken(kept: try object.text("token").required()), type)
        device.name = try object.text("name")
        device.model = try object.text("model")
        device.osVersion = try object.text("os_version")
        device.appVersion = try object.text("app_version")
        device.bundleID = try object.text("bundle_id")
        registrationID = try object.text("id")
    }

    fileprivate var state: JSONValue {
        var object = JSONObject()
        object.put("device_id", .text(device.id))
        object.put("platform", .text(device.platform.rawValue))
        object.put("service", .text(device.service.rawValue))
        object.put("token_type", .text(device.tokenType.rawValue))
        object.put("token", .text(device.token.text.reveal()))
        object.put("name", device.name.map(JSONValue.text))
        object.put("model", device.model.map(JSONValue.text))
        object.put("os_version", device.osVersion.map(JSONValue.text))
        object.put("app_version", device.appVersion.map(JSONValue.text))
        object.put("bundle_id", device.bundleID.map(JSONValue.text))
        object.put("id", registrationID.map(JSONValue.text))
        return object.value
    }
}

extension PushDevice {
    fileprivate init(
        kept id: String, _ platform: PushPlatform, _ service: PushService, _ token: PushToken,
        _ tokenType: PushTokenType
    ) {
        self.id = id
        self.platform = platform
        self.service = service
        self.token = token
        self.tokenType = tokenType
    }
}

extension StoredSubscription {
    fileprivate init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        let endpoint = try? PushEndpoint(object.text("endpoint").required())
        let p256dh = try object.text("p256dh").required()
        let auth = try object.text("auth").required()
        guard let endpoint, let keys = try? PushKeys(p256dh: p256dh, auth: auth) else {
            throw StateUnreadable()
        }
        self.init(
            endpoint: endpoint, keys: keys, userAgent: try object.text("user_agent"),
            subscriptionID: try object.text("id"))
    }

    fileprivate var state: JSONValue {
        var object = JSONObject()
        object.put("endpoint", .text(endpoint.text.reveal()))
        object.put("p256dh", .text(keys.p256dh))
        object.put("auth", .text(keys.auth.reveal()))
        object.put("user_agent", userAgent.map(JSONValue.text))
        object.put("id", subscriptionID.map(JSONValue.text))
        return object.value
    }
}
