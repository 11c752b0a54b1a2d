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
        var target = ImageTargetOptions()
        var retention = RetentionOptions()
    }

    static let about = CommandInfo(
        name: "snapshot", summary: "Take pictures with cameras now, and save them",
        description: """
            Saves in the current folder, unless \(flag: "output") names a file (for one picture)
            or a folder. A file gets its name once its picture is a complete JPEG or PNG. argus
            warns if a camera sends exactly the same picture as last time: it may be stuck. If
            some cameras fail, argus saves the pictures of the others and ends with status 11.

            On a timer, \(flag: "keep-last") and \(flag: "keep") delete old pictures after new
            ones are saved; with both, a picture stays if either keeps it. argus deletes only
            pictures that it saved in this folder with these options and that nobody changed;
            their list is \(code: ".argus-snapshots") there. If this machine's clock differs from
            the server's by more than an hour, argus takes and deletes nothing and ends with
            status 1; \(flag: "trust-clock") overrides that. \(flag: "dry-run") takes no picture
            and prints those that would be deleted.
            """,
        examples: [
            "argus cameras snapshot 'Front Door' -o door.jpg": "One picture",
            "argus cameras snapshot --all -o pictures/": "One picture of every camera",
            "argus cameras snapshot --all -q -o pictures/ --name-template '{date}/{camera}-{time}' "
                + "--keep 30d": "On a timer: a folder for each day, of the last 30 days",
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
                "Name files after {camera}, {time}, {date}",
                details: [
                    """
                    The time is local, as in \(code: "20261120T220005"), and the date as in \
                    \(code: "2026-11-20"). A \(code: "/") makes folders. argus adds the extension.
                    """
                ]
            ).byDefault("{camera}-{time}"),
            .option(
                "parallel", value: "N", sets: \.parallel,
                "Ask N cameras at a time"
            ).within(1...64).byDefault("\(Options().parallel)"),
        ] + ImageTargetOptions.flags(at: \Options.target)
        + RetentionOptions.flags(at: \Options.retention)

    static let arguments: [Argument<Options>] = [.cameras(\.names, atLeast: 0)]

    static func validate(_ options: Options) throws(UsageError) {
        try options.retention.validate()
        try UsageError.rejectBoth("cameras", !options.names.isEmpty, "--all", options.includesAll)
        if !options.includesAll, options.names.isEmpty {
            throw UsageError("no camera given", hint: "name cameras, or use --all")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let writer = try writer(options)
        let retention = try options.retention.retention(in: writer)
        if options.retention.isDryRun {
            return try await retention?.preview(in: context) ?? ()
        }
        let printer = try context.printer(
            of: SavedSnapshot.fields,
            options.includesAll ? .list : .rows(options.names.count), for: writer)
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
            Array(zip(cameras, saved)), with: printer, of: server, &outcome, in: context)
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
    private static func report(
        _ results: [(Camera, Result<SavedSnapshot, Failure>)],
        with printer: Printer<SavedSnapshot>?, of server: SignedInServer,
        _ outcome: inout BatchResult, in context: Context
    ) async throws(Failure) {
        var memory = server.record.flatMap {
            SnapshotMemory(context.system.paths.cache, server: $0.id)
        }
        for (camera, result) in results {
            try await outcome.collect(camera.displayName) { () async throws(Failure) in
                var snapshot = try result.get()
                snapshot.isFrozen = memory?.isRepeated(
                    camera.id, snapshot.image.sha256, at: context.now())
                if snapshot.isFrozen == true {
                    context.console.warn(
                        "'\(camera.displayName)' sent exactly the same picture as last time")
                }
                try printer?.write(snapshot)
            }
        }
        try printer?.finish()
        memory?.keep()
    }

    private static func writer(_ options: Options) throws(Failure) -> ImageWriter {
        // The count of --all is not known yet, but any count above one selects the same target.
        let writer = try options.target.writer(
            imageCount: options.includesAll ? 2 : options.names.count)
        guard options.template == nil || writer.folder != nil else {
            throw Failure(
                .usage,
                "--name-template is for a folder, and '\(options.target.path ?? "")' is none",
                hint: "end the folder's name with '/', or leave out --name-template")
        }
        return writer
    }

    /// Takes and saves the pictures; a slow or failing camera does not delay the others.
    private static func take(
        of cameras: [Camera], among known: [Camera], _ options: Options,
        with writer: ImageWriter, keeping retention: SnapshotRetention?,
        on server: SignedInServer, in context: Context
    ) async -> [Result<SavedSnapshot, Failure>] {
        // One time names all files, so that names are settled before the first picture arrives.
        let names = (options.template ?? .cameraAndTime).paths(
            of: cameras, among: known, at: context.now(), zone: context.timeZone)
        let progress = context.console.progress(
            "taking", unit: .items("snapshot", "snapshots"), total: cameras.count)
        // Cameras may take seconds, so progress counts pictures.
        let drawing = progress.drawRegularly()
        defer {
            drawing?.cancel()
            progress.finish()
        }
        return await Array(zip(cameras, names)).mapInParallel(options.parallel) { camera, name in
            defer { progress.advance(by: 1) }
            return await result { () async throws(Failure) in
                let snapshot = try await server.attempt(
                    "take a snapshot of '\(camera.displayName)'",
                    await server.cameras.snapshot(of: camera.id, quality: options.quality))
                let takenAt = snapshot.takenAt ?? context.now()
                let image =
                    if let retention {
                        try await retention.save(
                            snapshot.bytes, of: camera, named: name, takenAt: takenAt,
                            with: writer, in: context)
                    } else {
                        try writer.save(
                            snapshot.bytes, of: camera.id, named: name, takenAt: takenAt)
                    }
                return SavedSnapshot(image: image, age: snapshot.age)
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

extension Camera {
    fileprivate var displayName: String { name ?? id }
}
