import ArgusEvents
import CommandLineKit

enum CamerasEnable: ArgusCommand {
    typealias Options = CamerasSwitch.Options

    static let about = CommandInfo(
        name: "enable", summary: "Make the server use cameras", effect: .changes,
        description: """
            Changes the camera's setting on the server. \(flag: "capture") only starts capturing
            again, until the server restarts, and does not touch the setting.
            """,
        examples: ["argus cameras enable Garage": "Use it again"],
        exitStatuses: .requests(3, 11), prints: .objects(CameraChange.fields.queueable()))

    static let flags = CamerasSwitch.flags("Start")
    static let arguments: [Argument<Options>] = [.cameras(\.names)]

    static func validate(_ options: Options) throws(UsageError) {
        try CamerasSwitch.validate(options)
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        try await CamerasSwitch.run(options, isOn: true, in: context)
    }
}
