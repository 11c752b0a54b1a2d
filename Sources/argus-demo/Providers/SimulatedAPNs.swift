import FoundationEssentials

/// Apple Push Notification service (Apple, "Sending notification requests to APNs").
struct SimulatedAPNs: Sendable {
    let keys: APNsKeys
    /// The app of the tokens; others of `com.example` belong to the same team.
    let bundleID: String
    /// The tokens of this environment.
    let tokens: Set<String>

    private static let largestPayload = 4096
    private static let pushTypes: Set<String> = [
        "alert", "background", "location", "voip", "complication", "fileprovider", "mdm",
        "liveactivity", "pushtotalk", "controls", "widgets",
    ]

    func answer(
        _ request: SimulatorRequest, _ record: inout SimulatorRecord
    ) throws(SimulatorRefusal) -> Answer {
        record.token = request.lastSegment
        record.collapseID = request["apns-collapse-id"]
        record.webToken = APNsKeys.token(of: request)
        record.payload = request.object
        do throws(APNsReason) {
            try check(request, record)
        } catch {
            throw refusal(of: request, error)
        }
        return Answer(type: nil, headers: [("apns-id", id(of: request))])
    }

    /// The refusal of a request; a token that is gone has been so for `age` seconds.
    func refusal(
        of request: SimulatorRequest, _ reason: APNsReason, age: Int64 = 0
    ) -> SimulatorRefusal {
        var body: JSON = ["reason": .text(reason.rawValue)]
        if reason.status == 410 {
            let since = request.now + -age
            body = body.setting("timestamp", .integer(Int(since.microseconds / 1000)))
        }
        return SimulatorRefusal(
            reason: reason.rawValue,
            answer: .json(
                body, status: reason.status, type: nil, headers: [("apns-id", id(of: request))]))
    }

    /// The request's own id, or a new one.
    private func id(of request: SimulatorRequest) -> String {
        let own = request["apns-id"].flatMap { UUID(uuidString: $0) == nil ? nil : $0 }
        return own ?? Identifier.random().text.uppercased()
    }

    private func check(
        _ request: SimulatorRequest, _ record: SimulatorRecord
    ) throws(APNsReason) {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, request.path.hasPrefix("/3/device/") else {
            throw request.path == "/3/device" ? .missingDeviceToken : .badPath
        }
        guard request.method == .POST else { throw .methodNotAllowed }
        let names = request.headers.map(\.name).filter {
            $0.hasPrefix("apns-") || $0 == "authorization"
        }
        guard Set(names).count == names.count else { throw .duplicateHeaders }
        let team = try keys.verify(request, record.webToken)
        guard !parts[3].isEmpty else { throw .missingDeviceToken }
        try checkHeaders(request, team)
        try checkPayload(request, record)
        guard tokens.contains(parts[3].lowercased()) else { throw .badDeviceToken }
    }

    private func checkHeaders(
        _ request: SimulatorRequest, _ team: String
    ) throws(APNsReason) {
        if let id = request["apns-id"], UUID(uuidString: id) == nil { throw .badMessageID }
        guard let topic = request["apns-topic"], !topic.isEmpty else { throw .missingTopic }
        guard topic.utf8.allSatisfy(\.isTopic) else { throw .badTopic }
        guard team == keys.team, topic.hasPrefix("com.example.") else { throw .topicDisallowed }
        guard topic == bundleID else { throw .deviceTokenNotForTopic }
        guard let type = request["apns-push-type"], SimulatedAPNs.pushTypes.contains(type) else {
            throw .invalidPushType
        }
        if let time = request["apns-expiration"], UInt64(time) == nil { throw .badExpirationDate }
        let priority = request["apns-priority"] ?? "10"
        let priorities = type == "background" ? ["5", "1"] : ["10", "5", "1"]
        guard priorities.contains(priority) else { throw .badPriority }
        guard request["apns-collapse-id"]?.utf8.count ?? 0 <= 64 else { throw .badCollapseID }
    }

    private func checkPayload(
        _ request: SimulatorRequest, _ record: SimulatorRecord
    ) throws(APNsReason) {
        guard !request.body.isEmpty else { throw .payloadEmpty }
        guard request.body.count <= SimulatedAPNs.largestPayload else { throw .payloadTooLarge }
        guard case .object = record.payload?["aps"] else { throw .payloadEmpty }
    }
}

extension UInt8 {
    /// True for the letters of an app's identifier.
    fileprivate var isTopic: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20) || self == 0x2D
            || self == 0x2E
    }
}
