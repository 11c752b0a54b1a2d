import FoundationEssentials

/// Apple Push Notification service (Apple, "Sending notification requests to APNs").
struct SimulatedAPNs: Sendable {
    let keys: APNsKeys
    /// The app of the tokens; others of `com.example` belong to the same team.
    let bundleID: String
    /// The tokens of this environment.
    let tokens: Set<String>

    private static let pushTypes: Set<String> = [
        "alert", "background", "location", "voip", "complication", "fileprovider", "mdm",
        "liveactivity", "pushtotalk", "controls", "widgets",
    ]

    func answer(_ request: inout SimulatorRequest) throws(SimulatorRefusal) -> Answer {
        request.record.token = request.lastSegment
        request.record.collapseID = request["apns-collapse-id"]
        request.record.webToken = APNsKeys.token(of: request)
        request.record.payload = request.object
        do throws(APNsReason) {
            try check(request)
        } catch {
            throw refusal(of: request, error)
        }
        return Answer(type: nil, headers: [("apns-id", id(of: request))])
    }

    /// The refusal of a request; a token that is gone has been so for `age` seconds.
    func refusal(
        of request: SimulatorRequest, _ reason: APNsReason, age: Int64 = 0
    ) -> SimulatorRefusal {
        var body: JSON = ["reason": .text(reason.name)]
        if reason.status == 410 {
            let since = request.now + -age
            body = body.setting("timestamp", .integer(Int(since.microseconds / 1000)))
        }
        return SimulatorRefusal(
            reason: reason.name,
            answer: .json(
                body, status: reason.status, type: nil, headers: [("apns-id", id(of: request))]))
    }

    /// The request's own id, or a new one.
    private func id(of request: SimulatorRequest) -> String {
        let own = request["apns-id"].flatMap { UUID(uuidString: $0) == nil ? nil : $0 }
        return own ?? Identifier.random().text.uppercased()
    }

    private func check(_ request: SimulatorRequest) throws(APNsReason) {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, request.path.hasPrefix("/3/device/") else {
            throw request.path == "/3/device" ? .missingDeviceToken : .badPath
        }
        guard request.method == .POST else { throw .methodNotAllowed }
        let names = request.headers.map(\.name).filter {
            $0.hasPrefix("apns-") || $0 == "authorization"
        }
        guard Set(names).count == names.count else { throw .duplicateHeaders }
        let team = try keys.verify(request)
        guard !parts[3].isEmpty else { throw .missingDeviceToken }
        try checkHeaders(request, team)
        guard !request.body.isEmpty else { throw .payloadEmpty }
        guard request.body.count <= 4096 else { throw .payloadTooLarge }
        guard case .object = request.record.payload?["aps"] else { throw .payloadEmpty }
        guard tokens.contains(parts[3].lowercased()) else { throw .badDeviceToken }
    }

    private func checkHeaders(_ request: SimulatorRequest, _ team: String) throws(APNsReason) {
        if let id = request["apns-id"], UUID(uuidString: id) == nil { throw .badMessageId }
        guard let topic = request["apns-topic"], !topic.isEmpty else { throw .missingTopic }
        guard topic.wholeMatch(of: /[0-9A-Za-z.-]+/) != nil else { throw .badTopic }
        guard team == keys.team, topic.hasPrefix("com.example.") else { throw .topicDisallowed }
        guard topic == bundleID else { throw .deviceTokenNotForTopic }
        guard let type = request["apns-push-type"], SimulatedAPNs.pushTypes.contains(type) else {
            throw .invalidPushType
        }
        if let time = request["apns-expiration"], UInt64(time) == nil { throw .badExpirationDate }
        let priority = request["apns-priority"] ?? "10"
        let priorities = type == "background" ? ["5", "1"] : ["10", "5", "1"]
        guard priorities.contains(priority) else { throw .badPriority }
        guard request["apns-collapse-id"]?.utf8.count ?? 0 <= 64 else { throw .badCollapseId }
    }
}
