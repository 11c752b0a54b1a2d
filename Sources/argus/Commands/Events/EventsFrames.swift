import ArgusCore
import ArgusEvents
import ArgusTransport
import CommandLineKit

enum EventsFrames: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
        var filter = EventFilterOptions()
        var target = ImageTargetOptions()
        var isShown = false

        /// False if frames are only shown.
        var isSaved: Bool { !isShown || target.path != nil }
    }

    static let about = CommandInfo(
        name: "frames", summary: "Save the frames that the AI analysed", effect: .reads,
        description: """
            Names the files after the camera and the time of the event, numbers them, and saves them
            in the current folder, unless \(flag: "output") names another one. Today's servers show
            frames to anyone who knows the event's id.
            """,
        examples: [
            "argus events frames latest -o frames/": "The last event's frames",
            "argus events frames latest --show": "The same in the terminal",
        ],
        exitStatuses: .requests(3, 11, .malformedRow),
        prints: .lists(SavedFrame.fields))

    static let flags: [Flag<Options>] =
        ImageTargetOptions.flags(at: \Options.target) + [.showInsteadOfSaving(\.isShown)]
        + EventFilterOptions.flags(at: \Options.filter)

    static let arguments: [Argument<Options>] = [.events(\.events)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        // Their number is not known yet, but any number above one selects the same target.
        let writer = try options.target.writer(imageCount: 2)
        try options.filter.expectLatest(options.events)
        let screen = try context.pictureScreen(options.isShown)
        let printer =
            options.isSaved
            ? try context.printer(of: SavedFrame.fields, .list, for: writer) : nil
        let server = try await context.server()
        let filter = try await options.filter.resolve(with: server, in: context)
        var outcome = BatchResult()
        let found = try await outcome.resolve(options.events, id: \.id) {
            word async throws(Failure) in
            try await server.event(
                named: word, to: "list the frames of", latestOf: filter, in: context
            ).detail.event
        }.map(\.thing)
        for (event, name) in zip(found, found.fileNames(in: context.timeZone)) {
            let frames: ListedRows<EventFrame>
            do throws(Failure) {
                frames = try await server.attempt(
                    "list the frames of event '\(event.id)'",
                    await server.events.frames(of: event.id))
            } catch {
                outcome.record(error, of: event.id)
                continue
            }
            for frame in frames.values {
                // Frames of one event need no other name.
                let label = "frame \(frame.number)" + (found.count > 1 ? " of \(event.id)" : "")
                try await outcome.collect(label) { () async throws(Failure) in
                    let picture = try await server.attempt(
                        "fetch \(label)",
                        await server.events.picture(ofFrame: frame.number, of: event.id))
                    let time = event.timestamp.map { $0 + .milliseconds(frame.offset ?? 0) }
                    if let screen {
                        let camera = event.cameraName ?? event.cameraID ?? "-"
                        try screen.show(
                            picture, headed: context.pictureHeading("\(camera)  \(label)", at: time)
                        )
                    }
                    guard options.isSaved else { return }
                    let image = try writer.save(
                        picture, of: event.id, named: "\(name)-frame-\(frame.number)",
                        takenAt: time)
                    try printer?.write(SavedFrame(image: image, number: frame.number))
                }
            }
            if frames.isEmpty, screen != nil, !options.isSaved {
                context.console.notice("event '\(event.id)' has no frames")
            }
            let gap = server.unreadableRows(frames.unreadableRows, of: ("frame", "frames"))
            if let gap { outcome.record(gap: gap) }
        }
        try printer?.finish(whenEmpty: "there are no frames")
        try outcome.finish()
    }
}

struct SavedFrame: Sendable {
    var image: SavedImage
    var number: Int

    static let fields: [Field<SavedFrame>] =
        SavedImage.fields(id: "event_id", "the event's id").reading { $0.image } + [
            .column("number", "the frame's number, from 1") { $0.number }
        ]
}
