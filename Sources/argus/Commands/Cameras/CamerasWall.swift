import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusTransport
import CommandLineKit

enum CamerasWall: ArgusCommand {
    struct Options: VerbOptions {
        var columns: Int?
        var isShown = false
        var interval: Duration?
        var target = ImageTargetOptions()

        /// False if the wall is only shown.
        var isSaved: Bool { !isShown || target.path != nil }
    }

    private static let shortestInterval = Duration.seconds(1)

    static let about = CommandInfo(
        name: "wall", summary: "Take one picture of all cameras: a contact sheet",
        effect: .reads,
        description: """
            Saves a JPEG with the pictures of all cameras, and the name, the time and the state of
            each. A camera without a picture has a tile, too, that says why; argus then ends with
            status 11. The file is \(code: "wall-TIME.jpg") in the current folder, unless
            \(flag: "output") names another one. A name in a script that the built-in font does not
            have, which is that of Western Europe, is replaced by the camera's id.

            With \(flag: "show"), the terminal shows the wall, as large as fits, and
            \(flag: "output") saves it, too. With \(flag: "every"), argus takes new pictures until
            Ctrl-C, and replaces the file each time.
            """,
        examples: [
            "argus cameras wall -o wall.jpg": "All cameras on one sheet",
            "argus cameras wall --show --every 10s": "A wall of monitors, in one terminal",
            "argus cameras wall -o /srv/www/wall.jpg --force --every 1m":
                "A picture for a page or a picture frame",
        ],
        exitStatuses: .requests(3, 11, .malformedRow),
        prints: .lists(SavedWall.fields), guesses: ["wall", "mosaic", "grid", "sheet", "contact"])

    static let flags: [Flag<Options>] =
        [
            .option("columns", value: "N", sets: \.columns, "Show N pictures in a row")
                .within(1...32),
            .showInsteadOfSaving(\.isShown),
            .option("every", sets: \.interval, "Take new pictures every DURATION until Ctrl-C"),
        ] + ImageTargetOptions.flags(at: \Options.target)

    static func validate(_ options: Options) throws(UsageError) {
        guard let interval = options.interval else { return }
        guard interval >= shortestInterval else {
            throw UsageError("--every is at least 1s")
        }
        guard options.isShown || options.target.path != nil else {
            throw UsageError(
                "--every refreshes a terminal or a file",
                hint: "add --show, or name the file with --output")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let writer = options.isSaved ? try options.target.writer(imageCount: 1) : nil
        if options.interval != nil, let writer, !writer.isReplaceable {
            throw Failure(
                .usage, "--every replaces one file",
                hint: "name it with --output, such as -o wall.jpg")
        }
        let screen = try context.pictureScreen(options.isShown)
        let library = if let screen { screen.library } else { try context.jpegLibrary() }
        let printer: Printer<SavedWall>? =
            if let writer {
                try context.printer(of: SavedWall.fields, .rows(1), for: writer)
            } else { nil }
        let work = WallRun(
            options: options, server: try await context.server(), library: library, screen: screen,
            writer: writer, context: context)
        guard let interval = options.interval else { return try await work.once(printer) }
        try await work.repeated(every: interval)
    }
}

/// A wall that was saved.
struct SavedWall: Sendable {
    var image: SavedImage
    var cameraCount: Int
    var pictureCount: Int

    static let fields: [Field<SavedWall>] =
        SavedImage.fields(id: "server", "the server's name").reading { $0.image } + [
            .column("cameras", "how many cameras it shows") { $0.cameraCount },
            .column("pictures", "of how many there is a picture") { $0.pictureCount },
        ]
}

/// The work of `cameras wall`.
private struct WallRun {
    let options: CamerasWall.Options
    let server: SignedInServer
    let library: JPEGLibrary
    let screen: PictureScreen?
    let writer: ImageWriter?
    let context: Context

    /// Takes the pictures once, and shows or saves them.
    func once(_ printer: Printer<SavedWall>?) async throws(Failure) {
        var memory = self.memory
        let (cameras, unreadable) = try await list(server.cameras)
        let tiles = await tiles(of: cameras, server.cameras, &memory, showsProgress: true)
        if let screen, let view = try view(on: screen) {
            let size = Terminal.size(of: 1)
            let streams = context.system.streams
            // The next prompt appears below it.
            let height = min(size?.rows ?? streams.terminal.height, 500)
            let grid = view.grid(
                of: tiles.count, width: min(streams.statusLine.width, 500), height: height)
            try screen.write(view.drawing(of: tiles, grid))
        }
        if let writer {
            let saved = try save(tiles, with: writer)
            try printer?.write(saved)
            try printer?.finish()
        }
        memory?.keep()
        try outcome(of: tiles, unreadable).finish()
    }

    /// Takes pictures until a stop is requested.
    func repeated(every interval: Duration) async throws(Failure) {
        let run = ServiceRun(context.system.clock)
        let cameras = CameraService(
            session: server.session.over { CancellableTransport($0, run.cancellation) })
        try await run.perform(for: nil, signals: .stops, onSignal: {}, onStop: {}) {
            () async throws(Failure) in
            // Before the other screen, on which a failure of the first list would be lost.
            var known = try await list(cameras).cameras
            var memory = self.memory
            if screen != nil { TerminalState.beginScreen(on: 1) }
            defer { TerminalState.endScreen() }
            var trouble: String?
            while await !run.isStopped() {
                let start = await run.now()
                let tiles = await tiles(of: known, cameras, &memory, showsProgress: false)
                if await run.isStopped() { break }
                if let writer { _ = try save(tiles, with: writer, isReplacing: true) }
                if try await isStopped(run, until: start + interval, showing: tiles, trouble) {
                    break
                }
                do throws(Failure) {
                    known = try await list(cameras).cameras
                    trouble = nil
                } catch  where error.isRetryable {
                    // The tiles say it for each camera, and the next round asks again.
                    if trouble == nil, screen == nil { context.console.warn(error.message) }
                    trouble = error.message
                }
            }
            memory?.keep()
        }
    }

    /// Shows the tiles until the next round, also after a change of the terminal; true at a stop.
    private func isStopped(
        _ run: ServiceRun, until deadline: Duration, showing tiles: [PictureTile],
        _ trouble: String?
    ) async throws(Failure) -> Bool {
        guard let screen, let view = try view(on: screen) else {
            return await run.wait(until: deadline) == .stop
        }
        var shown: (columns: Int, rows: Int, continuations: Int)?
        while true {
            let size = Terminal.size(of: 1) ?? (80, 24)
            let now = (size.columns, size.rows, Signals.continuationCount)
            if shown.map({ $0 != now }) ?? true, TerminalState.isForeground(1) {
                shown = now
                let grid = view.grid(of: tiles.count, width: size.columns, height: size.rows)
                let drawing = view.drawing(of: tiles, grid)
                let line = DisplayWidth.truncate(
                    Sanitizer.visible(trouble ?? "Ctrl-C ends"), to: size.columns - 1)
                // Terminals that know synchronised output show all of it at once (mode 2026).
                let start = "\u{1B}[?2026h\u{1B}[H\u{1B}[J" + screen.terminal.erasure
                let end = context.terminal.style.dim(line) + "\u{1B}[?2026l"
                try screen.write(Array(start.utf8) + drawing + Array(end.utf8))
            }
            let time = await run.now()
            if time >= deadline { return await run.isStopped() }
            let pause = min(deadline, time + .milliseconds(500))
            if await run.wait(until: pause) == .stop { return true }
        }
    }

    private var memory: SnapshotMemory? {
        server.record.flatMap { SnapshotMemory(context.system.paths.cache, server: $0.id) }
    }

    private func view(on screen: PictureScreen) throws(Failure) -> WallView? {
        WallView(
            on: screen, columns: options.columns, context.terminal.style,
            in: try context.displayZone())
    }

    /// - Throws: `Failure` 3 if there is no camera.
    private func list(
        _ service: CameraService
    ) async throws(Failure) -> (cameras: [Camera], unreadable: Failure?) {
        let listed = try await server.attempt("list cameras", await service.plainList())
        context.remember(listed.values, of: server)
        guard !listed.values.isEmpty else {
            throw Failure(.notFound, "'\(server.name)' has no cameras")
        }
        return (
            listed.values,
            server.unreadableRows(listed.unreadableRows, of: ("camera", "cameras"))
        )
    }

    private func tiles(
        of cameras: [Camera], _ service: CameraService, _ memory: inout SnapshotMemory?,
        showsProgress: Bool
    ) async -> [PictureTile] {
        let progress = context.console.progress(
            "taking", unit: .items("snapshot", "snapshots"), total: cameras.count)
        let drawing = showsProgress ? progress.drawRegularly() : nil
        defer {
            drawing?.cancel()
            progress.finish()
        }
        let sheet = ContactSheet(of: cameras.count, columns: options.columns)
        let wall = CameraWall(of: service, library, now: context.now)
        return await wall.tiles(of: cameras, filling: sheet.tileWidth, sheet.tileHeight, &memory) {
            if showsProgress { progress.advance(by: 1) }
        }
    }

    private func save(
        _ tiles: [PictureTile], with writer: ImageWriter, isReplacing: Bool = false
    ) throws(Failure) -> SavedWall {
        let now = context.now()
        let sheet = ContactSheet(of: tiles.count, columns: options.columns)
        let picture = sheet.drawn(tiles, in: try context.displayZone())
        let bytes = try attempt(library.jpeg(of: picture)) {
            Failure(.failed, "cannot make the wall: it \($0)")
        }
        let image = try writer.replacing(isReplacing).save(
            bytes, of: server.name, named: "wall-\(now.fileNameText(in: context.timeZone))",
            takenAt: now)
        return SavedWall(
            image: image, cameraCount: tiles.count,
            pictureCount: tiles.count { $0.picture != nil })
    }

    private func outcome(of tiles: [PictureTile], _ unreadable: Failure?) -> BatchResult {
        var outcome = BatchResult()
        outcome.record(gap: unreadable)
        for tile in tiles where tile.state != .disabled {
            let words = [tile.state.word, tile.reason].compactMap(\.self)
                .filter { !$0.isEmpty }.joined(separator: ": ")
            outcome.record(
                tile.picture == nil ? Failure(.serverError, words) : nil, of: tile.name)
        }
        return outcome
    }
}
