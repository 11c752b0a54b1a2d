extension PayloadForm {
    /// The form of FCM v1, for a token; a token that is nil is shown as `<redacted>`.
    ///
    /// Data only, which the app itself shows, unless `withNotification` is true.
    static func fcm(
        _ token: PushToken?, platform: PushPlatform?, isSilent: Bool, withNotification: Bool
    ) -> PayloadForm {
        let shape = FCMShape(
            token: token, platform: platform, isSilent: isSilent, withNotification: withNotification
        )
        return PayloadForm(service: .fcm, limit: 4096) { payload in
            shape.document(of: payload)
        } size: { payload, _ in
            shape.size(of: payload)
        }
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
            writer.key("message")
            writer.object { writer in
                writer.member("token", token?.text.reveal() ?? SecretMask.replacement)
                writer.key("data")
                writer.object { writer in
                    for member in data(of: payload) { writer.member(member.name, member.value) }
                }
                if withNotification {
                    writer.key("notification")
                    writer.object { writer in
                        writer.member("title", payload.title)
                        writer.member("body", payload.body)
                    }
                }
                writer.key("android")
                writer.object { android(payload, &$0) }
                guard platform?.family == "ios" else { return }
                writer.key("apns")
                writer.object { apns(payload, &$0) }
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
            PushPayload.Member("title", payload.title), PushPayload.Member("body", payload.body),
        ]
        data += payload.members
        var more: [PushPayload.Member] = []
        if payload.eventID != nil {
            more.append(PushPayload.Member("click_action", "OPEN_EVENT"))
            more.append(PushPayload.Member("notification_channel", "security_alerts"))
        }
        if isSilent { more.append(PushPayload.Member("silent", "true")) }
        return data + more.filter { member in !data.contains { $0.name == member.name } }
    }

    private func android(_ payload: PushPayload, _ writer: inout JSONWriter) {
        writer.member("priority", "high")
        writer.member("ttl", "86400s")
        if let event = payload.eventID { writer.member("collapse_key", event) }
        guard withNotification else { return }
        writer.key("notification")
        writer.object { writer in
            writer.member("channel_id", "security_alerts")
            writer.member("icon", "ic_notification")
            writer.member("color", "#FF5722")
            if let camera = payload.cameraID { writer.member("tag", camera) }
        }
    }

    private func apns(_ payload: PushPayload, _ writer: inout JSONWriter) {
        writer.key("headers")
        writer.object { writer in
            writer.member("apns-priority", isSilent ? "5" : "10")
            if let event = payload.eventID { writer.member("apns-collapse-id", event) }
        }
        writer.key("payload")
        writer.object { writer in
            writer.key("aps")
            writer.object { $0.aps(payload, isSilent: isSilent) }
        }
    }
}
