import ArgusKit

/// The check of the archive that the configuration names.
struct ArchiveCheck {
    /// The age of the last sync from which it is a warning.
    private static let longestPause = Duration.seconds(2 * 86400)

    let context: Context

    /// The finding about the archive, from its index alone; empty without an archive.
    var findings: [Finding] {
        guard (try? context.settings[.archiveFolder]) ?? nil != nil else { return [] }
        do throws(Failure) {
            return [try finding()]
        } catch {
            return [.failure("archive", error)]
        }
    }

    private func finding() throws(Failure) -> Finding {
        let folder = try ArchiveOptions().folder(in: context)
        let archive = try attempt(Archive(reading: folder))
        let servers = try attempt(archive.servers())
        let count = try attempt(archive.eventCount())
        let now = context.now()
        let late = servers.filter { server in
            server.lastSync.map { now - $0 > Self.longestPause } ?? true
        }
        let message = "\(folder.path) has \(count) \(count == 1 ? "event" : "events")"
        guard let first = late.first else {
            guard servers.isEmpty else { return .ok("archive", message) }
            return .warning("archive", "\(folder.path) is empty", "run 'argus archive sync'")
        }
        let time = first.lastSync?.displayText(in: context.timeZone) ?? "never completed"
        return .warning(
            "archive", "\(message); the last sync with '\(first.name)': \(time)",
            "run 'argus archive sync' on a timer")
    }
}
