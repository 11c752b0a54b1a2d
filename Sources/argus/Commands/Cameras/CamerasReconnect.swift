import ArgusKit
import CommandLineKit

/// The command `argus cameras reconnect`.
enum CamerasReconnect: ArgusCommand {
    struct Options: Sendable, Equatable {
        var names: [String] = []
    }

    static let about = CommandInfo(
        name: "reconnect", summary: "Have the server connect to cameras again",
        paragraphs: [
            """
            The server tries for up to 15 seconds a camera. That it says yes is no proof: \
            \(code: "cameras show") tells whether pictures come.
            """
        ],
        examples: [Example("argus cameras reconnect Porch", "Try again")],
        exitStatuses: CamerasSwitch.exitStatuses, fields: CameraChange.fields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()
    static let arguments: [Argument<Options>] = [.cameras(\.names)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        try await CameraChanges.run(options.names, "reconnect", in: context) {
            service, camera throws(APIError) in try await service.reconnect(camera)
        }
    }
}
