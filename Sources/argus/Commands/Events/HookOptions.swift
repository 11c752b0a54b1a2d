import ArgusEvents
import CommandLineKit

/// The command that a watch runs for each event, and its bounds.
struct HookOptions: OptionGroup, Equatable {
    var command: [String] = []
    var wantsPicture = false
    var parallel: Int?
    var timeout: Duration?
    var tries: Int?

    static let own: [Flag<HookOptions>] =
        [
            .toggle(
                "thumbnail", sets: \.wantsPicture,
                "Give COMMAND the picture as a file",
                details: [
                    """
                    Its path is in \(code: "ARGUS_EVENT_THUMBNAIL"), which is empty if there is no \
                    picture. argus removes the file when the command has ended.
                    """
                ]
            ).inSection(section)
        ] + bounds

    /// The options of commands without pictures.
    static let bounds: [Flag<HookOptions>] = [
        .option("parallel", value: "N", sets: \.parallel, "Run at most N commands at once")
            .within(1...64).byDefault("\(HookDispatcher.Limits().parallel)").inSection(section),
        .option(
            "hook-timeout", sets: \.timeout,
            "End a command after DURATION",
            details: ["With SIGTERM, and 5 seconds later with SIGKILL."]
        ).byDefault("\(HookCommand.usualTimeout.components.seconds)s").inSection(section),
        .option("hook-tries", value: "N", sets: \.tries, "Set an event aside after N failures")
            .within(1...1000).byDefault("\(HookDispatcher.Limits().tries)").inSection(section),
    ]

    private static let section = "Command"

    /// - Throws: `UsageError` for an option of the command without one.
    func validate() throws(UsageError) {
        guard command.isEmpty else { return }
        let given = [
            wantsPicture ? "--thumbnail" : nil, parallel.map { _ in "--parallel" },
            timeout.map { _ in "--hook-timeout" }, tries.map { _ in "--hook-tries" },
        ]
        guard let option = given.compactMap(\.self).first else { return }
        throw UsageError("\(option) needs a command", hint: "add it at the end: -- COMMAND")
    }

    /// The command, once it is clear that it can be started; nil if there is none.
    func resolve(in context: Context) throws(Failure) -> HookCommand? {
        guard !command.isEmpty else { return nil }
        if context.globals.fields != nil {
            throw Failure(.usage, "--fields: the command gets all fields")
        }
        return try attempt(
            HookCommand(
                command, in: context.system.environment,
                within: timeout ?? HookCommand.usualTimeout, context.system.clock))
    }

    var limits: HookDispatcher.Limits {
        var limits = HookDispatcher.Limits()
        limits.parallel = parallel ?? limits.parallel
        limits.tries = tries ?? limits.tries
        return limits
    }
}
