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
        let printer = try context.printer(
            of: CameraChange.fields, .operands(options.names.count))
        let home = try await context.server()
        let service = CameraService(session: home.session)
        let known = try await home.attempt("list cameras") { () async throws(APIError) in
            try await service.plainList().map(\.camera)
        }
        var outcome = Outcome()
        for name in options.names {
            try await outcome.collect(name) { () async throws(Failure) in
                let camera = try known.named(name)
                let verb = isOn ? "enable" : "disable"
                let change = try await home.attempt("\(verb) camera \(name.inQuotes)") {
                    () async throws(APIError) in
                    options.isRuntimeOnly
                        ? try await service.setCapture(of: camera, to: isOn)
                        : try await service.setEnabled(camera, isOn)
                }
                try report(change, printer, context)
            }
        }
        if try context.isForMachines() { try printer.finish() }
        try outcome.finish()
    }

    /// Prints the changed camera for programs, or says what was done to it.
    static func report(
        _ change: CameraChange, _ printer: Printer<CameraChange>, _ context: Context
    ) throws(Failure) {
        guard try context.isForMachines() else { return context.say(change.sentence) }
        try printer.write(change)
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
        let printer = try context.printer(
            of: CameraChange.fields, .operands(options.names.count))
        let home = try await context.server()
        let service = CameraService(session: home.session)
        let known = try await home.attempt("list cameras") { () async throws(APIError) in
            try await service.plainList().map(\.camera)
        }
        var outcome = Outcome()
        for name in options.names {
            try await outcome.collect(name) { () async throws(Failure) in
                let camera = try known.named(name)
                let change = try await home.attempt("reconnect camera \(name.inQuotes)") {
                    () async throws(APIError) in try await service.reconnect(camera)
                }
                try CamerasSwitch.report(change, printer, context)
            }
        }
        if try context.isForMachines() { try printer.finish() }
        try outcome.finish()
    }
}

extension Argument {
    /// One or more cameras.
    static func cameras(_ place: Place<[String]>) -> Self {
        .repeated("CAMERA", atLeast: 1, appends: place, "A camera's name, id or start of an id")
            .completing(.dynamic("cameras"))
    }
}
