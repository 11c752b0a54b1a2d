import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusTransport
import CommandLineKit
import Glibc

enum EventsTimelapse: ArgusCommand {
    struct Options: VerbOptions {
        var filter = EventFilterOptions()
        var folder: String?
        var rate = 12
        var target = ImageTargetOptions()
    }

    static let about = CommandInfo(
        name: "timelapse", summary: "Make a film of the pictures of events",
        effect: .reads,
        description: """
            Makes an MP4 of the pictures of all events that match, oldest first, with the name of the
            camera and the time below each. ffmpeg makes it, from the package \(code: "ffmpeg").
            Events without a picture are left out.

            With \(flag: "from"), the film is of the pictures in a folder: of those that
            \(command: "cameras snapshot") saved there with \(code: "--keep") or
            \(code: "--keep-last"), in the order of their times, else of all files
            \(code: "*.jpg"), in the order of their names. \(flag: "camera") and times choose among
            them; a camera is known by its id or by the beginning of the file's name.
            """,
        examples: [
            "argus events timelapse --camera Driveway --during yesterday -o film.mp4":
                "Yesterday in the driveway",
            "argus events timelapse --from pictures/ --camera Garden --fps 24 -o garden.mp4":
                "What a timer has saved",
        ],
        exitStatuses: .requests(3, 11, .lostEvents), prints: .lists(SavedFilm.fields),
        guesses: ["timelapse", "film", "movie"])

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + [
            .option(
                "from", value: "DIR", sets: \.folder, "Take the pictures in DIR instead of events"
            )
            .completing(.directory),
            .option("fps", value: "N", sets: \.rate, "Show N pictures a second").within(1...60)
                .byDefault("\(Options().rate)"),
        ] + ImageTargetOptions.flags(at: \Options.target)

    static func validate(_ options: Options) throws(UsageError) {
        guard options.folder != nil else { return }
        var rest = options.filter
        (rest.cameras, rest.time) = ([], EventTimeOptions())
        guard rest == EventFilterOptions() else {
            throw UsageError(
                "--from takes pictures of cameras, not of events",
                hint: "--camera, --since, --until and --during choose among them")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let target = try options.target.target(count: 1)
        let printer = try context.printer(of: SavedFilm.fields, .rows(1), for: target)
        let library = try context.jpegLibrary()
        let program = try attempt(Film.program(in: context.system.environment)) {
            Failure(.failed, "cannot make a film: \($0)", reason: "program_missing")
        }
        let source: FilmSource =
            if let folder = options.folder {
                try .folder(folder, options.filter, in: context)
            } else {
                try await .events(options.filter, in: context)
            }
        var work = FilmRun(
            source: source, library: library, program: program, rate: options.rate, target: target,
            mayOverwrite: options.target.mayOverwrite, context: context)
        let film = try await work.run()
        if !target.isStream {
            try printer?.write(film)
            try printer?.finish()
        }
        if film.skipped > 0 {
            let pictures = film.skipped == 1 ? "1 picture is" : "\(film.skipped) pictures are"
            context.console.notice("\(pictures) missing in the film: there was none, or no JPEG")
        }
        try work.outcome.finish()
        try source.expectComplete()
    }
}

/// A film that was written to its target.
struct SavedFilm: Sendable {
    /// The file's path; nil for stdout.
    var path: String?
    var byteCount: Int?
    var frames: Int
    var skipped: Int
    var start: Timestamp?
    var end: Timestamp?

    static let fields: [Field<SavedFilm>] = [
        .column("path", "the file that was written; null for stdout") { $0.path },
        .column("bytes", "its size; null for stdout") { $0.byteCount },
        .column("frames", "how many pictures it has") { $0.frames },
        .column("skipped", "how many had no picture, or one that cannot be read") { $0.skipped },
        .column("since", "when its first picture was taken") { $0.start },
        .column("until", "when its last picture was taken") { $0.end },
    ]
}

/// The pictures of a film, oldest first.
private struct FilmSource: Sendable {
    /// A picture to fetch.
    struct Item: Sendable {
        var name: String
        var id: String
        var time: Timestamp?
        /// The bytes; nil if there are none.
        var fetch: @Sendable () async throws(Failure) -> [UInt8]?
    }

    var items: [Item]
    /// Checks, at the end, that nothing was left out.
    var expectComplete: @Sendable () throws(Failure) -> Void = {}

    /// The pictures of events.
    static func events(
        _ options: EventFilterOptions, in context: Context
    ) async throws(Failure) -> FilmSource {
        let server = try await context.server()
        let filter = try await options.resolve(with: server, in: context)
        let cursor = server.events.list(filter, wanted: nil, notify: context.console.eventNotice)
        var rows: [EventRow] = []
        while let page = try await server.attempt("list events", await cursor.next()) {
            rows += page
        }
        let items = rows.reversed().compactMap { row -> Item? in
            guard let detail = EventDetail(row.view) else { return nil }
            let event = detail.event
            return Item(
                name: event.cameraName ?? event.cameraID ?? event.id, id: event.id,
                time: event.timestamp
            ) { () async throws(Failure) in
                do throws(APIError) {
                    return try await server.events.thumbnail(detail)
                } catch  where error.kind == .notFound {
                    return nil
                } catch {
                    throw await server.failure(
                        error, doing: "fetch the picture of event '\(event.id)'")
                }
            }
        }
        let (unreadable, gaps) = (cursor.unreadableRows, cursor.gaps)
        return FilmSource(items: items) { () throws(Failure) in
            try server.expectComplete(unreadable, gaps)
        }
    }

    /// The pictures in a folder.
    static func folder(
        _ folder: String, _ options: EventFilterOptions, in context: Context
    ) throws(Failure) -> FilmSource {
        let manifest = PictureManifest(folder: folder)
        let entries = try attempt(manifest.entries())
        var pictures = entries.map { entry in
            (path: manifest.path(of: entry), camera: entry.camera, time: Optional(entry.takenAt))
        }
        if pictures.isEmpty {
            guard FileContents.exists(folder) else {
                throw Failure(
                    cause: FileSystemError(.read, folder, .errno(Errno(rawValue: ENOENT))))
            }
            let names = try attempt(FolderNames.ifAny(in: folder)).filter {
                let name = $0.lowercased()
                return name.hasSuffix(".jpg") || name.hasSuffix(".jpeg")
            }
            pictures = names.sorted().map { ("\(folder)/\($0)", "", nil) }
        }
        let cameras = options.cameras.flatMap { $0.text.split(separator: ",").map(String.init) }
        let (since, until) = try options.time.resolve(in: context)
        if since != nil || until != nil, pictures.allSatisfy({ $0.time == nil }) {
            throw Failure(
                .usage, "the times of the pictures in \(folder.inQuotes) are not known",
                hint: "'argus cameras snapshot --keep' notes them; leave --since and --until out")
        }
        let items = pictures.compactMap { path, camera, time -> Item? in
            let file = path.split(separator: "/").last.map(String.init) ?? path
            let isChosen =
                cameras.isEmpty
                || cameras.contains {
                    $0 == camera
                        || file.lowercased().hasPrefix(SafeFileName.reduce($0).lowercased())
                }
            let isInTime =
                (since == nil || time.map { $0 >= since ?? $0 } ?? false)
                && (until == nil || time.map { $0 <= until ?? $0 } ?? false)
            guard isChosen, isInTime else { return nil }
            // The time stands beside the name.
            let name = file.replacing(/(-[0-9]{8}T[0-9]{6})?\.[a-z]+$/, with: "")
            return Item(name: name, id: camera.isEmpty ? file : camera, time: time) {
                () throws(Failure) in
                try attempt(FileContents(path, trust: .settings, limit: 64 << 20)).bytes
            }
        }
        return FilmSource(items: items)
    }
}

/// The work of `events timelapse`.
private struct FilmRun {
    private static let parallelPictures = 8

    let source: FilmSource
    let library: JPEGLibrary
    let program: String
    let rate: Int
    let target: OutputTarget
    let mayOverwrite: Bool
    let context: Context
    /// The pictures that could not be fetched.
    private(set) var outcome = BatchResult()

    init(
        source: FilmSource, library: JPEGLibrary, program: String, rate: Int, target: OutputTarget,
        mayOverwrite: Bool, context: Context
    ) {
        (self.source, self.library, self.program, self.rate) = (source, library, program, rate)
        (self.target, self.mayOverwrite, self.context) = (target, mayOverwrite, context)
    }

    /// Fetches the pictures, eight at a time, and hands them to ffmpeg in their order.
    ///
    /// - Throws: `Failure` 3 if there is no picture.
    mutating func run() async throws(Failure) -> SavedFilm {
        let progress = context.console.progress(
            "fetching", unit: .items("picture", "pictures"), total: source.items.count)
        defer { progress.finish() }
        let zone = try context.displayZone()
        var saved = SavedFilm(frames: 0, skipped: 0)
        var film: Film?
        var file: OutputFile?
        for start in stride(from: 0, to: source.items.count, by: Self.parallelPictures) {
            let items = Array(source.items[start...].prefix(Self.parallelPictures))
            let fetched = await items.mapInParallel(items.count) { item in
                await result { () async throws(Failure) in try await item.fetch() }
            }
            for (item, result) in zip(items, fetched) {
                progress.advance(by: 1)
                guard let picture = picture(of: item, result) else {
                    saved.skipped += 1
                    continue
                }
                if film == nil {
                    let name = "timelapse-" + (item.time?.fileNameText(in: zone) ?? "0") + ".mp4"
                    let opened = try attempt(target.open(named: name, force: mayOverwrite))
                    film = try attempt(
                        Film(
                            like: picture, rate: rate, to: opened.descriptor,
                            isFile: !target.isStream, by: program, context.system.environment,
                            in: zone)
                    ) { Failure(.failed, "cannot make a film: \($0)") }
                    file = opened
                    saved.start = item.time
                }
                do throws(FilmError) {
                    try await film?.add(
                        PictureTile(
                            id: item.id, name: item.name, time: item.time, state: .online,
                            picture: picture))
                } catch {
                    throw Failure(.failed, "cannot make a film: \(error)")
                }
                saved.frames += 1
                saved.end = item.time
            }
        }
        guard let film, let file else {
            try outcome.finish()
            guard saved.skipped == 0 else {
                throw Failure(
                    .failed,
                    "none of \(saved.skipped) pictures is there and a JPEG, so there is no film")
            }
            throw Failure(.notFound, "no picture matches, so there is no film")
        }
        do throws(FilmError) {
            try await film.finish()
        } catch {
            throw Failure(.failed, "cannot make a film: \(error)")
        }
        if !target.isStream {
            saved.path = file.path
            saved.byteCount = Int(lseek(file.descriptor, 0, SEEK_END))
            guard saved.byteCount != 0 else {
                throw Failure(.failed, "cannot make a film: ffmpeg wrote nothing")
            }
        }
        try attempt(file.commit())
        return saved
    }

    /// The decoded picture; nil, with its failure noted, if there is none.
    private mutating func picture(
        of item: FilmSource.Item, _ result: Result<[UInt8]?, Failure>
    ) -> Picture? {
        do throws(Failure) {
            guard let bytes = try result.get() else { return nil }
            outcome.record(nil, of: item.id)
            return try? library.picture(bytes, filling: Film.box.width, Film.box.height)
        } catch {
            outcome.record(error, of: item.id)
            return nil
        }
    }
}
