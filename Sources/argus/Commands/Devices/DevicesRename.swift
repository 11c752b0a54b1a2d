import ArgusEvents
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
        name: "rename", summary: "Rename a device", effect: .changes,
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
            try context.seen("device", on: server).offline(options.device, .device).map {
                WriteDraft(
                    write: .device(RenameDevice(device: $0.id, to: name)), label: $0.text("name"))
            }
        } _: { (plan) async throws(Failure) in
            let devices = try await DeviceList(server, in: context)
            let found = try devices.named(options.device).row
            try plan(draft(of: found, to: name))
            let call = RenameDevice(device: found.device.id, to: name)
            let changed = try await server.attempt(
                "rename the device",
                await call.perform(over: found.device, by: context.sender(to: server)))
            devices.remember(changed.device, in: context)
            let before = found.device.name.map { "'\($0)'" } ?? "the device \(found.device.id)"
            return (
                context.row(of: changed.device, on: server), nil,
                "\(before) is now called '\(name)'"
            )
        }
        try context.report(row, with: printer, sentence)
    }

    private static func draft(of found: DeviceRow, to name: String) -> WriteDraft<DeviceRow> {
        var renamed = found
        renamed.device.name = name
        return WriteDraft(
            write: .device(RenameDevice(device: found.device.id, to: name)),
            label: found.device.name, record: renamed)
    }
}
