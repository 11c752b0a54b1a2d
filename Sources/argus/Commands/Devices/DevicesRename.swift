import ArgusKit
import CommandLineKit

enum DevicesRename: ArgusCommand {
    struct Options: VerbOptions {
        @Required var device: String
        @Required var name: NewName
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
        exitStatuses: .requests(3), prints: .objects(DeviceView.detailFields))

    static let arguments: [Argument<Options>] = [
        .device(\.$device), .required("NAME", sets: \.$name, "The new name, 1 to 100 characters"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: DeviceView.detailFields, .operands(1))
        let devices = try await DeviceList(try await context.server(), in: context)
        let found = try devices.named(options.device).row
        let changed = try await devices.server.attempt(
            "rename the device",
            await devices.server.devices.rename(found.device, to: options.name.text))
        let before = found.device.name.map { "'\($0)'" } ?? "the device \(found.device.id)"
        try context.report(
            context.row(of: changed.device, on: devices.server), with: printer,
            "\(before) is now called '\(options.name.text)'")
    }
}
