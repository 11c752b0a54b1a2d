import ArgusCore
import ArgusEvents

/// The canonical fields of mutes (docs/scripting.md, "Fields").
enum MuteView {
    static let fields: [Field<Mute>] = [
        .column("number", "its number, for 'mute end'") { $0.number }.headed("#", label: "number"),
        .hidden("server_id", "the id of the server's record") { $0.server },
        .column("from", "when it began") { $0.from },
        .column("until", "when it ends") { $0.until },
        .hidden("camera_id", "the only camera that is muted; null for all") { $0.cameraID }
            .shortened,
        .column("camera_name", "its name") { $0.cameraName }.headed("camera"),
        .column("type", "the only type that is muted; null for all") { $0.type }.withTypeColors,
        .column("reason", "why") { $0.reason }.shrinking(0),
    ]
}
