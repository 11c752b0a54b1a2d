import ArgusKit
import CommandLineKit

/// The command `argus devices show`.
enum DevicesShow: ArgusCommand {
    struct Options: VerbOptions {
        var names: [String] = []
    }

    static let about = CommandInfo(
        name: "show", summary: "Show devices in detail",
        examples: ["argus devices show attic": "One device with all its fields"],
        exitStatuses: .requests(3, 11), prints: .objects(DeviceView.detailFields))

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
