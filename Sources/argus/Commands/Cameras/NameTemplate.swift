import ArgusKit
import CommandLineKit

/// A template for names of pictures: words around `{camera}` and `{time}`.
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
