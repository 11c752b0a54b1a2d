import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import CommandLineKit

extension Argument {
    private static var eventSummary: String { "An event's id, the start of one, or latest" }

    static func events(_ path: OptionPath<[String]>, atLeast count: Int = 1) -> Self {
        .repeated("EVENT", atLeast: count, appends: path, eventSummary)
            .completing(.dynamic("events")).suggesting("latest", "the newest event that matches")
    }

    static func event(_ path: OptionPath<Required<String>>) -> Self {
        .required("EVENT", sets: path, eventSummary).completing(.dynamic("events"))
            .suggesting("latest", "the newest event")
    }
}

extension [Event] {
    /// The names of files of these events, safe and all different: camera and time, as snapshots have.
    func fileNames(in zone: TimeZoneRules) -> [String] {
        let items = map { event in
            let camera = SafeFileName.reduce(event.cameraName ?? event.cameraID ?? "")
            let words = [camera, event.timestamp?.fileNameText(in: zone) ?? ""]
            return (text: words.joined(separator: "-"), id: event.id)
        }
        return SafeFileName.names(for: items, noun: "event", limit: NameTemplate.partLimit)
    }
}

extension ExitStatus {
    static let lostEvents = ExitStatus(
        12, "An event could not be read, or events changed too fast")
}

extension SignedInServer {
    /// The event with a name; `doing` names the operation and precedes `event`.
    ///
    /// - Throws: `Failure` 3 if there is none, 2 if several ids have the prefix.
    func event(
        named name: String, to doing: String, latestOf filter: EventFilter = EventFilter(),
        withExtras: Bool = false, in context: Context
    ) async throws(Failure) -> (detail: EventDetail, view: JSONView) {
        let known = context.cache(for: self)?.events.map(\.id) ?? []
        do {
            let found = try await events.find(
                name, known: known, latestOf: filter, withExtras: withExtras)
            if let feedback = found.detail.feedback {
                context.note(on: self) { $0.note(feedback, on: found.detail.event.id, at: $1) }
            }
            return found
        } catch {
            switch error {
            case .api(let cause):
                var failure = await failure(cause, doing: "\(doing) event \(name.inQuotes)")
                if failure.kind == .notFound, name != "latest", !name.isUUID {
                    failure.hint =
                        name.count < EventService.shortestPrefix
                        ? "give at least \(EventService.shortestPrefix) characters of the id"
                        : "give the full id"
                }
                throw failure
            case .ambiguous(let ids):
                throw Failure(
                    .usage, "\(name.inQuotes) begins several ids: \(ids.joined(separator: ", "))",
                    hint: "give the full id")
            }
        }
    }
}

extension EventCursor {
    /// - Throws: `Failure` 12, at the end of a list, if something in it could not be read.
    func expectComplete(on server: SignedInServer) throws(Failure) {
        try server.expectComplete(unreadableRows, gaps)
    }
}

extension SignedInServer {
    /// Checks, after a list of events was read, that none was left out.
    ///
    /// - Throws: `Failure` 12 that names the ranges for which the server fails, or the number of rows
    ///   that are not events.
    func expectComplete(
        _ unreadableRows: Int, _ gaps: [EventGap],
        hint: String = "all other events were read; the server's log may name the row"
    ) throws(Failure) {
        guard !gaps.isEmpty else {
            return try expectNoUnreadableRows(unreadableRows, of: ("event", "events"))
        }
        let (first, more) = (gaps.prefix(3).map(\.utcText).joined(separator: ", "), gaps.count - 3)
        throw Failure(
            .gap,
            "'\(name)' fails to list the events \(first)" + (more > 0 ? " and \(more) more" : ""),
            hint: hint)
    }
}
