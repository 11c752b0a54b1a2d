import ArgusKit
import CommandLineKit

/// The command `argus cameras disable`.
enum CamerasDisable: ArgusCommand {
    typealias Options = CamerasSwitch.Options

    static let about = CommandInfo(
        name: "disable", summary: "Have the server leave cameras alone",
        paragraphs: [
            """
            This is the setting, which lasts. With \(flag: "capture") the setting stays and \
            capturing is stopped only until the server starts again.
            """
        ],
        examples: [
            Example("argus cameras disable Garage", "Not to be used any more"),
            Example("argus cameras disable Garage --capture", "Not until the next restart"),
        ],
        exitStatuses: CamerasSwitch.exitStatuses, fields: CameraChange.fields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()
    static let flags = CamerasSwitch.flags("Stop")
    static let arguments = CamerasSwitch.arguments

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        try await CamerasSwitch.run(options, isOn: false, in: context)
    }
}
