import ArgusArchive
import ArgusCore

/// Names and ids in an archive, for TAB.
struct ArchiveNames {
    private let archive: Archive

    init?(_ folder: ArchiveFolder) {
        guard let archive = try? Archive(reading: folder) else { return nil }
        // TAB must answer soon, even while another process changes the archive.
        archive.database.setBusyTimeout(milliseconds: 500)
        self.archive = archive
    }

    /// The cameras with events, by name.
    var cameras: [CompletionCache.Candidate] {
        let found = (try? archive.cameras(of: nil)) ?? []
        return found.map { camera in
            CompletionCache.Candidate(
                text: camera.name ?? camera.id, description: camera.name == nil ? nil : camera.id)
        }
    }

    var types: [String] { (try? archive.types()) ?? [] }

    /// The newest events whose ids begin with a word, as the cache lists them.
    func events(withPrefix word: String) -> [CompletionCache.CachedEvent] {
        let found = try? archive.newestEvents(
            beginning: word.lowercased(), atMost: CompletionCache.eventCount)
        return (found ?? []).map { event in
            CompletionCache.CachedEvent(
                id: event.id, time: event.time?.utcText ?? "", type: event.type,
                camera: event.camera)
        }
    }
}
