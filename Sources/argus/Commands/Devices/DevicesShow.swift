import CommandLineKit

enum DevicesShow: ArgusCommand {
    static let about = CommandInfo(
        name: "show", summary: "Show devices in detail", effect: .reads,
        examples: ["argus devices show attic": "One device with all its fields"],
        exitStatuses: .requests(3, 11), prints: .objects(DeviceView.detailFields))

    static let arguments: [Argument<Operands>] = [.devices(\.words)]

    static func run(_ options: Operands, in context: Context) async throws(Failure) {
        let printer = try context.printer(
            of: DeviceView.detailFields, .operands(options.words.count))
        let devices = try await DeviceList(try await context.server(), in: context)
        try await context.forEach(options.words, with: printer) { name async throws(Failure) in
            let found = try devices.named(name)
            try printer.write(found.row, raw: found.view)
        }
    }
}
