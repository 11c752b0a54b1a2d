import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusTransport
import CommandLineKit

extension SnapshotQuality: Choice {}

enum CamerasSnapshot: ArgusCommand {
    struct Options: VerbOptions {
        var names: [String] = []
        var includesAll = false
        var quality = SnapshotQuality.medium
        var template: NameTemplate?
        var parallel = 6
        var reportsChanges = false
        var isShown = false
        var target = ImageTargetOptions()
        var retention = RetentionOptions()

        /// False if pictures are only shown.
        var isSaved: Bool { !isShown || target.path != nil }
    }

    /// A picture with its bytes, if they are to be shown.
    private struct Taken: Sendable {
        var snapshot: SavedSnapshot
        var bytes: [UInt8]?
    }

    static let about = CommandInfo(
        name: "snapshot", summary: "Take pictures with cameras now, and save them", effect: .reads,
        description: """
            Saves in the current folder, unless \(flag: "output") names a file (for one picture)
            or a folder; each of several servers gets a folder of its own there. A file gets its
            name once its picture is a complete JPEG or PNG. argus warns if a camera sends exactly
            the same picture as last time: it may be stuck. If some cameras fail, argus saves the
            pictures of the others and ends with status 11.

            \(flag: "changes") is for cron. argus reports a camera that fails, or sends the same
            picture, once; while that lasts, the camera does not count for the status either. The
            state folder remembers such cameras for each server.

            On a timer, \(flag: "keep-last") and \(flag: "keep") delete old pictures after new
            ones are saved; with both, a picture stays if either keeps it. Only pictures that
            an earlier run saved in this folder with the same options are deleted, and none that
            was changed since. The file \(code: ".argus-snapshots") there lists them. If this
            machine's clock differs from the server's by more than an hour, argus takes and
            deletes nothing and ends with status 1; \(flag: "trust-clock") overrides that.
            \(flag: "dry-run") takes no picture and prints those that would be deleted.
            """,
        examples: [
            "argus cameras snapshot 'Front Door' -o door.jpg": "One picture",
            "argus cameras snapshot Garage --show": "A look into the garage, in the terminal",
            "argus cameras snapshot --all -o pictures/": "One picture of every camera",
            "argus cameras snapshot --all --changes -q -o pictures/ "
                + "--name-template '{date}/{camera}-{time}' --keep 30d":
                "On a timer: a folder for each day, of the last 30 days",
            "argus cameras snapshot Garage -o - | wc -c": "The picture itself, for a pipe",
        ],
        exitStatuses: .requests(
            3, 11, ExitStatus(12, "With --all, a row of the list was malformed")),
        prints: .lists(SavedSnapshot.fields), guesses: ["snapshot", "picture", "capture"])

    static let flags: [Flag<Options>] =
        [
            .toggle("all", sets: \.includesAll, "Take a picture of every enabled camera"),
            .option(
                "quality", value: "LEVEL", sets: \.quality, "Request low, medium or high quality"
            ).byDefault(Options().quality.rawValue),
            .option(
                "name-template", value: "TEMPLATE", sets: \.template,
                "Name files by TEMPLATE",
                details: [
                    """
                    \(code: "{camera}"), \(code: "{time}") and \(code: "{date}") are replaced. The \
                    time is that of the capture, local, as in \(code: "20261120T220005"), and the \
                    date as in \(code: "2026-11-20"). A \(code: "/") makes folders. argus adds the \
                    extension.
                    """
                ]
            ).byDefault("{camera}-{time}"),
            .option(
                "parallel", value: "N", sets: \.parallel,
                "Ask N cameras at a time"
            ).within(1...64).byDefault("\(Options().parallel)"),
            .toggle(
                "changes", sets: \.reportsChanges,
                "Report a camera that fails only when that begins"),
            .showInsteadOfSaving(\.isShown),
        ] + ImageTargetOptions.flags(at: \Options.target)
        + RetentionOptions.flags(at: \Options.retention)

    static let arguments: [Argument<Options>] = [.cameras(\.names, atLeast: 0)]

    static let tool = VerbTool(
        name: "snapshot", summary: "Takes a picture with a camera now.", server: "cameras show",
        results: .object("camera"), operand: "camera",
        picture: (
            "cameras snapshot",
            { row, _, context async throws(Failure) in
                try await picture(of: row, in: context)
            }
        ), isPicture: true)

    /// A picture of a camera that 'cameras show' has printed.
    private static func picture(
        of row: JSONView, in context: Context
    ) async throws(Failure) -> [UInt8] {
        let name = row["name"]?.string ?? row["id"]?.string ?? ""
        let server = try await context.server()
        return try await server.attempt(
            "take a snapshot of \(name.inQuotes)",
            await server.cameras.snapshot(
                of: row["id"]?.string ?? "", quality: Options().quality)
        ).bytes
    }

    static let takesSeveralServers = true

    static func validate(_ options: Options) throws(UsageError) {
        try options.retention.validate()
        try UsageError.rejectBoth("cameras", !options.names.isEmpty, "--all", options.includesAll)
        if !options.includesAll, options.names.isEmpty {
            throw UsageError("no camera given", hint: "name cameras, or use --all")
        }
        if !options.isSaved, options.template != nil || options.retention != RetentionOptions() {
            throw UsageError(
                "--name-template and --keep are for pictures that are saved",
                hint: "with --show, name their folder with --output")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let writer = try writer(options, in: context)
        let retention = try options.retention.retention(in: writer)
        if options.retention.isDryRun {
            return try await retention?.preview(in: context) ?? ()
        }
        let screen = try context.pictureScreen(options.isShown)
        let printer =
            options.isSaved
            ? try context.printer(
                of: SavedSnapshot.fields,
                options.includesAll ? .list : .rows(options.names.count), for: writer) : nil
        let server = try await context.server()
        let known = try await context.cameras(of: server)
        // Before pictures get a wrong time, by which later runs would choose.
        if options.retention.age != nil {
            try options.retention.clock.compare(with: server, in: context)
        }
        var outcome = BatchResult()
        let cameras = try chosen(options, among: known, of: server, &outcome)
        let saved = await take(
            of: cameras, among: known.values, options, with: writer, keeping: retention,
            on: server, in: context)
        try await report(
            Array(zip(cameras, saved)), options, with: printer, on: screen, of: server, &outcome,
            in: context)
        if saved.contains(where: { (try? $0.get()) != nil }) {
            try await retention?.prune(&outcome, in: context)
        }
        try outcome.finish()
        if options.includesAll, cameras.isEmpty {
            throw Failure(
                .notFound, "'\(server.name)' has no enabled camera; no picture was taken",
                hint: "'argus cameras list' shows all cameras")
        }
    }

    /// Prints the pictures, and warns of each that is the same as the last one of its camera.
    ///
    /// With `--changes`, a problem that lasts is neither reported again nor counted.
    private static func report(
        _ results: [(Camera, Result<Taken, Failure>)], _ options: Options,
        with printer: Printer<SavedSnapshot>?, on screen: PictureScreen?,
        of server: SignedInServer, _ outcome: inout BatchResult, in context: Context
    ) async throws(Failure) {
        var memory = server.record.flatMap {
            SnapshotMemory(context.system.paths.cache, server: $0.id)
        }
        let file =
            options.reportsChanges
            ? CameraProblems.file(of: server.stateName, in: context.system.paths.state) : nil
        var problems = file?.value ?? CameraProblems()
        for (camera, result) in results {
            var (snapshot, problem): (SavedSnapshot?, String?)
            switch result {
            case .success(let taken):
                snapshot = taken.snapshot
                snapshot?.isFrozen = memory?.isRepeated(
                    camera.id, taken.snapshot.image.sha256, at: context.now())
                if snapshot?.isFrozen == true { problem = "frozen" }
            case .failure(let failure) where failure.kind == .failed:
                // The picture came, and this machine could not save it.
                outcome.record(failure, of: camera.displayName)
                continue
            case .failure(let failure): problem = failure.kind.name
            }
            let change = problems.record(problem, of: camera.id)
            let isReported = !options.reportsChanges || change != .same
            if options.reportsChanges, change == .ended {
                context.console.notice("'\(camera.displayName)' sends new pictures again")
            }
            guard let snapshot else {
                if isReported { outcome.record(result.failure, of: camera.displayName) }
                continue
            }
            try await outcome.collect(camera.displayName) { () async throws(Failure) in
                if snapshot.isFrozen == true, isReported {
                    context.console.warn(
                        "'\(camera.displayName)' sent exactly the same picture as last time")
                }
                try printer?.write(snapshot)
                if let screen, let bytes = try? result.get().bytes {
                    let heading = try context.pictureHeading(
                        camera.displayName, at: snapshot.image.capturedAt)
                    try screen.show(bytes, headed: heading)
                }
            }
        }
        try printer?.finish()
        memory?.keep()
        guard let file else { return }
        if options.includesAll { problems.keep(Set(results.map(\.0.id))) }
        do throws(FileSystemError) {
            try file.write(problems)
        } catch {
            context.console.warn("\(error); the next run reports the same cameras again")
        }
    }

    private static func writer(
        _ options: Options, in context: Context
    ) throws(Failure) -> ImageWriter {
        let server = context.collected?.server
        // The count of --all is not known yet, but any count above one selects the same target.
        let isOne = !options.includesAll && options.names.count == 1 && server == nil
        let writer = try options.target.writer(imageCount: isOne ? 1 : 2)
        guard options.template == nil || writer.folder != nil else {
            throw Failure(
                .usage,
                "--name-template is for a folder, and '\(options.target.path ?? "")' is none",
                hint: "end the folder's name with '/', or leave out --name-template")
        }
        return server.map(writer.inFolder) ?? writer
    }

    /// Takes and saves the pictures; a slow or failing camera does not delay the others.
    private static func take(
        of cameras: [Camera], among known: [Camera], _ options: Options,
        with writer: ImageWriter, keeping retention: SnapshotRetention?,
        on server: SignedInServer, in context: Context
    ) async -> [Result<Taken, Failure>] {
        let progress = context.console.progress(
            "taking", unit: .items("snapshot", "snapshots"), total: cameras.count)
        // Cameras may take seconds, so progress counts pictures.
        let drawing = progress.drawRegularly()
        defer {
            drawing?.cancel()
            progress.finish()
        }
        return await Array(cameras.enumerated()).mapInParallel(options.parallel) { index, camera in
            defer { progress.advance(by: 1) }
            return await result { () async throws(Failure) in
                let snapshot = try await server.attempt(
                    "take a snapshot of '\(camera.displayName)'",
                    await server.cameras.snapshot(of: camera.id, quality: options.quality))
                let takenAt = snapshot.takenAt ?? context.now()
                let name = (options.template ?? .cameraAndTime).paths(
                    of: cameras, among: known, at: takenAt, zone: context.timeZone)[index]
                let image =
                    if !options.isSaved {
                        try SavedImage(unsaved: snapshot.bytes, of: camera.id, takenAt: takenAt)
                    } else if let retention {
                        try await retention.save(
                            snapshot.bytes, of: camera, named: name, takenAt: takenAt,
                            with: writer, in: context)
                    } else {
                        try writer.save(
                            snapshot.bytes, of: camera.id, named: name, takenAt: takenAt)
                    }
                return Taken(
                    snapshot: SavedSnapshot(image: image, age: snapshot.age),
                    bytes: options.isShown ? snapshot.bytes : nil)
            }
        }
    }

    private static func chosen(
        _ options: Options, among known: ListedRows<Camera>, of server: SignedInServer,
        _ outcome: inout BatchResult
    ) throws(Failure) -> [Camera] {
        guard !options.includesAll else {
            outcome.record(
                gap: server.unreadableRows(known.unreadableRows, of: ("camera", "cameras")))
            return known.values.filter { $0.isEnabled != false }
        }
        var cameras: [Camera] = []
        for name in options.names {
            do throws(Failure) {
                let camera = try known.values.named(name)
                guard camera.isEnabled != false else {
                    throw Failure(
                        .rejected, "the camera '\(camera.displayName)' is disabled",
                        hint: "to enable it: argus cameras enable \(name.inQuotes)",
                        reason: "camera_disabled")
                }
                // Two names may mean one camera, which takes one picture.
                if !cameras.contains(where: { $0.id == camera.id }) { cameras.append(camera) }
            } catch  where error.kind == .notFound || error.kind == .rejected {
                outcome.record(error, of: name)
            }
        }
        return cameras
    }
}

extension SignedInServer {
    /// The name of files in the state folder: the record's id, else a checksum of the address.
    fileprivate var stateName: String {
        record?.id.text ?? String(Checksum.sha256(Array(name.utf8)).prefix(16))
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

extension Camera {
    fileprivate var displayName: String { name ?? id }
}
