import ArgusKit
import CommandLineKit

/// The commands `argus cameras enable` and `disable`, which are two words for one thing.
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

    static let arguments: [Argument<Options>] = [.cameras(\.names)]

    /// Switches each camera, and says which of the two meanings was meant.
    static func run(
        _ options: Options, isOn: Bool, in context: Context
    ) async throws(Failure) {
        try await CameraChanges.run(options.names, isOn ? "enable" : "disable", in: context) {
            service, camera throws(APIError) in
            options.isRuntimeOnly
                ? try await service.setCapture(of: camera, to: isOn)
                : try await service.setEnabled(camera, isOn)
        }
    }
}

/// What the commands that change cameras have in common.
enum CameraChanges {
    /// Changes one camera after the other, and tells of each what was done.
    ///
    /// `verb` is what is attempted, in words that follow `cannot`.
    static func run(
        _ names: [String], _ verb: String, in context: Context,
        _ change: (CameraService, Camera) async throws(APIError) -> CameraChange
    ) async throws(Failure) {
        let printer = try context.printer(of: CameraChange.fields, .operands(names.count))
        let server = try await context.server()
        let service = CameraService(session: server.session)
        let known = try await context.cameras(of: server).values
        let isForMachines = try context.isForMachines()
        var outcome = BatchResult()
        for name in names {
            try await outcome.collect(name) { () async throws(Failure) in
                let camera = try known.named(name)
                let change = try await server.attempt(
                    "\(verb) camera \(name.inQuotes)", await change(service, camera))
                guard isForMachines else { return context.notice(change.sentence) }
                try printer.write(change)
            }
        }
        if isForMachines { try printer.finish() }
        try outcome.finish()
    }
}
