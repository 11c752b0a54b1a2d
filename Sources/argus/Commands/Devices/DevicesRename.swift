import ArgusKit
import CommandLineKit

enum DevicesRename: ArgusCommand {
    struct Options: VerbOptions {
        @Required var device: String
        @Required var name: NewName
        var queueing = QueueingOptions()
    }

    struct NewName: ArgumentValue, Equatable {
        var text: String

        init(argument: String) throws(ValueError) {
            text = try LimitedName<100>(argument: argument).text
            guard argument.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
            else { throw ValueError("has a control character in it") }
        }
    }

    static let about = CommandInfo(
        name: "rename", summary: "Rename a device",
        examples: ["argus devices rename 3f2a attic": "By the start of its id"],
        exitStatuses: .requests(3), prints: .objects(DeviceView.detailFields.queueable()))

    static let flags: [Flag<Options>] = QueueingOptions.flags(at: \Options.queueing)

    static let arguments: [Argument<Options>] = [
        .device(\.$device), .required("NAME", sets: \.$name, "The new name, 1 to 100 characters"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: DeviceView.detailFields.queueable(), .operands(1))
        let name = options.name.text
        let (row, _, sentence) = try await context.write(options.queueing, on: server) {
            () throws(Failure) in
            try offline(options, on: server, in: context)
        } _: { (plan) async throws(Failure) in
            let found = try await DeviceList(server, in: context).named(options.device).row
            try plan(draft(found, to: name))
            let changed = try await server.attempt(
                "rename the device", await server.devices.rename(found.device, to: name))
            let before = found.device.name.map { "'\($0)'" } ?? "the device \(found.device.id)"
            return (
                context.row(of: changed.device, on: server), nil,
                "\(before) is now called '\(name)'"
            )
        }
        try context.report(row, with: printer, sentence)
    }

    /// The write over the last known name, without which a change by another client is not found.
    private static func offline(
        _ options: Options, on server: SignedInServer, in context: Context
    ) throws(Failure) -> WriteDraft<DeviceRow>? {
        let devices = context.cache(for: server)?.devices
        guard let (id, name) = try devices?.offline(options.device, .device), let name else {
            return nil
        }
        return WriteDraft(
            write: .deviceName(device: id, options.name.text), label: name,
            base: .known(["name": .text(name)]))
    }

    private static func draft(_ found: DeviceRow, to name: String) -> WriteDraft<DeviceRow> {
        var renamed = found
        renamed.device.name = name
        return WriteDraft(
            write: .deviceName(device: found.device.id, name), label: found.device.name,
            base: .known(["name": found.device.name.map { .text($0) } ?? .null]), record: renamed)
    }
}
