import ArgusKit
import CommandLineKit

/// The command `argus events show`.
enum EventsShow: ArgusCommand {
    struct Options: Sendable, Equatable {
        var events: [String] = []
    }

    static let about = CommandInfo(
        name: "show", summary: "Show events in detail",
        paragraphs: [
            """
            An event is named by its whole id, by \(code: "latest"), or by the first 8 or more \
            characters of the id of a recent event.
            """
        ],
        examples: [
            Example("argus events show latest", "What happened last"),
            Example(
                "argus events show latest --json | jq -r .description",
                "Only what the AI says of it"),
        ],
        exitStatuses: ExitStatus.requests(3, 11), fields: EventView.detailFields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()

    static let arguments: [Argument<Options>] = [.events(\.events)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(
            of: EventView.detailFields, .operands(options.events.count))
        let server = try await context.server()
        let service = EventService(session: server.session)
        var outcome = BatchResult()
        for name in options.events {
            try await outcome.collect(name) { () async throws(Failure) in
                var found = try await service.named(name, to: "show", on: server, in: context)
                if !context.globals.isRaw {
                    let extras = await service.extras(of: found.detail.event.id)
                    found.detail.frameCount = extras.frameCount
                    found.detail.hasVideo = extras.hasVideo
                }
                try printer.write(found.detail, raw: found.view)
            }
        }
        try printer.finish()
        try outcome.finish()
    }
}

extension Argument {
    /// One or more events.
    static func events(_ place: Place<[String]>) -> Self {
        .repeated(
            "EVENT", atLeast: 1, appends: place, "An event's id, the start of one, or latest"
        ).completing(.dynamic("events"))
    }
}

extension EventService {
    /// The event that a person names; `doing` is what is done with it, in words that go before
    /// `event`.
    ///
    /// - Throws: `Failure` 3 when there is none, 2 when several begin with what was given.
    func named(
        _ name: String, to doing: String, on server: SignedInServer, in context: Context
    ) async throws(Failure) -> (detail: EventDetail, view: JSONView) {
        let known = context.cache(for: server)?.events ?? []
        do throws(EventLookupError) {
            return try await find(name, known: known)
        } catch {
            switch error {
            case .api(let cause):
                var failure = await server.failure(cause, doing: "\(doing) event \(name.inQuotes)")
                if failure.kind == .notFound, name != "latest" { failure.hint = "give the full id" }
                throw failure
            case .ambiguous(let ids):
                throw Failure(
                    .usage, "\(name.inQuotes) begins several ids: \(ids.joined(separator: ", "))",
                    hint: "give the full id")
            }
        }
    }
}
