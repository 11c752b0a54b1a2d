import ArgusCore
import CommandLineKit

enum VersionCommand: ArgusCommand {
    static let about = CommandInfo(
        name: "version", summary: "Show the version", effect: .reads,
        examples: ["argus version --json": "For scripts"],
        exitStatuses: [0, 1], prints: .objects(fields))

    static let fields: [Field<Version>] = [
        .column("version", "the version of argus") { $0.text },
        .column("date", "the day of its release") { $0.date },
    ]

    struct Version: Sendable {
        var text = Tool.version
        var date = Tool.date
    }

    /// The line that `--version` prints.
    static let line = "argus \(Tool.version)\n"

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        // `version` must work even if the configuration is broken.
        let context = context.tolerant
        guard try context.isForMachines() else { return try context.write(line) }
        let printer = try context.printer(of: fields, .operands(1))
        try printer.writeOnly(Version())
    }
}
