import ArgusCore
import ArgusEvents
import ArgusPush
import CommandLineKit

enum PushListen: ArgusCommand {
    struct Options: VerbOptions {
        var listen = ListenOptions()
        var isTest = false
        var duration: Duration?
        var limit: Int?
        var hook = HookOptions()
    }

    static let about = CommandInfo(
        name: "listen", summary: "Receive the server's pushes on this machine", effect: .changes,
        description: """
            Subscribes this machine to the server's Web Push, and prints each notification once,
            decrypted and verified. Ctrl-C ends the subscription, with status 0. If argus crashed,
            the next run removes the old subscription. Several may run at once.

            The server must reach this machine. argus listens on the address that faces the
            server, or on \(flag: "address"), at a free port or at \(flag: "port").

            \(flag: "test") asks the server for a test push, prints how many milliseconds it took,
            and ends. The server sends its test to all its users. Status 1:
            the server could not reach this machine; 7: what came was not the server's, or the server
            did not try.

            With \(value: "COMMAND"), argus runs it for each notification instead of printing it,
            without a shell, as \(command: "events watch") does. The command gets the notification
            as a line of JSON on stdin and in the variables \(code: "ARGUS_EVENT_TITLE"),
            \(code: "ARGUS_EVENT_DESCRIPTION") (the text), \(code: "ARGUS_EVENT_ID"),
            \(code: "ARGUS_EVENT_TYPE"), \(code: "ARGUS_EVENT_CAMERA_ID"),
            \(code: "ARGUS_EVENT_CAMERA_NAME"), \(code: "ARGUS_EVENT_TIMESTAMP"),
            \(code: "ARGUS_EVENT_URL") and \(code: "ARGUS_EVENT_SERVER_NAME").
            """,
        examples: [
            "argus push listen": "Everything that the server pushes, until Ctrl-C",
            "argus push listen --test": "Check whether the server's pushes work at all",
            "argus push listen --format ndjson | jq -r .title": "For scripts",
            "argus push listen -- ./notify.sh": "A script for each notification",
        ],
        exitStatuses: .requests(
            3, ExitStatus(11, "Some notifications were set aside: their commands failed"),
            ExitStatus(13, "With --test, no push came within 30 s, or the time of --for")),
        prints: VerbOutput(
            fields: NotificationView.fields.infos(),
            formats: [OutputFormat.table, .ndjson, .csv, .tsv].map(\.rawValue)))

    static let flags: [Flag<Options>] =
        ListenOptions.flags(at: \Options.listen) + [
            .toggle("test", sets: \.isTest, "Ask for one test push, and report its time"),
            .option("for", sets: \.duration, "End after DURATION"),
            .limit(\.limit, "End after N notifications"),
        ] + HookOptions.bounds.map { $0.at(\Options.hook) }

    static let arguments: [Argument<Options>] = [
        .repeated(
            "COMMAND", appends: \.hook.command,
            "A program to run for each notification, and its arguments"
        ).completing(.command).afterDashes(guessed: "exec", "hook", "run", "command")
    ]

    static func validate(_ options: Options) throws(UsageError) {
        try options.hook.validate()
        try UsageError.rejectBoth("--test", options.isTest, "--limit", options.limit != nil)
        try UsageError.rejectBoth(
            "--test", options.isTest, "COMMAND", !options.hook.command.isEmpty)
    }

    static func check(_ options: Options, in context: Context) throws(Failure) {
        _ = try options.hook.resolve(in: context)
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        if options.isTest { return try await test(options, in: context) }
        if let command = try options.hook.resolve(in: context) {
            return try await run(options, command, in: context)
        }
        let lines = try NotificationLines(in: context)
        let listening = try await ListenRun(
            at: options.listen.bindAddress, max: options.limit, in: context)
        try await listening.run(for: options.duration) { notification throws(Failure) in
            try await lines.write(notification, isEnding: listening.isEnding)
            return true
        }
        try lines.finish()
    }

    /// Runs a command for each notification instead of printing it.
    private static func run(
        _ options: Options, _ command: HookCommand, in context: Context
    ) async throws(Failure) {
        let listening = try await ListenRun(
            at: options.listen.bindAddress, max: options.limit, in: context)
        let hooks = PushHooks(options.hook, command, of: listening.server, in: context)
        try await hooks.finish { () async throws(Failure) in
            try await listening.run(for: options.duration, stop: hooks.stop, hooks.add)
        }
    }

    private static func test(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: ListenTestView.fields, .operands(1))
        let row = try await ListenTest(
            server: server, bindAddress: options.listen.bindAddress, context: context
        ).run(within: options.duration ?? ListenTest.usualLimit)
        try printer.writeOnly(row)
    }
}

/// The options for where this machine listens.
struct ListenOptions: OptionGroup, Equatable {
    var port: Int?
    var address: ListenAddress?

    static let own: [Flag<ListenOptions>] = [
        .option("port", value: "N", sets: \.port, "Listen on port N instead of any free one")
            .within(1...65_535),
        .option("address", sets: \.address, "Listen on this address of the machine"),
    ]

    var bindAddress: PushReceiver.BindAddress {
        PushReceiver.BindAddress(address: address?.text, port: UInt16(clamping: port ?? 0))
    }
}

/// A numeric address of this machine.
struct ListenAddress: ArgumentValue, Equatable {
    static var placeholder: String { "ADDRESS" }

    var text: String

    init(argument: String) throws(ValueError) {
        // With a port of ours, so that none is in the text.
        let urls = ["http://\(argument):1", "http://[\(argument)]:1"]
        let origins = urls.compactMap { try? ServerAddress(parsing: $0) }.map(\.origin)
        guard let origin = origins.first, !origin.isNamed else {
            throw ValueError("is not an address such as 192.168.1.5")
        }
        guard !origin.isUnspecified else {
            throw ValueError("names no single address: the server must know where to push")
        }
        text = origin.host
    }
}
