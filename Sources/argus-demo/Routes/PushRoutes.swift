import NIOCore

/// Web Push on today's server.
enum PushRoutes {
    static func publicKey(_ request: Request, _ state: inout State) -> Answer {
        .json(["public_key": .text(state.push.sender.publicKey)])
    }

    /// Stores a subscription; the keys must be present but are not checked.
    static func subscribe(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let endpoint = body.required("endpoint", length: 1...Int.max)
        let keys = body["keys"]
        body.require("keys")
        if case .object = keys {
            for name in ["p256dh", "auth"] where keys?[name]?.string == nil {
                body.report("missing", "keys", "Field required: \(name)")
            }
        } else if keys != nil {
            body.report("model_type", "keys", "Input should be an object")
        }
        let userAgent = body.optional("user_agent") ?? request.header("user-agent")
        try body.finish()
        // Unlike today's server, that of the documents takes `apns://`.
        let isOfApple = state.settings.api == .documented && endpoint.hasPrefix("apns://")
        guard isOfApple || endpoint.hasPrefix("http://") || endpoint.hasPrefix("https://") else {
            throw Refusal("Invalid endpoint URL format", status: 400)
        }
        let index = state.push.index(endpoint: endpoint) ?? state.push.subscriptions.endIndex
        if index == state.push.subscriptions.endIndex {
            let preferences = PushPreferences(createdAt: request.now, updatedAt: request.now)
            state.push.subscriptions.append(
                .init(endpoint: endpoint, createdAt: request.now, preferences: preferences))
        }
        state.push.subscriptions[index].userAgent = userAgent
        state.push.subscriptions[index].p256dh = keys?["p256dh"]?.string ?? ""
        state.push.subscriptions[index].auth = keys?["auth"]?.string ?? ""
        let subscription = state.push.subscriptions[index]
        return .created([
            "id": .text(subscription.id.text), "endpoint": .text(subscription.shownEndpoint),
            "created_at": .text(subscription.createdAt.text),
        ])
    }

    static func unsubscribe(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let endpoint = body.required("endpoint")
        try body.finish()
        state.push.subscriptions.remove(at: try find(endpoint, state))
        return .noContent
    }

    static func subscriptions(_ request: Request, _ state: inout State) -> Answer {
        .json([
            "subscriptions": .list(
                state.push.subscriptions.map { subscription in
                    [
                        "id": .text(subscription.id.text), "user_id": nil,
                        "endpoint": .text(subscription.shownEndpoint),
                        "user_agent": JSON(subscription.userAgent),
                        "created_at": .text(subscription.createdAt.text),
                        "last_used_at": JSON(subscription.lastUsedAt?.text),
                    ]
                }), "total": .integer(state.push.subscriptions.count),
        ])
    }

    /// Sends a test to all subscriptions, once the state is unlocked; those on https only count.
    static func test(_ request: Request, _ state: inout State) -> Answer {
        let message: JSON = [
            "title": "Test Notification", "body": "Push notifications are working correctly!",
            "icon": "/icons/notification-192.svg", "badge": "/icons/badge-72.svg",
            "renotify": true, "silent": false, "tag": "test-notification",
            "data": ["type": "test", "url": "/settings"],
        ]
        let (sender, text) = (state.push.sender, message.bytes())
        let subscriptions = state.push.subscriptions
        for index in subscriptions.indices {
            state.push.subscriptions[index].lastUsedAt = request.now
        }
        return Answer(
            body: .made {
                let results = subscriptions.map { subscription -> JSON in
                    let error = sender.send(text, to: subscription, now: request.now)
                    return [
                        "subscription_id": .text(subscription.id.text),
                        "success": .bool(error == nil), "error": JSON(error),
                    ]
                }
                return ByteBuffer(bytes: report(results).bytes())
            })
    }

    private static func report(_ results: [JSON]) -> JSON {
        let reached = results.count { $0["success"] == true }
        let message =
            results.isEmpty
            ? "No push subscriptions found"
            : "Test notification sent to \(reached)/\(results.count) subscriptions"
        return [
            "success": .bool(reached > 0 || results.isEmpty), "message": .text(message),
            "results": .list(results),
        ]
    }

    static func preferences(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let endpoint = body.required("endpoint")
        try body.finish()
        return .json(json(state.push.subscriptions[try find(endpoint, state)]))
    }

    /// Replaces all preferences; members left out return to their defaults.
    static func setPreferences(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let endpoint = body.required("endpoint")
        let new = try readPreferences(&body, now: request.now)
        let index = try find(endpoint, state)
        let old = state.push.subscriptions[index].preferences
        state.push.subscriptions[index].preferences = new
        state.push.subscriptions[index].preferences.id = old.id
        state.push.subscriptions[index].preferences.createdAt = old.createdAt
        return .json(json(state.push.subscriptions[index]))
    }

    /// Parses and checks preferences as the server does: times only while quiet hours are on.
    static func readPreferences(
        _ body: inout BodyReader, now: Moment
    ) throws(Refusal) -> PushPreferences {
        var preferences = PushPreferences()
        preferences.cameras = body.texts("enabled_cameras")
        preferences.objects = body.texts("enabled_object_types")
        preferences.hasQuietHours = body.flag("quiet_hours_enabled") ?? false
        preferences.quietStart = body.optional("quiet_hours_start")
        preferences.quietEnd = body.optional("quiet_hours_end")
        preferences.timezone = body.optional("timezone") ?? "UTC"
        preferences.hasSound = body.flag("sound_enabled") ?? true
        preferences.updatedAt = now
        try body.finish()
        let known = ["person", "vehicle", "package", "animal"]
        for object in preferences.objects ?? [] where !known.contains(object) {
            throw Refusal("Invalid object type: \(object)", status: 400)
        }
        if preferences.hasQuietHours {
            guard let start = preferences.quietStart, let end = preferences.quietEnd else {
                throw Refusal("Quiet hours require start and end times", status: 400)
            }
            for time in [start, end] where !ClockTime.isTime(time) {
                throw Refusal("Invalid time format: \(time)", status: 400)
            }
        }
        guard ClockTime.isZone(preferences.timezone) else {
            throw Refusal("Invalid timezone: \(preferences.timezone)", status: 400)
        }
        return preferences
    }

    private static func find(_ endpoint: String, _ state: State) throws(Refusal) -> Int {
        try state.push.index(endpoint: endpoint).orRefuse("Subscription not found")
    }

    private static func json(_ subscription: PushRegistrations.Subscription) -> JSON {
        let preferences = subscription.preferences
        let ids: JSON = [
            "id": .text(preferences.id.text), "subscription_id": .text(subscription.id.text),
        ]
        let times: JSON = [
            "created_at": JSON(preferences.createdAt?.text),
            "updated_at": JSON(preferences.updatedAt?.text),
        ]
        return ids.merging(preferences.members).merging(times)
    }
}
