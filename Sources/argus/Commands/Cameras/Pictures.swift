import ArgusKit
import CommandLineKit

/// Takes pictures of many cameras, a few at a time.
enum Pictures {
    /// What became of one camera's picture.
    struct Picture: Sendable {
        var snapshot: Result<Snapshot, APIError>
        /// When it came, by our clock.
        var takenAt: Timestamp
    }

    /// Takes the pictures, and hands each to `keep` with its camera's index as soon as it has come:
    /// a camera that is slow or fails keeps none of the others back.
    static func take<Kept>(
        of cameras: [Camera], by service: CameraService, _ quality: SnapshotQuality,
        parallel: Int, now: @escaping @Sendable () -> Timestamp, progress: Progress,
        keep: (Int, Picture) async -> Kept
    ) async -> [Kept] {
        await withTaskGroup(of: (Int, Picture).self) { group in
            var waiting = cameras.enumerated().makeIterator()
            func startNext() {
                guard let (index, camera) = waiting.next() else { return }
                group.addTask { (index, await take(of: camera, by: service, quality, now)) }
            }
            for _ in 0..<parallel { startNext() }
            var kept: [Int: Kept] = [:]
            for await (index, picture) in group {
                startNext()
                kept[index] = await keep(index, picture)
                progress.advance(by: 1)
            }
            progress.finish()
            return cameras.indices.compactMap { kept[$0] }
        }
    }

    private static func take(
        of camera: Camera, by service: CameraService, _ quality: SnapshotQuality,
        _ now: @Sendable () -> Timestamp
    ) async -> Picture {
        let snapshot: Result<Snapshot, APIError>
        do {
            snapshot = .success(try await service.snapshot(of: camera.id, quality: quality))
        } catch {
            snapshot = .failure(error)
        }
        return Picture(snapshot: snapshot, takenAt: now())
    }
}

/// How files of pictures are named: words around `{camera}` and `{time}`.
struct NameTemplate: ArgumentValue, Equatable {
    static let cameraAndTime = NameTemplate(text: "{camera}-{time}")

    private var text: String

    private init(text: String) {
        self.text = text
    }

    init(argument: String) throws(ValueError) {
        guard !argument.isEmpty else { throw ValueError("is empty") }
        guard !argument.contains("/") else { throw ValueError("has a '/'; folders go to --output") }
        let stripped = argument.replacing("{camera}", with: "").replacing("{time}", with: "")
        guard !stripped.contains("{"), !stripped.contains("}") else {
            throw ValueError("knows only {camera} and {time}")
        }
        text = argument
    }

    /// The files' names without extension, safe and all different, for pictures of one moment.
    func names(of cameras: [Camera], at time: Timestamp, zone: TimeZoneRules) -> [String] {
        // A name that no file can have gives way to the id before the time is joined to it.
        let cameraNames = SafeFileName.names(
            for: cameras.map { (text: $0.name ?? "", id: $0.id) }, noun: "camera")
        let items = zip(cameras, cameraNames).map { camera, name in
            let words = text.replacing("{camera}", with: name)
                .replacing("{time}", with: time.fileNameText(in: zone))
            return (text: words, id: camera.id)
        }
        return SafeFileName.names(for: items, noun: "camera")
    }
}
