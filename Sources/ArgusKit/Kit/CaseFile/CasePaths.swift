import ArgusCore
import ArgusEvents

/// The names of the files in a case file.
package enum CasePath {
    static let page = "index.html"
    static let events = "events.json"
    static let note = "note.txt"
    static let manifest = "manifest.json"
    /// The signature of the manifest.
    package static let signature = "manifest.json.sig"
    static let sums = "SHA256SUMS"

    /// The files that the manifest does not list: itself, and what is made of it.
    static let unlisted = [manifest, signature, sums]

    /// The longest part of a name that is a camera's, in bytes.
    private static let cameraLimit = 60

    /// The names of the files of events without folder and extension, all different, by time and camera:
    /// `20261120T220005Z-Front-Door-8f85eda1`.
    static func names(of events: [Event]) -> [String] {
        let items = events.map { event in
            let time = event.timestamp.map { $0.fileNameText(in: .utc) + "Z" } ?? "no-time"
            let camera = SafeFileName.reduce(
                event.cameraName ?? event.cameraID ?? "", limit: cameraLimit)
            let id = SafeFileName.reduce(event.id, limit: 8)
            return (
                text: [time, camera, id].filter { !$0.isEmpty }.joined(separator: "-"),
                id: event.id
            )
        }
        return SafeFileName.names(for: items, noun: "event")
    }

    /// The path of a file of an event.
    static func path(of item: CaseItem, named name: String) -> String {
        switch item.kind {
        case .object: "raw/\(name).json"
        case .picture: "media/\(name).\(item.fileExtension)"
        case .frame(let number): "media/\(name)-frame-\(number).\(item.fileExtension)"
        case .video: "media/\(name).\(item.fileExtension)"
        }
    }
}
