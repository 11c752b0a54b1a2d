import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusTransport
import CommandLineKit

enum CamerasReconnect: ArgusCommand {
    static let about = CommandInfo(
        name: "reconnect", summary: "Make the server reconnect to cameras", effect: .changes,
        description: """
            The server tries each camera for up to 15 seconds. Success does not mean that there
            are pictures: check with \(command: "cameras show").
            """,
        examples: ["argus cameras reconnect Porch": "Try again"],
        exitStatuses: .requests(3, 11), prints: .objects(CameraChange.fields))

    static let arguments: [Argument<Operands>] = [.cameras(\.words)]

    static func run(_ options: Operands, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: CameraChange.fields, .operands(options.words.count))
        let known = try await context.cameras(of: server).values
        try await context.reportEach(options.words, id: { $0 }, with: printer) {
            name async throws(Failure) in
            let camera = try known.named(name)
            let change = try await server.attempt(
                "reconnect camera \(name.inQuotes)", await server.cameras.reconnect(camera))
            return (change, nil, change.sentence)
        }
    }
}
