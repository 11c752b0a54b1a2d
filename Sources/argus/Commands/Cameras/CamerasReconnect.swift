import ArgusKit
import CommandLineKit

/// The command `argus cameras reconnect`.
enum CamerasReconnect: ArgusCommand {
    struct Options: VerbOptions {
        var names: [String] = []
    }

    static let about = CommandInfo(
        name: "reconnect", summary: "Have the server connect to cameras again",
        description: """
            The server tries for up to 15 seconds a camera. That it says yes is no proof:
            \(code: "cameras show") tells whether pictures come.
            """,
        examples: ["argus cameras reconnect Porch": "Try again"],
        exitStatuses: .requests(3, 11), prints: .objects(CameraChange.fields))

    static let arguments: [Argument<Options>] = [.cameras(\.names)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        try await CameraChanges.run(options.names, "reconnect", in: context) {
            service, camera throws(APIError) in try await service.reconnect(camera)
        }
    }
}
