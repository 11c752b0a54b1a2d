import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

enum EventsWatch: ArgusCommand {
    struct Options: VerbOptions {
        var filter = EventFilterOptions()
        var state: StateName?
        var duration: Duration?
        var limit: Int?
        var poll: Duration?
        var isShown = false
        var hook = HookOptions()
        var alarms = AlarmOptions()
        var states = WatchStateOptions()
    }

    static let about = CommandInfo(
        name: "watch", summary: "Print events as the server stores them", effect: .waits,
        description: """
            Prints every matching event once, also one that the server stores late. Goes on when
            the server restarts, the network changes or the machine wakes up. If the server
            deletes events before argus could read them, argus reports a gap and ends with status
            12.

            Begins now; with \(flag: "since") at a time, and with \(flag: "state") where the last
            watch of that name ended, also after a crash. Ctrl-C ends it with status 0.

            With \(code: "--server all") or \(code: "--server home,cabin") it watches several
            servers: the server's name is the first field. \(flag: "limit") and \(flag: "for")
            apply to all of them together, \(flag: "parallel") to each. If one refuses for good,
            argus reports it, watches the others, and ends with status 11.

            With \(value: "COMMAND"), argus runs it for each event instead of printing the event.
            The command gets the event as a line of JSON on stdin and in the variables
            \(code: "ARGUS_EVENT_ID"), \(code: "ARGUS_EVENT_TYPE"),
            \(code: "ARGUS_EVENT_CAMERA_ID"), \(code: "ARGUS_EVENT_CAMERA_NAME"),
            \(code: "ARGUS_EVENT_TIMESTAMP"), \(code: "ARGUS_EVENT_DESCRIPTION") and
            \(code: "ARGUS_EVENT_SERVER_NAME"). With \(flag: "rule") it also gets
            \(code: "ARGUS_EVENT_RULE_ID") and \(code: "ARGUS_EVENT_RULE_NAME"), and with
            \(flag: "cooldown") \(code: "ARGUS_EVENT_SUPPRESSED"). Its output goes to stderr. No shell is involved:
            for pipes write \(code: "sh -c '…'").

            If the command fails, argus runs it again after 10 s, 30 s, 2 min, 10 min and then
            every hour. After \(flag: "hook-tries") failures it sets the event aside, and ends
            with status 11 in the end. With \(flag: "state") such events survive a restart: the
            next watch of that name runs its own command for them. \(command: "queue") lists and
            changes them. At the end, running commands get 10 s to finish.
            """,
        examples: [
            "argus events watch": "Everything, until Ctrl-C",
            "argus events watch --show": "The same with a small picture of each, for a screen",
            "argus events watch --type package --format ndjson | while read -r e; do …; done":
                "A program that gets each package",
            "argus events watch --state door --camera 'Front Door' --for 1h":
                "An hour, and later the next one",
            "argus events watch --server all": "What all of your servers store",
            "argus events watch --type ring --thumbnail -- ./ring.sh":
                "A script for each ring, with the picture's path in ARGUS_EVENT_THUMBNAIL",
        ],
        exitStatuses: .requests(
            3, ExitStatus(11, "Some commands failed for good, or some of several servers did"), 12),
        prints: VerbOutput(
            fields: EventView.fields.infos(),
            formats: [OutputFormat.table, .ndjson, .csv, .tsv].map(\.rawValue)),
        guesses: ["watch", "tail", "follow"])

    static let flags: [Flag<Options>] =
        EventFilterOptions.ofWatches.map { $0.at(\Options.filter) } + [
            .option("state", sets: \.state, "Remember under NAME which events were delivered")
                .completing(.dynamic("states")),
            .option("for", sets: \.duration, "End after DURATION").guessed(
                Guess("until", as: "DURATION"), Guess("during", as: "DURATION")),
            .limit(\.limit, "End after N events"),
            .option("poll", sets: \.poll, "Ask for new events every DURATION").byDefault(
                "10s"),
            .show(\.isShown, "Show a small picture above each event"),
        ] + HookOptions.flags(at: \Options.hook)
        + AlarmOptions.flags(at: \Options.alarms).map { $0.inSection("Command") }
        + WatchStateOptions.flags(at: \Options.states)

    static let arguments: [Argument<Options>] = [
        .repeated(
            "COMMAND", appends: \.hook.command,
            "The program to run for each event, and its arguments"
        ).completing(.command).afterDashes(guessed: "exec", "hook", "run", "command")
    ]

    static func validate(_ options: Options) throws(UsageError) {
        try options.hook.validate()
        try options.alarms.validate()
        if options.alarms != AlarmOptions(), options.hook.command.isEmpty {
            throw UsageError("--cooldown needs a command", hint: "add it at the end: -- COMMAND")
        }
        try UsageError.rejectBoth(
            "--show", options.isShown, "a command", !options.hook.command.isEmpty)
        var others = options
        others.states = WatchStateOptions()
        try options.states.validate(with: others != Options())
    }

    static func check(_ options: Options, in context: Context) throws(Failure) {
        _ = try options.hook.resolve(in: context)
    }

    static var takesSeveralServers: Bool { true }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        try await run(options, onAnyOf: nil, in: context)
    }

    static func run(
        _ options: Options, on servers: SeveralServers, in context: Context
    ) async throws(Failure) {
        try await run(options, onAnyOf: servers, in: context)
    }

    /// Watches several servers, or the one of the run.
    private static func run(
        _ options: Options, onAnyOf several: SeveralServers?, in context: Context
    ) async throws(Failure) {
        if options.states.isGiven { return try await options.states.run(in: context) }
        let command = try options.hook.resolve(in: context)
        let screen = try context.pictureScreen(options.isShown)
        let lines =
            command == nil
            ? try EventLines(
                of: several.map { _ in [] }, ofTypes: options.filter.typeNames, in: context) : nil
        let servers =
            if let several { try await several.open(in: context) } else {
                OpenServers(servers: [try await context.server()], areSeveral: false)
            }
        let watch = try await EventWatch(
            options.filter, on: servers, stateNamed: options.state?.text, max: options.limit,
            poll: options.poll, isService: true, in: context)
        if let command { return try await run(options, command, of: watch, in: context) }
        guard let lines else { return }
        if servers.areSeveral { lines.servers = servers.servers.map(\.name) }
        try lines.remember(servers.servers)
        try watch.warnOfQueue(in: context)
        let end = try await watch.run(
            for: options.duration, signals: .stopsUnlessBlocked, flush: lines.flush
        ) { event, member throws(Failure) in
            await screen?.show(event, from: member.server, in: context)
            try lines.write(event, of: member.server.name)
            return true
        }
        try lines.finish()
        try end.expectComplete()
    }

    /// Runs a command for each event instead of printing it.
    private static func run(
        _ options: Options, _ command: HookCommand, of watch: EventWatch, in context: Context
    ) async throws(Failure) {
        let hooks = try await EventHooks(
            options.hook, command, cooldown: options.alarms.cooldown, of: watch, in: context)
        try await hooks.finish { () async throws(Failure) in
            try await watch.run(for: options.duration, stop: hooks.stop) {
                event, member async throws(Failure) in
                await hooks.add(event, of: member)
            }
        }
    }
}

extension PictureScreen {
    /// The longest time that a line waits for its picture.
    private static let patience = Duration.seconds(5)

    /// Shows a small picture of an event; without one, shows nothing.
    fileprivate func show(
        _ event: Event, from server: SignedInServer, in context: Context
    ) async {
        let picture = await withTaskGroup(of: [UInt8]?.self) { group in
            group.addTask {
                do {
                    let detail = try await server.events.find(event.id, known: []).detail
                    return try await server.events.thumbnail(detail)
                } catch {
                    context.console.debug("no picture of event \(event.id): \(error)")
                    return nil
                }
            }
            group.addTask {
                await context.system.pause(Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let picture else { return }
        do throws(Failure) {
            try show(picture, .small)
        } catch {
            context.console.debug("no picture of event \(event.id): \(error.message)")
        }
    }
}

struct StateName: ArgumentValue, Equatable {
    static var placeholder: String { "NAME" }

    var text: String

    init(argument: String) throws(ValueError) {
        let isFit = argument.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber) || "._-@".contains($0)
        }
        guard isFit, (1...WatchState.longestName).contains(argument.utf8.count),
            ![".", ".."].contains(argument)
        else { throw ValueError("is not a name of 1 to 64 letters, digits, '.', '_', '-' and '@'") }
        text = argument
    }

    /// The state of one of several servers, by the id of its record, for a watch with this state.
    /// - Throws: `Failure` 2 for a name that is too long.
    static func name(_ name: String, ofServer id: String) throws(Failure) -> String {
        let own = "\(name)@\(id)"
        guard let state = try? StateName(argument: own) else {
            throw Failure(
                .usage,
                "--state: with several servers the name is \(own.inQuotes), which is too "
                    + "long")
        }
        return state.text
    }
}
