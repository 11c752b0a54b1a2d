import ArgusCore
import ArgusEvents
import ArgusTransport
import CommandLineKit

enum EventsFrames: ArgusCommand {
    struct Options: VerbOptions {
        @Required var event: String
        var filter = EventFilterOptions()
        var target = ImageTargetOptions()
    }

    static let about = CommandInfo(
        name: "frames", summary: "Save the frames that the AI analysed",
        description: """
            Names the files after the event, numbers them, and saves them in the current folder,
            unless \(flag: "output") names another one. Today's servers show frames to anyone who
            knows the event's id.
            """,
        examples: ["argus events frames latest -o frames/": "The last event's frames"],
        exitStatuses: .requests(3, 11, .malformedRow),
        prints: .lists(SavedFrame.fields))

    static let flags: [Flag<Options>] =
        ImageTargetOptions.flags(at: \Options.target)
        + EventFilterOptions.flags(at: \Options.filter)

    static let arguments: [Argument<Options>] = [.event(\.$event)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        // Their number is not known yet, but any number above one selects the same target.
        let writer = try options.target.writer(imageCount: 2)
        try options.filter.expectLatest([options.event])
        let printer = try context.printer(of: SavedFrame.fields, .list, for: writer)
        let server = try await context.server()
        let filter = try await options.filter.resolve(with: server, in: context)
        let event = try await server.event(
            named: options.event, to: "list the frames of", latestOf: filter, in: context
        ).detail.event
        let frames = try await server.attempt(
            "list the frames of event \(options.event.inQuotes)",
            await server.events.frames(of: event.id))
        var outcome = BatchResult()
        for frame in frames.values {
            try await outcome.collect("frame \(frame.number)") { () async throws(Failure) in
                let picture = try await server.attempt(
                    "fetch frame \(frame.number)",
                    await server.events.picture(ofFrame: frame.number, of: event.id))
                let saved = try save(picture, frame, of: event, with: writer)
                try printer?.write(saved)
            }
        }
        try printer?.finish(whenEmpty: "the event has no frames")
        outcome.record(gap: server.unreadableRows(frames.unreadableRows, of: ("frame", "frames")))
        try outcome.finish()
    }

    private static func save(
        _ picture: [UInt8], _ frame: EventFrame, of event: Event, with writer: ImageWriter
    ) throws(Failure) -> SavedFrame {
        let name = SafeFileName.names(for: [(event.id, event.id)], noun: "event")[0]
        let image = try writer.save(
            picture, of: event.id, named: "\(name)-frame-\(frame.number)",
            takenAt: event.timestamp.map { $0 + Duration.milliseconds(frame.offset ?? 0) })
        return SavedFrame(image: image, number: frame.number)
    }
}

struct SavedFrame: Sendable {
    var image: SavedImage
    var number: Int

    static let fields: [Field<SavedFrame>] =
        SavedImage.fields(id: "event_id", "the event's id").reading { $0.image } + [
            Field("number", "the frame's number, from 1") { .integer(Int64($0.number)) }
        ]
}
