import ArgusKit
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
            "--capture", options.isRuntimeOnly, "--queue", options.queueing.isOn)
    }

    static func run(_ options: Options, isOn: Bool, in context: Context) async throws(Failure) {
        let fields: [Field<QueueableRow<CameraChange>>] = CameraChange.fields.queueable()
        guard !options.isRuntimeOnly else {
            return try await context.changeCameras(
                options.names, isOn ? "enable" : "disable", of: fields, { QueueableRow(record: $0) }
            ) { service, camera throws(APIError) in
                try await service.setCapture(of: camera, to: isOn)
            }
        }
        let (server, printer) = try await context.server(
            printing: fields, .operands(options.names.count))
        let known: Result<[Camera], Failure>
        do throws(Failure) {
            known = .success(try await context.cameras(of: server).values)
        } catch {
            guard options.queueing.isOn else { throw error }
            known = .failure(error)
        }
        try await context.reportEach(options.names, id: { $0 }, with: printer) {
            name async throws(Failure) in
            try await change(name, of: known, to: isOn, options, on: server, in: context)
        }
    }

    /// Switches a camera; all wait if `known` is a failure without a verdict.
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
            let draft = draft(camera.id, camera.name, isOn)
            try plan(draft)
            let change = try await server.attempt(
                "\(isOn ? "enable" : "disable") camera \(name.inQuotes)",
                await server.cameras.setEnabled(camera, to: isOn))
            context.note(on: server) {
                $0.note(["enabled": .bool(isOn)], of: draft.write.object, at: $1.text)
            }
            return (change, nil, change.sentence)
        }
    }

    private static func draft(
        _ id: String, _ name: String?, _ isOn: Bool
    ) -> WriteDraft<CameraChange> {
        WriteDraft(
            write: .cameraEnabled(camera: id, isOn), label: name,
            record: CameraChange(id: id, name: name, subject: .setting, isOn: isOn))
    }
}

extension Context {
    /// Changes one camera after the other; `verb` names the change and follows `cannot`.
    func changeCameras<Row>(
        _ names: [String], _ verb: String, of fields: [Field<Row>], _ row: (CameraChange) -> Row,
        _ change: (CameraService, Camera) async throws(APIError) -> CameraChange
    ) async throws(Failure) {
        let printer = try printer(of: fields, .operands(names.count))
        let server = try await server()
        let known = try await cameras(of: server).values
        try await reportEach(names, id: { $0 }, with: printer) { name async throws(Failure) in
            let camera = try known.named(name)
            let change = try await server.attempt(
                "\(verb) camera \(name.inQuotes)", await change(server.cameras, camera))
            return (row(change), nil, change.sentence)
        }
    }
}
