import ArgusKit
import CommandLineKit

/// The shared part of `argus cameras enable` and `disable`.
enum CamerasSwitch {
    struct Options: VerbOptions {
        var names: [String] = []
        var isRuntimeOnly = false
    }

    static func flags(_ does: String) -> [Flag<Options>] {
        [
            .toggle(
                "capture", sets: \.isRuntimeOnly,
                "\(does) capturing only, until the server starts again")
        ]
    }

    static func run(_ options: Options, isOn: Bool, in context: Context) async throws(Failure) {
        try await context.changeCameras(options.names, isOn ? "enable" : "disable") {
            service, camera throws(APIError) in
            options.isRuntimeOnly
                ? try await service.setCapture(of: camera, to: isOn)
                : try await service.setEnabled(camera, to: isOn)
        }
    }
}

extension Context {
    /// Changes one camera after the other; `verb` names the change and follows `cannot`.
    func changeCameras(
        _ names: [String], _ verb: String,
        _ change: (CameraService, Camera) async throws(APIError) -> CameraChange
    ) async throws(Failure) {
        let printer = try printer(of: CameraChange.fields, .operands(names.count))
        let server = try await server()
        let known = try await cameras(of: server).values
        try await reportEach(names, id: { $0 }, with: printer) { name async throws(Failure) in
            let camera = try known.named(name)
            let change = try await server.attempt(
                "\(verb) camera \(name.inQuotes)", await change(server.cameras, camera))
            return (change, nil, change.sentence)
        }
    }
}
