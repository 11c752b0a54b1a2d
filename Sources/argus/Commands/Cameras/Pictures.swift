import ArgusKit
import CommandLineKit

/// Takes pictures of many cameras, a few at a time.
enum Pictures {
    /// What became of one camera's picture.
    struct Picture: Sendable {
        var bytes: Result<[UInt8], APIError>
        var takenAt: Timestamp
    }

    /// The pictures in the order of the cameras; a camera that fails keeps none of the others back.
    static func take(
        of cameras: [Camera], by service: CameraService, _ quality: SnapshotQuality,
        parallel: Int, now: @escaping @Sendable () -> Timestamp, progress: Progress
    ) async -> [Picture] {
        await withTaskGroup(of: (Int, Picture).self) { group in
            var waiting = cameras.enumerated().makeIterator()
            func startNext() {
                guard let (index, camera) = waiting.next() else { return }
                group.addTask { (index, await take(of: camera, by: service, quality, now)) }
            }
            for _ in 0..<parallel { startNext() }
            var pictures: [Int: Picture] = [:]
            for await (index, picture) in group {
                pictures[index] = picture
                progress.advance(by: 1)
                startNext()
            }
            progress.finish()
            return cameras.indices.compactMap { pictures[$0] }
        }
    }

    private static func take(
        of camera: Camera, by service: CameraService, _ quality: SnapshotQuality,
        _ now: @Sendable () -> Timestamp
    ) async -> Picture {
        let bytes: Result<[UInt8], APIError>
        do throws(APIError) {
            bytes = .success(try await service.snapshot(of: camera.id, quality: quality))
        } catch {
            bytes = .failure(error)
        }
        return Picture(bytes: bytes, takenAt: now())
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

    /// The files' names without extension, safe and all different.
    func names(of cameras: [Camera], _ pictures: [Pictures.Picture], zone: TimeZoneRules)
        -> [String]
    {
        // A name that no file can have gives way to the id before the time is joined to it.
        let cameraNames = SafeFileName.names(
            for: cameras.map { (text: $0.name ?? "", id: $0.id) }, noun: "camera")
        let items = cameras.indices.map { index in
            let time = pictures[index].takenAt.fileNameText(in: zone)
            let words = text.replacing("{camera}", with: cameraNames[index])
                .replacing("{time}", with: time)
            return (text: words, id: cameras[index].id)
        }
        return SafeFileName.names(for: items, noun: "camera")
    }
}
