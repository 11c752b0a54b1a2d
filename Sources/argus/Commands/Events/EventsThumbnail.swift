import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

enum EventsThumbnail: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
        var filter = EventFilterOptions()
        var target = ImageTargetOptions()
        var isShown = false

        /// False if pictures are only shown.
        var isSaved: Bool { !isShown || target.path != nil }
    }

    static let about = CommandInfo(
        name: "thumbnail", summary: "Save the pictures of events", effect: .reads,
        description: """
            Names each file after the camera and the time of its event, and saves it in the current
            folder, unless \(flag: "output") names another place. Saves complete pictures only, and
            overwrites a file only with \(flag: "force"). \(code: "argus events picture") is the same
            command.
            """,
        examples: [
            "argus events thumbnail latest -o latest.jpg": "The picture of the last event",
            "argus events thumbnail latest --show": "The same in the terminal",
            "argus events thumbnail latest -o - | base64": "The picture itself, for a pipe",
        ],
        exitStatuses: .requests(3, 11),
        prints: .lists(SavedImage.fields(id: "event_id", "the event's id")))

    static let flags: [Flag<Options>] =
        ImageTargetOptions.flags(at: \Options.target) + [.showInsteadOfSaving(\.isShown)]
        + EventFilterOptions.flags(at: \Options.filter)

    static let arguments: [Argument<Options>] = [.events(\.events)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let writer = try options.target.writer(imageCount: options.events.count)
        let fields = SavedImage.fields(id: "event_id", "the event's id")
        let screen = try context.pictureScreen(options.isShown)
        let printer =
            options.isSaved
            ? try context.printer(of: fields, .rows(options.events.count), for: writer) : nil
        try options.filter.expectLatest(options.events)
        let server = try await context.server()
        let filter = try await options.filter.resolve(with: server, in: context)
        var outcome = BatchResult()
        let found = try await outcome.resolve(options.events, id: \.event.id) {
            word async throws(Failure) in
            try await server.event(
                named: word, to: "fetch the thumbnail of", latestOf: filter, in: context
            ).detail
        }.map(\.thing)
        let names = found.map(\.event).fileNames(in: context.timeZone)
        for (detail, name) in zip(found, names) {
            try await outcome.collect(detail.event.id) { () async throws(Failure) in
                let event = detail.event
                let picture = try await server.attempt(
                    "fetch the thumbnail of event '\(event.id)'",
                    await server.events.thumbnail(detail))
                try screen?.show(picture, headed: context.pictureHeading(of: event))
                guard options.isSaved else { return }
                let saved = try writer.save(
                    picture, of: event.id, named: name, takenAt: event.timestamp)
                try printer?.write(saved)
            }
        }
        try printer?.finish()
        try outcome.finish()
    }

    /// The picture of an event that 'events show' has printed; nil if it has none.
    static func picture(of row: JSONView, in context: Context) async throws(Failure) -> [UInt8]? {
        guard let id = row["id"]?.string, row["has_thumbnail"]?.bool != false else { return nil }
        let server = try await context.server()
        let doing = "fetch the thumbnail of"
        let detail = try await server.event(named: id, to: doing, in: context).detail
        return try await server.attempt(
            "\(doing) event \(id.inQuotes)", await server.events.thumbnail(detail))
    }
}

extension Context {
    /// The line above the picture of an event.
    func pictureHeading(of event: Event) throws(Failure) -> String {
        let name = "\(event.cameraName ?? event.cameraID ?? "-")  \(event.type)"
        return try pictureHeading(name, at: event.timestamp)
    }
}
