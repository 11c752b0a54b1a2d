import ArgusCore

extension PayloadForm {
    static func apns(isSilent: Bool) -> PayloadForm {
        PayloadForm(service: .apns, limit: 4096) { payload in
            JSONWriter.object { writer in
                writer.object("aps") { $0.aps(payload, isSilent: isSilent) }
                for member in payload.members { writer.member(member.name, member.value) }
            }
        }
    }
}

extension JSONWriter {
    /// Writes the members of the dictionary `aps`; a silent one has no sound and is passive.
    mutating func aps(_ payload: PushPayload, isSilent: Bool) {
        object("alert") { writer in
            writer.member("title", payload.title)
            writer.member("body", payload.body)
            if let subtitle = payload.subtitle { writer.member("subtitle", subtitle) }
        }
        member("badge", 1)
        if isSilent {
            member("interruption-level", "passive")
        } else {
            member("sound", payload.sound ?? "default")
        }
        member("mutable-content", 1)
        if let category = payload.category { member("category", category) }
        if let camera = payload.cameraID { member("thread-id", camera) }
    }
}
