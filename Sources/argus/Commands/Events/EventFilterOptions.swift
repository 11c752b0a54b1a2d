import ArgusKit
import CommandLineKit

enum EventType: String, Choice, Sendable {
    case person, vehicle, package, animal, motion, ring

}

enum EventSource: String, Choice, Sendable {
    case rtsp, usb, protect, other

    static var placeholder: String { "SOURCE" }
}

/// A point in time on the command line, such as `2h`, `today` or `2026-11-20T22:00`.
struct TimeArgument: ArgumentValue, Equatable {
    static var placeholder: String { "TIME" }

    var expression: TimeExpression
    var text: String

    init(argument: String) throws(ValueError) {
        text = argument
        do {
            expression = try TimeExpression(argument)
        } catch {
            throw ValueError("is no time: \(error)")
        }
    }
}

/// A search text; an empty one, which would match everything, is refused.
struct SearchArgument: ArgumentValue, Equatable {
    static var placeholder: String { "TEXT" }

    var text: String

    init(argument: String) throws(ValueError) {
        guard !argument.isEmpty else { throw ValueError("is empty") }
        text = argument
    }
}

/// The options by which commands choose events.
struct EventFilterOptions: OptionGroup, Equatable {
    var cameras: [String] = []
    var types: CommaSeparated<EventType>?
    var since: TimeArgument?
    var until: TimeArgument?
    var search: SearchArgument?
    var minConfidence: Int?
    var isAlertsOnly = false
    var source: EventSource?

    static let own: [Flag<EventFilterOptions>] = [
        .repeatable(
            "camera", value: "CAMERA", appends: \.cameras, in: "Filter", "Only events of CAMERA"
        ).completing(.dynamic("cameras")),
        .option(
            "type", value: "TYPE[,TYPE]", sets: \.types, in: "Filter",
            "Only events of these types",
            details: [
                """
                An event matches a type by its smart detection type or by any object seen; motion \
                also matches events with neither.
                """,
                """
                Where a server lists no objects, only the main detection of an event counts, as a \
                warning says, and motion is refused. So is ring where no doorbell rings are listed.
                """,
            ]),
        .option(
            "since", sets: \.since, in: "Filter", "Only events at or after TIME",
            details: ["See \(topic: "times")."]),
        .option("until", sets: \.until, in: "Filter", "Only events at or before TIME"),
        .option(
            "search", sets: \.search, in: "Filter",
            "Only events whose description has the words TEXT",
            details: [
                """
                The words must follow each other; case and the signs between them do not count. \
                Signs alone, emoji and scripts without spaces are looked for as they are.
                """
            ]),
        .option(
            "min-confidence", value: "N", sets: \.minConfidence, in: "Filter",
            "Only events with at least N percent confidence"
        ).within(0...100),
        .toggle(
            "alerts", sets: \.isAlertsOnly, in: "Filter",
            "Only events for which an alert rule fired"),
        .option(
            "source", sets: \.source, in: "Filter", "Only events of cameras that are connected so"),
    ]

    /// Turns words into what servers understand: names into ids, times into instants.
    func resolve(with server: SignedInServer, in context: Context) async throws(Failure)
        -> EventFilter
    {
        var filter = EventFilter()
        filter.types = types.map { $0.values.map(\.rawValue) } ?? []
        if since != nil || until != nil {
            let (now, zone) = (context.now(), context.timeZone)
            filter.since = since?.expression.resolve(asEnd: false, now: now, zone: zone)
            filter.until = until?.expression.resolve(asEnd: true, now: now, zone: zone)
            if let since = filter.since, let until = filter.until, since > until {
                throw Failure(
                    .usage, "--since is a later time than --until",
                    hint: "'2d' is two days ago, so it goes with --since")
            }
        }
        filter.search = search?.text
        filter.minConfidence = minConfidence
        filter.alertsOnly = isAlertsOnly
        filter.source = source?.rawValue
        if !cameras.isEmpty {
            let known = try await context.cameras(of: server).values
            filter.cameraIDs = try known.ids(named: cameras)
        }
        return filter
    }
}
