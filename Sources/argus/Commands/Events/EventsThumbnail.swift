import ArgusKit
import CommandLineKit

enum EventsThumbnail: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
        var target = ImageTargetOptions()
    }

    static let about = CommandInfo(
        name: "thumbnail", summary: "Save the pictures of events",
        description: """
            The file is named after the event, in the current folder, unless \(flag: "output") says
            otherwise. A picture is written only when it is complete, and never over another file
            without \(flag: "force").
            """,
        examples: [
            "argus events thumbnail latest -o latest.jpg": "The picture of the last event",
            "argus events thumbnail latest -o - | base64": "The picture itself, for a pipe",
        ],
        exitStatuses: .requests(3, 11),
        prints: .lists(SavedImage.fields(id: "event_id", "the event's id")))

    static let flags: [Flag<Options>] = ImageTargetOptions.flags(at: \Options.target)

    static let arguments: [Argument<Options>] = [.events(\.events)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let writer = try options.target.writer(imageCount: options.events.count)
        let fields = SavedImage.fields(id: "event_id", "the event's id")
        let printer = try context.printer(of: fields, .rows(options.events.count), for: writer)
        let server = try await context.server()
        var outcome = BatchResult()
        let found = try await outcome.resolve(options.events, id: \.event.id) {
            word async throws(Failure) in
            try await server.event(named: word, to: "fetch the thumbnail of", in: context).detail
        }.map(\.thing)
        let names = SafeFileName.names(
            for: found.map { (text: $0.event.id, id: $0.event.id) }, noun: "event")
        for (detail, name) in zip(found, names) {
            let event = detail.event
            try await outcome.collect(event.id) { () async throws(Failure) in
                let picture = try await server.attempt(
                    "fetch the thumbnail of event '\(event.id)'",
                    await server.events.thumbnail(detail))
                let saved = try writer.save(
                    picture, of: event.id, named: name, takenAt: event.timestamp)
                try printer?.write(saved)
            }
        }
        try printer?.finish()
        try outcome.finish()
    }
}
