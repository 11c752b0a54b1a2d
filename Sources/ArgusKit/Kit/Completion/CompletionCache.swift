package import ArgusAccount
package import ArgusCore
package import ArgusEvents
package import ArgusPush
package import ArgusTransport
import Glibc

/// Names and ids that commands have seen, stored for TAB in one folder per server.
///
/// Lines of `cameras`, `devices`, `entities` and `rules` are `NAME TAB ID`, of `events` `ID TAB TIME TAB TYPE TAB
/// CAMERA`, of `types` words, of `keys` `NAME TAB PREFIX`, of `sessions` and `subscriptions` `ID TAB
/// DESCRIPTION`, of `routes` `PATH TAB METHOD`.
package struct CompletionCache: Sendable {
    /// The maximum number of stored event ids.
    package static let eventCount = 100
    private static let typeCount = 50

    /// A word for the shell and its description.
    package struct Candidate: Sendable, Equatable {
        package var text: String
        package var description: String?
    }

    /// A list of names or ids, the name of its file.
    package enum Kind: String, CaseIterable, Sendable {
        case cameras, devices, entities, events, keys, routes, rules, sessions, subscriptions, types
    }

    private let folder: String

    /// Opens the cache of one server; nil if there is no cache folder.
    package init?(_ cache: Paths.Folder, server: ServerID) {
        guard let folder = cache.file(server.text) else { return nil }
        self.folder = folder
    }

    // Each stores a list of the server in place of the earlier one.

    package func remember(cameras: [Camera]) {
        write(.cameras, cameras.map { Self.line($0.name, $0.id) })
    }

    package func remember(devices: [Device]) {
        write(.devices, devices.map { Self.line($0.name, $0.id) })
    }

    /// Stores the entities that have names only.
    package func remember(entities: [Entity]) {
        write(.entities, entities.map { Self.line($0.name, $0.id) })
    }

    package func remember(rules: [AlertRule]) {
        write(.rules, rules.map { Self.line($0.name, $0.id) })
    }

    /// Stores the newest events in place of the earlier ones, and adds their types.
    package func remember(events: [Event]) {
        guard !events.isEmpty else { return }
        let rows = events.prefix(Self.eventCount).map { event in
            let time = event.timestamp?.utcText ?? ""
            return [event.id, time, event.type, event.cameraName ?? ""].map {
                Self.isLine($0) ? $0 : ""
            }
        }
        write(.events, rows.map { $0[0].isEmpty ? nil : $0.joined(separator: "\t") + "\n" })
        let known = Set(types)
        let seen = known.union(rows.map { $0[2] }).subtracting([""])
        guard seen.count <= Self.typeCount, seen.count > known.count else { return }
        write(.types, seen.sorted().map { $0 + "\n" })
    }

    /// Stores the valid API keys only.
    package func remember(keys: [APIKey]) {
        let active = keys.filter { $0.isActive != false && $0.revokedAt == nil }
        write(.keys, active.map { Self.line($0.name ?? $0.id, $0.prefix ?? $0.id) })
    }

    /// Stores the web sessions of the user but the current one.
    package func remember(sessions: [WebSession]) {
        let others = sessions.filter { $0.isCurrent != true }
        write(.sessions, others.map { Self.line(id: $0.id, $0.device, $0.address) })
    }

    package func remember(subscriptions: [PushSubscription]) {
        write(
            .subscriptions,
            subscriptions.map { row in
                row.id.flatMap {
                    Self.line(id: $0, row.endpoint.map(PushEndpoint.shown), row.userAgent)
                }
            })
    }

    package func remember(routes: [ServerRoutes.Entry]) {
        write(.routes, routes.map { Self.line($0.path, $0.method) })
    }

    /// True once a list of this kind was stored, even an empty one.
    package func knows(_ kind: Kind) -> Bool { FileContents.exists(path(of: kind)) }

    /// The types of this server's events so far.
    package var types: [String] { file(.types).all.map(String.init) }

    /// The known routes by path; their methods are the descriptions.
    package var routes: [Candidate] { Self.merging(candidates(.routes)) }

    /// Groups routes by path; their methods are the descriptions.
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

    package var cameras: [Candidate] { candidates(.cameras) }

    /// The names or ids of a kind, with a description each.
    func candidates(_ kind: Kind) -> [Candidate] {
        file(kind).all.map { line in
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            return Candidate(text: parts.first ?? "", description: parts.dropFirst().first)
        }
    }

    /// An event in the cache; fields that are missing are empty.
    package struct CachedEvent: Hashable, Sendable {
        package var id: String
        /// In UTC, as in machine formats.
        package var time: String
        package var type: String
        package var camera: String
    }

    /// The known events, newest first.
    package var events: [CachedEvent] {
        file(.events).all.map { line in
            let parts =
                line.split(separator: "\t", omittingEmptySubsequences: false)
                .map(String.init) + ["", "", ""]
            return CachedEvent(id: parts[0], time: parts[1], type: parts[2], camera: parts[3])
        }
    }

    /// Removes the cache of the server.
    package func erase() {
        for kind in Kind.allCases { unlink(path(of: kind)) }
        rmdir(folder)
    }

    private func path(of kind: Kind) -> String { "\(folder)/\(kind.rawValue)" }

    private func file(_ kind: Kind) -> CachedLines { CachedLines(path: path(of: kind)) }

    /// Replaces the lines of a kind; those that are nil are left out.
    private func write(_ kind: Kind, _ lines: [String?]) {
        file(kind).write(lines.compactMap(\.self))
    }

    private static func line(_ name: String?, _ id: String) -> String? {
        guard let name, isLine(name), isLine(id) else { return nil }
        return "\(name)\t\(id)\n"
    }

    /// An id and the texts that describe it; nil if the id is not one line.
    private static func line(id: String, _ texts: String?...) -> String? {
        guard isLine(id) else { return nil }
        let description = texts.compactMap(\.self).filter(isLine).joined(separator: ", ")
        return description.isEmpty ? "\(id)\n" : "\(id)\t\(description)\n"
    }

    /// True if a text is one line without control characters, so that it stays one candidate.
    private static func isLine(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}
