import ArgusEvents
import CommandLineKit

enum CamerasDisable: ArgusCommand {
    typealias Options = CamerasSwitch.Options

    static let about = CommandInfo(
        name: "disable", summary: "Make the server stop using cameras", effect: .changes,
        description: """
            Changes the camera's setting on the server. \(flag: "capture") only stops capturing,
            until the server restarts, and does not touch the setting.
            """,
        examples: [
            "argus cameras disable Garage": "Stop using a camera",
            "argus cameras disable Garage --capture": "Not until the next restart",
        ],
        exitStatuses: .requests(3, 11), prints: .objects(CameraChange.fields.queueable()))

    static let flags = CamerasSwitch.flags("Stop")
    static let arguments: [Argument<Options>] = [.cameras(\.names)]

    static func validate(_ options: Options) throws(UsageError) {
        try CamerasSwitch.validate(options)
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        try await CamerasSwitch.run(options, isOn: false, in: context)
    }
}
