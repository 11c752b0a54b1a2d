import Glibc

/// Names and ids that ordinary commands have seen, kept for TAB; it may vanish at any time.
///
/// One folder a server, in it `cameras` and `devices` (`NAME TAB ID`), `events` (an id) and `routes`
/// (`PATH TAB METHOD`), a line each.
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

    private static let sizeLimit = 1 << 20

    private let folder: String

    /// The cache of one server; nil where nothing can be kept.
    package init?(_ place: Paths.Place, server: ServerID) {
        guard let folder = place.file(server.text) else { return nil }
        self.folder = folder
    }

    /// Keeps the cameras of the server, in place of those known before.
    package func remember(cameras: [Camera]) {
        write(cameras.compactMap { Self.line($0.name, $0.id) }, to: "cameras")
    }

    /// Keeps the devices of the server, in place of those known before.
    package func remember(devices: [Device]) {
        write(devices.compactMap { Self.line($0.name, $0.id) }, to: "devices")
    }

    /// Keeps the ids of the newest events, in place of those known before.
    package func remember(events ids: [String]) {
        guard !ids.isEmpty else { return }
        write(ids.prefix(Self.eventCount).filter(Self.isLine).map { $0 + "\n" }, to: "events")
    }

    /// Keeps the routes that the server has, in place of those known before.
    package func remember(routes: [ServerRoutes.Entry]) {
        let lines = routes.compactMap { route in
            Self.isLine(route.path) && Self.isLine(route.method)
                ? "\(route.path)\t\(route.method)\n" : nil
        }
        write(lines, to: "routes")
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

    /// The devices known, by name.
    package var devices: [Candidate] { candidates("devices") }

    /// The cameras known, by name.
    package var cameras: [Candidate] { candidates("cameras") }

    private func candidates(_ name: String) -> [Candidate] {
        lines(of: name).map { line in
            let parts = line.split(separator: "\t", maxSplits: 1)
            return Candidate(
                text: String(parts.first ?? ""),
                description: parts.count == 2 ? String(parts[1]) : nil)
        }
    }

    /// The ids of events known, newest first.
    package var events: [String] { lines(of: "events").map(String.init) }

    /// Removes what is kept of the server.
    package func erase() {
        for name in ["cameras", "devices", "events", "routes"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private func write(_ lines: [String], to name: String) {
        let path = "\(folder)/\(name)"
        // No `joined()`, which looks through all conformances of the program.
        var bytes: [UInt8] = []
        for line in lines { bytes += Array(line.utf8) }
        // Names and ids are a server's, which could repeat a secret as one.
        bytes = HeldSecrets.mask.masking(bytes)
        // Most runs see what the last one saw, and reading costs a fraction of writing.
        if bytes == (try? FileContents(path, trust: .state, limit: Self.sizeLimit))?.bytes {
            return
        }
        // What cannot be kept is missed at the next TAB, which is no reason to fail a command.
        try? PrivateFolder.prepare(folder)
        try? AtomicFile.write(bytes, to: path, for: .cache, replacing: true)
    }

    private func lines(of name: String) -> [Substring] {
        let file = try? FileContents("\(folder)/\(name)", trust: .state, limit: Self.sizeLimit)
        return String(decoding: file?.bytes ?? [], as: UTF8.self).split(separator: "\n")
    }

    private static func line(_ name: String?, _ id: String) -> String? {
        guard let name, isLine(name), isLine(id) else { return nil }
        return "\(name)\t\(id)\n"
    }

    /// Whether a text is one line without a control character, so that it stays one candidate.
    private static func isLine(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}
