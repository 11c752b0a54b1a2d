import ArgusKit
import CommandLineKit

/// The command `argus events thumbnail`.
enum EventsThumbnail: ArgusCommand {
    struct Options: Sendable, Equatable {
        var events: [String] = []
        var target = ImageTargetOptions()
    }

    static let about = CommandInfo(
        name: "thumbnail", summary: "Save the pictures of events",
        paragraphs: [
            """
            The file is named after the event, in the current folder, unless \(flag: "output") \
            says otherwise. A picture is written only when it is complete, and never over another \
            file without \(flag: "force").
            """
        ],
        examples: [
            Example("argus events thumbnail latest -o latest.jpg", "The picture of the last event"),
            Example(
                "argus events thumbnail latest -o - | base64", "The picture itself, for a pipe"),
        ],
        exitStatuses: ExitStatus.requests(3, 11),
        fields: SavedImage.fields(id: "event_id", "the event's id").infos(),
        formats: OutputFormat.lists)

    static let defaults = Options()

    static let flags: [Flag<Options>] = ImageTargetOptions.flags(at: \Options.target)

    static let arguments: [Argument<Options>] = [.events(\.events)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let writer = try options.target.writer(imageCount: options.events.count)
        let fields = SavedImage.fields(id: "event_id", "the event's id")
        let printer = try context.printer(of: fields, for: writer)
        let home = try await context.server()
        let service = EventService(session: home.session)
        var outcome = Outcome()
        for name in options.events {
            try await outcome.collect(name) { () async throws(Failure) in
                let found = try await service.named(name, on: home, in: context)
                let event = found.detail.event
                let picture = try await home.attempt("fetch the thumbnail of event '\(name)'") {
                    () async throws(APIError) in try await service.thumbnail(found.detail)
                }
                let saved = try writer.save(
                    picture, of: event.id,
                    named: SafeFileName.names(for: [(event.id, event.id)], noun: "event")[0],
                    takenAt: event.timestamp)
                try printer?.write(saved)
            }
        }
        try printer?.finish()
        try outcome.finish()
    }
}
