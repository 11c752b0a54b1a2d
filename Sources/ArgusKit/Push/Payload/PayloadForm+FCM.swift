import ArgusCore

extension PayloadForm {
    /// The form of FCM v1 for a token, `<redacted>` if nil: data, which the app shows, unless
    /// `withNotification`.
    static func fcm(
        _ token: PushToken?, platform: PushPlatform?, isSilent: Bool, withNotification: Bool
    ) -> PayloadForm {
        let shape = FCMShape(
            token: token, platform: platform, isSilent: isSilent, withNotification: withNotification
        )
        return PayloadForm(
            service: .fcm, limit: 4096, document: shape.document, size: shape.size)
    }
}

/// The parts of an FCM message that its receiver decides.
private struct FCMShape {
    var token: PushToken?
    var platform: PushPlatform?
    var isSilent: Bool
    var withNotification: Bool

    func document(of payload: PushPayload) -> [UInt8] {
        JSONWriter.object { writer in
            writer.object("message") { writer in
                writer.member("token", token?.text.reveal() ?? SecretMask.replacement)
                writer.object("data") { writer in
                    for member in data(of: payload) { writer.member(member.name, member.value) }
                }
                if withNotification {
                    writer.object("notification") { writer in
                        writer.member("title", payload.title)
                        writer.member("body", payload.body)
                    }
                }
                writer.object("android") { android(payload, &$0) }
                guard platform?.family == "ios" else { return }
                writer.object("apns") { apns(payload, &$0) }
            }
        }
    }

    /// The bytes that FCM counts: the keys and values, not the marks between them.
    func size(of payload: PushPayload) -> Int {
        var count = data(of: payload).reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        if withNotification { count += payload.title.utf8.count + payload.body.utf8.count + 9 }
        if platform?.family == "ios" {
            count += JSONWriter.object { $0.aps(payload, isSilent: isSilent) }.count
        }
        return count
    }

    private func data(of payload: PushPayload) -> [PushPayload.Member] {
        var data = [
            PushPayload.Member(name: "title", value: payload.title),
            PushPayload.Member(name: "body", value: payload.body),
        ]
        data += payload.members
        var more: [PushPayload.Member] = []
        if payload.eventID != nil {
            more.append(PushPayload.Member(name: "click_action", value: "OPEN_EVENT"))
            more.append(
                PushPayload.Member(name: "notification_channel", value: "security_alerts"))
        }
        if isSilent { more.append(PushPayload.Member(name: "silent", value: "true")) }
        return data + more.filter { member in !data.contains { $0.name == member.name } }
    }

    private func android(_ payload: PushPayload, _ writer: inout JSONWriter) {
        writer.member("priority", "high")
        writer.member("ttl", "86400s")
        if let event = payload.eventID { writer.member("collapse_key", event) }
        guard withNotification else { return }
        writer.object("notification") { writer in
            writer.member("channel_id", "security_alerts")
            writer.member("icon", "ic_notification")
            writer.member("color", "#FF5722")
            if let camera = payload.cameraID { writer.member("tag", camera) }
        }
    }

    private func apns(_ payload: PushPayload, _ writer: inout JSONWriter) {
        writer.object("headers") { writer in
            writer.member("apns-priority", isSilent ? "5" : "10")
            if let event = payload.eventID { writer.member("apns-collapse-id", event) }
        }
        writer.object("payload") { writer in
            writer.object("aps") { $0.aps(payload, isSilent: isSilent) }
        }
    }
}
