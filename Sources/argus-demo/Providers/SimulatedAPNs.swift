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

    func reply(to request: SimulatorRequest) -> SimulatorReply {
        var record = SimulatorRecord()
        record.token = request.lastSegment
        record.collapseID = request["apns-collapse-id"]
        record.webToken = APNsKeys.token(of: request)
        record.payload = request.object
        do {
            try check(request, record)
            let answer = SimulatorAnswer(200, headers: [("apns-id", id(of: request))])
            return SimulatorReply(answer: answer, record: record)
        } catch {
            return refuse(request, record, error)
        }
    }

    /// The reply with an error.
    func refuse(
        _ request: SimulatorRequest, _ record: SimulatorRecord, _ reason: APNsReason,
        age: Int64 = 0
    ) -> SimulatorReply {
        var record = record
        record.reason = reason.rawValue
        let answer = reason.answer(id: id(of: request), since: request.now + -age)
        return SimulatorReply(answer: answer, record: record)
    }

    /// The request's own id, or a new one.
    private func id(of request: SimulatorRequest) -> String {
        let own = request["apns-id"].flatMap { $0.isUUID ? $0 : nil }
        return own ?? Identifier.random().text.uppercased()
    }

    private func check(
        _ request: SimulatorRequest, _ record: SimulatorRecord
    ) throws(APNsReason) {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, request.path.hasPrefix("/3/device/") else {
            throw request.path == "/3/device" ? .missingDeviceToken : .badPath
        }
        guard request.method == "POST" else { throw .methodNotAllowed }
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
        if let id = request["apns-id"], !id.isUUID { throw .badMessageID }
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

extension String {
    /// True for the canonical form of a UUID, 8-4-4-4-12, in either case.
    fileprivate var isUUID: Bool {
        let groups = split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.allSatisfy { $0.utf8.allSatisfy(\.isHexadecimal) }
    }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool {
        (0x30...0x39).contains(self) || (0x61...0x66).contains(self | 0x20)
    }

    /// True for the letters of an app's identifier.
    fileprivate var isTopic: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20) || self == 0x2D
            || self == 0x2E
    }
}
