import ArgusCore
import ArgusEvents
import CommandLineKit

/// A template for names of pictures: words around `{camera}`, `{time}` and `{date}`, with folders.
struct NameTemplate: ArgumentValue, Equatable {
    static let cameraAndTime = NameTemplate(text: "{camera}-{time}")
    private static let placeholders = ["{camera}", "{time}", "{date}"]
    /// The longest part of a path in bytes, which leaves room for more than a camera's name; files
    /// may have 255 with id and extension.
    static let partLimit = 200

    private var text: String

    private init(text: String) {
        self.text = text
    }

    init(argument: String) throws(ValueError) {
        guard !argument.isEmpty else { throw ValueError("is empty") }
        guard !argument.hasPrefix("/") else {
            throw ValueError("begins with '/'; name the folder with --output")
        }
        let filled = Self.placeholders.reduce(argument) { $0.replacing($1, with: "x") }
        guard !filled.contains("{"), !filled.contains("}") else {
            throw ValueError("supports only {camera}, {time} and {date}")
        }
        let parts = filled.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !SafeFileName.reduce(String($0)).isEmpty }) else {
            throw ValueError("has a part without letters or digits")
        }
        text = argument
    }

    /// The files' paths without extension, safe and all different, for pictures of one moment.
    ///
    /// The names are different among all `known` cameras, so that a camera has one name, whichever
    /// others take a picture with it. Pictures of several moments have different paths, too.
    func paths(
        of cameras: [Camera], among known: [Camera], at time: Timestamp, zone: TimeZoneRules
    ) -> [String] {
        // A name that no file can have is replaced by the id before the time is appended.
        let knownNames = SafeFileName.names(
            for: known.map { (text: $0.name ?? "", id: $0.id) }, noun: "camera")
        let parts = cameras.map { camera in
            let index = known.firstIndex { $0.id == camera.id }
            return self.parts(camera: index.map { knownNames[$0] } ?? camera.id, time, zone)
        }
        let folders = parts.map {
            $0.dropLast().map { SafeFileName.reduce($0, limit: Self.partLimit) }
                .joined(separator: "/")
        }
        var paths = folders
        for folder in folders.distinct {
            let places = folders.indices.filter { folders[$0] == folder }
            let names = SafeFileName.names(
                for: places.map { (text: parts[$0].last ?? "", id: cameras[$0].id) },
                noun: "camera", limit: Self.partLimit)
            for (place, name) in zip(places, names) {
                paths[place] = folder.isEmpty ? name : "\(folder)/\(name)"
            }
        }
        return paths
    }

    /// The parts between the slashes, with the placeholders filled in.
    private func parts(camera: String, _ time: Timestamp, _ zone: TimeZoneRules) -> [String] {
        text.split(separator: "/").map { part in
            part.replacing("{camera}", with: camera)
                .replacing("{time}", with: time.fileNameText(in: zone))
                .replacing("{date}", with: time.displayText(in: zone).prefix(10))
        }.map { String($0) }
    }
}
