import Glibc

/// Names and ids that commands have seen, kept for TAB in one folder a server.
///
/// Lines are `NAME TAB ID` of cameras and devices, ids of events, `PATH TAB METHOD` of routes.
package struct CompletionCache: Sendable {
    /// The most event ids that are kept.
    package static let eventCount = 100

    /// A word for the shell, and what it means.
    package struct Candidate: Sendable, Equatable {
        package var text: String
        package var description: String?

        package init(text: String, description: String? = nil) {
            self.text = text
            self.description = description
        }
    }

    private let folder: String

    /// The cache of one server; nil where nothing can be kept.
    package init?(_ place: Paths.Place, server: ServerID) {
        guard let folder = place.file(server.text) else { return nil }
        self.folder = folder
    }

    /// Keeps the cameras of the server, in place of those known before.
    package func remember(cameras: [Camera]) {
        file("cameras").write(cameras.compactMap { Self.line($0.name, $0.id) })
    }

    /// Keeps the devices of the server, in place of those known before.
    package func remember(devices: [Device]) {
        file("devices").write(devices.compactMap { Self.line($0.name, $0.id) })
    }

    /// Keeps the ids of the newest events, in place of those known before.
    package func remember(events ids: [String]) {
        guard !ids.isEmpty else { return }
        file("events").write(ids.prefix(Self.eventCount).filter(Self.isLine).map { $0 + "\n" })
    }

    /// Keeps the routes that the server has, in place of those known before.
    package func remember(routes: [ServerRoutes.Entry]) {
        let lines = routes.compactMap { route in
            Self.isLine(route.path) && Self.isLine(route.method)
                ? "\(route.path)\t\(route.method)\n" : nil
        }
        file("routes").write(lines)
    }

    /// The routes known, by path; the methods describe them.
    package var routes: [Candidate] { Self.merging(candidates("routes")) }

    /// Routes by path; the methods describe them.
    package static func candidates(for routes: [ServerRoutes.Entry]) -> [Candidate] {
        merging(routes.map { Candidate(text: $0.path, description: $0.method) })
    }

    private static func merging(_ candidates: [Candidate]) -> [Candidate] {
        var found: [Candidate] = []
        for candidate in candidates {
            if let last = found.last, last.text == candidate.text {
                found[found.count - 1].description = [last.description, candidate.description]
                    .compactMap { $0 }.joined(separator: " ")
            } else {
                found.append(candidate)
            }
        }
        return found
    }

    package var devices: [Candidate] { candidates("devices") }

    package var cameras: [Candidate] { candidates("cameras") }

    private func candidates(_ name: String) -> [Candidate] {
        file(name).all.map { line in
            let parts = line.split(separator: "\t", maxSplits: 1)
            return Candidate(
                text: String(parts.first ?? ""),
                description: parts.count == 2 ? String(parts[1]) : nil)
        }
    }

    /// The ids of events known, newest first.
    package var events: [String] { file("events").all.map(String.init) }

    /// Removes what is kept of the server.
    package func erase() {
        for name in ["cameras", "devices", "events", "routes"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private func file(_ name: String) -> CachedLines { CachedLines(path: "\(folder)/\(name)") }

    private static func line(_ name: String?, _ id: String) -> String? {
        guard let name, isLine(name), isLine(id) else { return nil }
        return "\(name)\t\(id)\n"
    }

    /// Whether a text is one line without a control character, so that it stays one candidate.
    private static func isLine(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}
