import ArgusCore

extension PayloadForm {
    /// The form that ArgusAI's service workers read, before its encryption.
    static func webPush(isSilent: Bool, limit: Int = WebPushEncryption.longestText) -> PayloadForm {
        PayloadForm(service: .webPush, limit: limit) { payload in
            JSONWriter.object { $0.webPush(payload, isSilent: isSilent) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func webPush(_ payload: PushPayload, isSilent: Bool) {
        member("title", payload.title)
        member("body", payload.body)
        member("icon", "/icons/notification-192.svg")
        member("badge", "/icons/badge-72.svg")
        member("renotify", true)
        member("silent", isSilent)
        member("tag", payload.cameraID ?? "argus")
        object("data") { writer in
            for member in payload.members where member.name != "thumbnail_url" {
                writer.member(member.name, member.value)
            }
            if let time = payload.timestamp { writer.member("timestamp", time) }
        }
        if let picture = payload.thumbnailURL { member("image", picture) }
        guard !payload.actions.isEmpty else { return }
        key("actions")
        array { writer in
            for action in payload.actions {
                writer.object { writer in
                    writer.member("action", action.id)
                    writer.member("title", action.title)
                    writer.member("icon", "/icons/\(action.id)-24.svg")
                }
            }
        }
    }
}
