import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusTransport
import CommandLineKit

/// The shared part of `argus cameras enable` and `disable`.
enum CamerasSwitch {
    struct Options: VerbOptions {
        var names: [String] = []
        var isRuntimeOnly = false
        var queueing = QueueingOptions()
    }

    static func flags(_ does: String) -> [Flag<Options>] {
        [
            .toggle(
                "capture", sets: \.isRuntimeOnly,
                "\(does) capturing only, until the server starts again")
        ] + QueueingOptions.flags(at: \Options.queueing)
    }

    static func validate(_ options: Options) throws(UsageError) {
        try UsageError.rejectBoth(
            "--capture", options.isRuntimeOnly, "--queue", options.queueing.queuesIfDown)
    }

    static func run(_ options: Options, isOn: Bool, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: CameraChange.fields.queueable(), .operands(options.names.count))
        let known = await result { () async throws(Failure) in
            try await context.cameras(of: server).values
        }
        if !options.queueing.queuesIfDown { _ = try known.get() }
        try await context.reportEach(options.names, id: { $0 }, with: printer) {
            name async throws(Failure) in
            try await change(name, of: known, to: isOn, options, on: server, in: context)
        }
    }

    /// Switches a camera, or only its capturing; a setting waits if `known` is a failure without a
    /// verdict.
    private static func change(
        _ name: String, of known: Result<[Camera], Failure>, to isOn: Bool, _ options: Options,
        on server: SignedInServer, in context: Context
    ) async throws(Failure) -> WriteResult<QueueableRow<CameraChange>> {
        try await context.write(options.queueing, on: server) { () throws(Failure) in
            try context.seen("camera", on: server).offline(name, .camera).map {
                draft($0.id, $0.text("name"), isOn)
            }
        } _: { (plan) async throws(Failure) in
            let camera = try known.get().named(name)
            let doing = "\(isOn ? "enable" : "disable") camera \(name.inQuotes)"
            if options.isRuntimeOnly {
                let change = try await server.attempt(
                    doing, await server.cameras.setCapture(of: camera, to: isOn))
                return (change, nil, change.sentence)
            }
            try plan(draft(camera.id, camera.name, isOn))
            let call = SetCameraEnabled(camera: camera.id, isOn: isOn)
            let change = try await server.attempt(
                doing, await call.perform(over: camera, by: context.sender(to: server)))
            context.note(on: server) {
                $0.note(["enabled": .bool(isOn)], of: call.object, at: $1.text)
            }
            return (change, nil, change.sentence)
        }
    }

    private static func draft(
        _ id: String, _ name: String?, _ isOn: Bool
    ) -> WriteDraft<CameraChange> {
        WriteDraft(
            write: .camera(SetCameraEnabled(camera: id, isOn: isOn)), label: name,
            record: CameraChange(id: id, name: name, subject: .setting, isOn: isOn))
    }
}
