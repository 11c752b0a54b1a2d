struct PushRegistrations: Sendable {
    /// A native push token of the mobile file or the documents.
    struct Token: Sendable {
        var id = Identifier.random()
        var deviceID: String
        var userID: Identifier
        var token: String
        var platform = "ios"
        var service = "apns"
        var createdAt: Moment
        var preferences = PushPreferences()
    }

    struct Subscription: Sendable {
        var id = Identifier.random()
        var endpoint: String
        /// The receiver's point and secret, as it sent them.
        var p256dh = ""
        var auth = ""
        var userAgent: String?
        var createdAt: Moment
        var lastUsedAt: Moment?
        var preferences = PushPreferences()

        /// The endpoint as answers show it: long ones lose their middle.
        var shownEndpoint: String {
            endpoint.count > 60 ? "\(endpoint.prefix(30))...\(endpoint.suffix(20))" : endpoint
        }
    }

    var tokens: [Token] = []
    var subscriptions: [Subscription] = []
    let sender = PushSender()

    func index(endpoint: String) -> Int? {
        subscriptions.firstIndex { $0.endpoint == endpoint }
    }

    /// Replaces the token of a device; `isNew` is true if it had none.
    mutating func register(_ token: Token, service: String? = nil) -> (token: Token, isNew: Bool) {
        guard let index = index(device: token.deviceID, service: service) else {
            tokens.append(token)
            return (token, true)
        }
        tokens[index].token = token.token
        return (tokens[index], false)
    }

    /// The index of a device's registration with one service, or with any.
    func index(device: String, service: String? = nil) -> Int? {
        tokens.firstIndex {
            $0.deviceID == device && (service == nil || $0.service == service)
        }
    }
}

/// The push preferences of a subscription or a device.
struct PushPreferences: Sendable {
    var id = Identifier.random()
    /// Null means all, an empty list none.
    var cameras: [String]?
    var objects: [String]?
    var hasQuietHours = false
    var quietStart: String?
    var quietEnd: String?
    var timezone = "UTC"
    var hasSound = true
    var createdAt: Moment?
    var updatedAt: Moment?

    /// The members that every generation shares.
    var members: JSON {
        [
            "enabled_cameras": JSON(cameras), "enabled_object_types": JSON(objects),
            "quiet_hours_enabled": .bool(hasQuietHours), "quiet_hours_start": JSON(quietStart),
            "quiet_hours_end": JSON(quietEnd), "timezone": .text(timezone),
            "sound_enabled": .bool(hasSound),
        ]
    }
}
