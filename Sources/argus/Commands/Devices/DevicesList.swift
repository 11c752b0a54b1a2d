import ArgusKit
import CommandLineKit

/// The command `argus devices list`.
enum DevicesList: ArgusCommand {
    static let about = CommandInfo(
        name: "list", summary: "List the devices that may use the server as you",
        examples: [
            Example("argus devices", "All of them; this_device marks this machine"),
            Example(
                "argus devices --json | jq -r '.[] | select(.inactive) | .id'",
                "The ids of those that have not been seen for long"),
        ],
        exitStatuses: ExitStatus.requests(ExitStatus(12, "A row of the list was no device")),
        fields: DeviceView.fields.infos(),
        formats: OutputFormat.lists)

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: DeviceView.fields, .list)
        let server = try await context.server()
        let devices = try await DeviceList(server, in: context)
        for (row, view) in devices.rows { try printer.write(row, raw: view) }
        try printer.finish(whenEmpty: "'\(server.name)' knows no devices")
        try server.expectNoUnreadableRows(devices.unreadableRows, of: ("device", "devices"))
    }
}

/// The command `argus devices show`.
enum DevicesShow: ArgusCommand {
    struct Options: Sendable, Equatable {
        var names: [String] = []
    }

    static let about = CommandInfo(
        name: "show", summary: "Show devices in detail",
        examples: [Example("argus devices show attic", "One device with all its fields")],
        exitStatuses: ExitStatus.requests(3, 11), fields: DeviceView.detailFields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()

    static let arguments: [Argument<Options>] = [.devices(\.names)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(
            of: DeviceView.detailFields, .operands(options.names.count))
        let devices = try await DeviceList(try await context.server(), in: context)
        var outcome = BatchResult()
        for name in options.names {
            try await outcome.collect(name) { () async throws(Failure) in
                let found = try devices.named(name)
                try printer.write(found.row, raw: found.view)
            }
        }
        try printer.finish()
        try outcome.finish()
    }
}

/// The command `argus devices rename`.
enum DevicesRename: ArgusCommand {
    struct Options: Sendable, Equatable {
        @Required var device: String
        @Required var name: NewName
    }

    /// What a device is to be called.
    struct NewName: ArgumentValue, Equatable {
        static var placeholder: String { "NAME" }

        var text: String

        init(argument: String) throws(ValueError) {
            guard (1...100).contains(argument.unicodeScalars.count) else {
                throw ValueError("does not have 1 to 100 characters")
            }
            guard argument.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
            else { throw ValueError("has a control character in it") }
            text = argument
        }
    }

    static let about = CommandInfo(
        name: "rename", summary: "Give a device another name",
        examples: [Example("argus devices rename 3f2a attic", "By the start of its id")],
        exitStatuses: ExitStatus.requests(3), fields: DeviceView.detailFields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()

    static let arguments: [Argument<Options>] = [
        .device(\.$device), .required("NAME", sets: \.$name, "The new name, 1 to 100 characters"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: DeviceView.detailFields, .operands(1))
        let devices = try await DeviceList(try await context.server(), in: context)
        let found = try devices.named(options.device).row
        let changed = try await devices.server.attempt("rename the device") {
            () async throws(APIError) in
            try await devices.service.rename(found.device, to: options.name.text)
        }
        let before = found.device.name.map { "'\($0)'" } ?? "the device \(found.device.id)"
        try context.report(
            context.row(of: changed.device, on: devices.server), with: printer,
            "\(before) is called '\(options.name.text)' now")
    }
}
