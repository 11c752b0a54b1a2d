import ArgusKit
import CommandLineKit

enum CamerasReconnect: ArgusCommand {
    static let about = CommandInfo(
        name: "reconnect", summary: "Make the server reconnect to cameras",
        description: """
            The server tries each camera for up to 15 seconds. Its success does not prove that
            there are pictures: check with \(code: "cameras show").
            """,
        examples: ["argus cameras reconnect Porch": "Try again"],
        exitStatuses: .requests(3, 11), prints: .objects(CameraChange.fields))

    static let arguments: [Argument<Operands>] = [.cameras(\.words)]

    static func run(_ options: Operands, in context: Context) async throws(Failure) {
        try await context.changeCameras(
            options.words, "reconnect", of: CameraChange.fields, { $0 }
        ) {
            service, camera throws(APIError) in try await service.reconnect(camera)
        }
    }
}
