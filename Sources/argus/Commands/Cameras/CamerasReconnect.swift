import ArgusKit
import CommandLineKit

enum CamerasReconnect: ArgusCommand {
    static let about = CommandInfo(
        name: "reconnect", summary: "Have the server connect to cameras again",
        description: """
            The server tries for up to 15 seconds a camera. Its success is no proof of pictures:
            check with \(code: "cameras show").
            """,
        examples: ["argus cameras reconnect Porch": "Try again"],
        exitStatuses: .requests(3, 11), prints: .objects(CameraChange.fields))

    static let arguments: [Argument<Operands>] = [.cameras(\.words)]

    static func run(_ options: Operands, in context: Context) async throws(Failure) {
        try await context.changeCameras(options.words, "reconnect") {
            service, camera throws(APIError) in try await service.reconnect(camera)
        }
    }
}
