/// Firebase Cloud Messaging, HTTP v1.
struct SimulatedFCM: Sendable {
    let oauth: SimulatedOAuth
    /// The project that gave out the tokens.
    let project: String
    let tokens: Set<String>

    func answer(_ request: inout SimulatorRequest) throws(SimulatorRefusal) -> Answer {
        request.record.payload = request.object
        let message = request.record.payload?["message"]
        request.record.token = message?["token"]?.string
        let android = message?["android"]
        request.record.collapseID = (android?["collapse_key"] ?? android?["collapseKey"])?.string
        try check(request, message)
        let name =
            "projects/\(project)/messages/0:\(request.now.microseconds)%"
            + Hexadecimal.encode(Secrets.bytes(8))
        return .json(["name": .text(name)], type: "application/json; charset=UTF-8")
    }

    private func check(_ request: SimulatorRequest, _ message: JSON?) throws(SimulatorRefusal) {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard request.method == .POST, parts.count == 5, parts[1] == "v1",
            parts[2] == "projects", parts[4] == "messages:send"
        else { throw FCMError.unregistered.refusal() }
        let words = (request["authorization"] ?? "").split(separator: " ")
        guard words.count == 2, words[0] == "Bearer",
            let owner = oauth.project(of: words[1], at: request.now)
        else { throw FCMError.unauthenticated.refusal() }
        guard parts[3] == owner else { throw FCMError.permissionDenied.refusal() }
        guard request["content-type"]?.hasPrefix("application/json") == true else {
            throw FCMError.badRequest.refusal(field: "", "Invalid content type")
        }
        guard let payload = request.record.payload, let message else {
            throw FCMError.badRequest.refusal(field: "", "Invalid JSON payload received.")
        }
        try FCMMessage.check(payload, message)
        guard let token = request.record.token, tokens.contains(token) else {
            throw FCMError.invalidToken.refusal()
        }
        guard owner == project else { throw FCMError.senderMismatch.refusal() }
    }
}

/// The rules of a message (Firebase, "projects.messages").
enum FCMMessage {
    /// The members of each object; others are refused.
    private static let members: [String: Set<String>] = [
        "": ["message", "validateOnly"],
        "message": [
            "name", "data", "notification", "android", "webpush", "apns", "fcmOptions", "token",
            "topic", "condition",
        ],
        "message.notification": ["title", "body", "image"],
        "message.android": [
            "collapseKey", "priority", "ttl", "restrictedPackageName", "data", "notification",
            "fcmOptions", "directBootOk",
        ],
        "message.android.notification": [
            "title", "body", "icon", "color", "sound", "tag", "clickAction", "bodyLocKey",
            "bodyLocArgs", "titleLocKey", "titleLocArgs", "channelId", "ticker", "sticky",
            "eventTime", "localOnly", "notificationPriority", "defaultSound",
            "defaultVibrateTimings", "defaultLightSettings", "vibrateTimings", "visibility",
            "notificationCount", "lightSettings", "image",
        ],
        "message.apns": ["headers", "payload", "fcmOptions", "liveActivityToken"],
    ]

    static func check(_ payload: JSON, _ message: JSON) throws(SimulatorRefusal) {
        try checkMembers(payload, "")
        guard case .object = message else { throw invalidArgument("message", "Invalid value") }
        guard message["token"]?.string?.isEmpty == false else {
            throw invalidArgument(
                "message", "Exactly one of 'token', 'topic' or 'condition' is required")
        }
        try checkData(message["data"], "message.data")
        try checkData(message["android"]?["data"], "message.android.data")
        try checkAndroid(message["android"] ?? [:])
        try checkData(message["apns"]?["headers"], "message.apns.headers")
    }

    private static func checkMembers(_ value: JSON, _ path: String) throws(SimulatorRefusal) {
        guard case .object(let found) = value, let known = members[path] else { return }
        for member in found {
            let name = camelCase(member.name)
            guard known.contains(name) else {
                throw invalidArgument(
                    path,
                    "Invalid JSON payload received. Unknown name \"\(member.name)\""
                        + "\(path.isEmpty ? "" : " at '\(path)'"): Cannot find field.")
            }
            try checkMembers(member.value, path.isEmpty ? name : "\(path).\(name)")
        }
    }

    private static func checkData(_ data: JSON?, _ path: String) throws(SimulatorRefusal) {
        guard let data else { return }
        guard case .object(let members) = data else { throw invalidArgument(path, "Invalid value") }
        for (index, member) in members.enumerated() {
            guard member.value.string != nil else {
                throw invalidArgument(
                    "\(path)[\(index)].value",
                    "Invalid value at '\(path)[\(index)].value' (TYPE_STRING)")
            }
            let isReserved =
                ["from", "message_type"].contains(member.name)
                || member.name.hasPrefix("google.") || member.name.hasPrefix("gcm.")
            guard !isReserved || path.hasSuffix("headers") else {
                throw invalidArgument(path, "Invalid data payload key: \(member.name)")
            }
        }
        let size = members.reduce(0) {
            $0 + $1.name.utf8.count + ($1.value.string ?? "").utf8.count
        }
        guard size <= 4096 else {
            throw invalidArgument("message.data", "Android message is too big")
        }
    }

    private static func checkAndroid(_ android: JSON) throws(SimulatorRefusal) {
        if let priority = android["priority"] {
            guard ["NORMAL", "HIGH"].contains(priority.string?.uppercased()) else {
                throw invalidArgument("message.android.priority", "Invalid value")
            }
        }
        if let ttl = android["ttl"] {
            guard let text = ttl.string, text.hasSuffix("s"), let seconds = Double(text.dropLast()),
                (0...2_419_200).contains(seconds)
            else {
                throw invalidArgument(
                    "message.android.ttl", "Invalid time to live value for android")
            }
        }
    }

    private static func invalidArgument(_ field: String, _ words: String) -> SimulatorRefusal {
        FCMError.badRequest.refusal(field: field, words)
    }

    /// `collapse_key` as `collapseKey`, the other spelling of a member.
    private static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_")
        return (words.first.map(String.init) ?? "")
            + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
