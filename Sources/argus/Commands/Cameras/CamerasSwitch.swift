import ArgusKit
import CommandLineKit

/// The commands `argus cameras enable` and `disable`, which are two words for one thing.
enum CamerasSwitch {
    struct Options: Sendable, Equatable {
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

    static let exitStatuses = ExitStatus.requests(3, 11)

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
                let change = try await server.attempt("\(verb) camera \(name.inQuotes)") {
                    () async throws(APIError) in try await change(service, camera)
                }
                guard isForMachines else { return context.notice(change.sentence) }
                try printer.write(change)
            }
        }
        if isForMachines { try printer.finish() }
        try outcome.finish()
    }
}

/// The command `argus cameras enable`.
enum CamerasEnable: ArgusCommand {
    typealias Options = CamerasSwitch.Options

    static let about = CommandInfo(
        name: "enable", summary: "Have the server use cameras",
        paragraphs: [
            """
            This is the setting, which lasts. With \(flag: "capture") the setting stays and only \
            capturing is started, as after \(code: "disable --capture").
            """
        ],
        examples: [Example("argus cameras enable Garage", "Use it again")],
        exitStatuses: CamerasSwitch.exitStatuses, fields: CameraChange.fields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()
    static let flags = CamerasSwitch.flags("Start")
    static let arguments = CamerasSwitch.arguments

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        try await CamerasSwitch.run(options, isOn: true, in: context)
    }
}

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

extension Argument {
    /// One or more cameras.
    static func cameras(_ place: Place<[String]>) -> Self {
        .repeated("CAMERA", atLeast: 1, appends: place, "A camera's name, id or start of an id")
            .completing(.dynamic("cameras"))
    }
}
