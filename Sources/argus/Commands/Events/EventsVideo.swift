import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

enum EventsVideo: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
        var filter = EventFilterOptions()
        var target = ImageTargetOptions()
    }

    static let about = CommandInfo(
        name: "video", summary: "Save the videos of events", effect: .reads,
        description: """
            Names each file after the camera and the time of its event, and saves it in the current
            folder, unless \(flag: "output") names another place. While it arrives it is called
            \(code: "FILE.part"). If the connection breaks, repeat the command: it continues where
            it stopped, as long as the server has the same video.

            With \(code: "-o -"), a pipe gets the video once all of it has arrived.
            """,
        examples: [
            "argus events video latest -o latest.mp4": "The last event's video",
            "argus events video latest --camera 'Front Door' -o videos/":
                "The same of one camera, into a folder",
        ],
        exitStatuses: .requests(3, 11),
        prints: .lists(SavedImage.fields(id: "event_id", "the event's id")))

    static let flags: [Flag<Options>] =
        ImageTargetOptions.flags(at: \Options.target)
        + EventFilterOptions.flags(at: \Options.filter)

    static let arguments: [Argument<Options>] = [.events(\.events)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let target = try options.target.target(count: options.events.count)
        let fields = SavedImage.fields(id: "event_id", "the event's id")
        let printer = try context.printer(of: fields, .rows(options.events.count), for: target)
        try options.filter.expectLatest(options.events)
        let server = try await context.server()
        let filter = try await options.filter.resolve(with: server, in: context)
        var outcome = BatchResult()
        let found = try await outcome.resolve(options.events, id: \.id) {
            word async throws(Failure) in
            try await server.event(
                named: word, to: "fetch the video of", latestOf: filter, in: context
            ).detail.event
        }.map(\.thing)
        for (event, name) in zip(found, found.fileNames(in: context.timeZone)) {
            try await outcome.collect(event.id) { () async throws(Failure) in
                let file = try open(target, name + ".mp4", options, in: context)
                try await download(event, into: file, from: server, in: context)
                if target.isStream { return try write(file, to: target) }
                try attempt(file.commit(replacing: options.target.mayOverwrite))
                let saved = SavedImage(
                    id: event.id, path: file.path, byteCount: try attempt(file.size),
                    sha256: try attempt(Checksum.sha256(of: file)), capturedAt: event.timestamp)
                try printer?.write(saved)
            }
        }
        // A device or pipe has no path to print.
        if !target.isStream { try printer?.finish() }
        try outcome.finish()
    }

    private static func download(
        _ event: Event, into file: PartialFile, from server: SignedInServer, in context: Context
    ) async throws(Failure) {
        let retries = try context.settings.retries()
        let progress = context.console.progress("fetching", unit: .bytes, total: nil)
        defer { progress.finish() }
        do {
            let download = VideoDownload(session: server.session, eventID: event.id, into: file)
            let result = try await download.run(retries: retries) { progress.advance(by: $0) }
            if result.kept > 0 {
                context.console.debug("continued after \(result.kept) bytes in '\(file.partPath)'")
            }
            if !result.isSound {
                context.console.warn(
                    "'\(file.path)' has the announced length but is not an intact MP4: its "
                        + "boxes do not end at its end")
            }
        } catch {
            let doing = "fetch the video of event '\(event.id)'"
            var failure =
                switch error {
                case .file(let cause): Failure(cause)
                case .api(let cause): await server.failure(cause, doing: doing)
                }
            if (try? file.size) ?? 0 > 0, FileContents.exists(file.partPath) {
                failure.hint = "the data so far is in '\(file.partPath)'; \(advice)"
            } else {
                file.discard()
            }
            throw failure
        }
    }

    private static let advice = "the same command continues"

    private static func write(_ file: PartialFile, to target: OutputTarget) throws(Failure) {
        do throws(FileSystemError) {
            let out = try target.open(named: "", force: true)
            var offset = 0
            while true {
                let block = try file.read(from: offset, count: 1 << 18)
                if block.isEmpty { return try out.commit() }
                try out.write(block)
                offset += block.count
            }
        } catch {
            throw error.isClosedPipe ? .closedPipe : Failure(error)
        }
    }

    private static func open(
        _ target: OutputTarget, _ name: String, _ options: Options, in context: Context
    ) throws(Failure) -> PartialFile {
        guard let path = try attempt(target.path(named: name)) else {
            // A pipe gets a complete video or nothing, so it is first stored in a nameless file.
            let folder = context.system.environment["TMPDIR"] ?? "/tmp"
            let number = String(UInt64.random(in: .min ... .max), radix: 36)
            let file = try attempt(
                PartialFile("\(folder)/.argus-\(number)", remains: .replaced, advice: advice))
            file.discard()
            return file
        }
        guard options.target.mayOverwrite || !FileContents.exists(path) else {
            throw Failure(FileSystemError(.create, path, .exists))
        }
        let remains: PartialFile.Remains = options.target.mayOverwrite ? .replaced : .continued
        return try attempt(PartialFile(path, remains: remains, advice: advice))
    }
}
