import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

/// An age with a unit, such as `30d`: a bare number would mean seconds and delete every picture.
struct AgeArgument: ArgumentValue, Equatable {
    var duration: Duration

    init(argument: String) throws(ValueError) {
        guard argument.last?.isNumber != true else {
            throw ValueError("has no unit, such as 30d for 30 days")
        }
        duration = try Duration(argument: argument)
    }
}

/// The options that delete old pictures of timed runs.
struct RetentionOptions: OptionGroup, Equatable {
    var last: Int?
    var age: AgeArgument?
    var clock = ClockOptions()
    var isDryRun = false

    static let own: [Flag<RetentionOptions>] =
        [
            .count("keep-last", sets: \.last, "Keep the newest N pictures of each camera"),
            .option("keep", value: "AGE", sets: \.age, "Keep pictures up to this age, such as 30d"),
        ] + ClockOptions.flags(at: \RetentionOptions.clock) + [.dryRun(\.isDryRun)]

    private var rule: PictureRetention? {
        let rule = PictureRetention(last: last, age: age?.duration)
        return rule.keepsAll ? nil : rule
    }

    func validate() throws(UsageError) {
        guard isDryRun, rule == nil else { return }
        throw UsageError(
            "--dry-run prints the pictures that --keep or --keep-last would delete",
            hint: "give one of them")
    }

    /// The retention in the folder of the pictures; nil without a rule.
    func retention(in writer: ImageWriter) throws(Failure) -> SnapshotRetention? {
        guard let rule else { return nil }
        guard let folder = writer.folder else {
            throw Failure(
                .usage, "--keep and --keep-last are for a folder of pictures",
                hint: "name the folder with --output, with a '/' at the end")
        }
        return SnapshotRetention(rule: rule, manifest: PictureManifest(folder: folder))
    }
}

struct SnapshotRetention: Sendable {
    let rule: PictureRetention
    let manifest: PictureManifest

    /// Saves a picture, after its line in the manifest is on disk.
    func save(
        _ bytes: [UInt8], of camera: Camera, named name: String, takenAt: Timestamp?,
        with writer: ImageWriter, in context: Context
    ) async throws(Failure) -> SavedImage {
        try await locked(in: context) { () throws(Failure) in
            try writer.save(bytes, of: camera.id, named: name, takenAt: takenAt) {
                image, name throws(FileSystemError) in
                try manifest.add(
                    .init(
                        camera: camera.id, takenAt: context.now(), byteCount: image.byteCount,
                        sha256: image.sha256, path: name))
            }
        }
    }

    func prune(_ outcome: inout BatchResult, in context: Context) async throws(Failure) {
        let (count, failures) = try await locked(in: context) { () throws(Failure) in
            try attempt(manifest.delete(try expired(in: context)))
        }
        for failure in failures { outcome.record(Failure(failure), of: failure.path) }
        guard count > 0 else { return }
        context.console.notice("deleted \(count) old picture\(count == 1 ? "" : "s")")
    }

    func preview(in context: Context) async throws(Failure) {
        let printer = try context.printer(of: SavedSnapshot.fields, .list)
        let snapshots = try expired(in: context).map { entry in
            SavedSnapshot(
                image: SavedImage(
                    id: entry.camera, path: manifest.path(of: entry), byteCount: entry.byteCount,
                    sha256: entry.sha256, capturedAt: entry.takenAt))
        }
        try context.preview(snapshots, with: printer)
    }

    private func expired(in context: Context) throws(Failure) -> [PictureManifest.Entry] {
        rule.expired(of: try attempt(manifest.entries()), at: context.now())
    }

    private func locked<Value>(
        in context: Context, _ work: () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let debug = context.console.debug
        return try await context.system.paths.state.withLock(
            "snapshots.lock", timeout: .seconds(120), sleep: context.system.sleep,
            unlocked: { error throws(Failure) in debug("\(error)") }, work)
    }
}
