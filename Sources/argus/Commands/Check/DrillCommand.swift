import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusPush
import ArgusTransport
import CommandLineKit

enum DrillCommand: ArgusCommand {
    struct Options: VerbOptions {
        var camera: String?
        var states: [StateName] = []
        var includesPush = false
        var keepsEvent = false
        var avoidsRules = false
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "drill", summary: "Store a test event, and see who reacts to it", effect: .sends,
        description: """
            The test button of a smoke detector. Stores an event that says that it is a test, with
            a picture, and follows it: the server lists it, announces it, each watch of this
            machine hands it over, the watch's command ends with status 0. Then deletes the event.
            Each line says when a link of this chain held, in seconds after storing.

            Your commands and \(command: "notify run") react as to any other event: they are what
            is tested. Without \(flag: "state") all watches count that run now, with a state, for
            this server. A watch whose filter does not match the event is skipped. With
            \(flag: "push"), each receiver of \(command: "notify receivers list") must get it too.

            Today's servers apply their alert rules to such an event: notifications appear, and webhooks
            get it. argus names the rules that will fire, and waits for a typed \(code: "yes").
            \(flag: "no-rules") takes a camera and a type of event that no rule is about.

            \(flag: "timeout") is how long the chain may take, by default 60 seconds. The event is
            deleted in any case, also after Ctrl-C. If that fails, argus prints the command that
            deletes it.
            """,
        examples: [
            "argus drill": "Does everything react?",
            "argus drill --state door --state push --push":
                "These watches must run, and each phone must get it",
            "argus drill --no-rules":
                "Without an alarm by the server's own rules, such as on a timer",
            "argus drill --camera Garage --keep": "Look at the event afterwards",
        ],
        exitStatuses: .requests(
            3, ExitStatus(11, "A link broke; the message names the first one"),
            ExitStatus(13, "A link did not hold in time")),
        prints: .lists(DrillView.fields))

    static let flags: [Flag<Options>] = [
        .option(
            "camera", value: "CAMERA", sets: \.camera,
            "Use this camera, not the first enabled one"
        ).completing(.dynamic("cameras")),
        .repeatable("state", appends: \.states, "Follow the watch with the state NAME")
            .completing(.dynamic("states")),
        .toggle("push", sets: \.includesPush, "Follow the receivers of pushes, too"),
        .toggle("keep", sets: \.keepsEvent, "Do not delete the event"),
        .toggle("no-rules", sets: \.avoidsRules, "Set off no alert rule of the server"),
        .yes(\.assumesYes),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let lines = try DrillLines(in: context)
        let server = try await context.server()
        let states = try states(options.states, of: server, in: context)
        let receivers = options.includesPush ? try await context.loadedReceivers().tokens : []
        let cameras = try await context.cameras(of: server).values
        let mark = Drill.newMark()
        var event = NewEvent(
            ofCamera: try camera(options.camera, among: cameras, of: server).id,
            at: server.session.client.clock.now ?? context.now(),
            description: Drill.description(mark: mark), objects: [DrillRules.types[0]],
            confidence: 100, picture: Drill.picture)
        let setsOffAlert = try await settleRules(
            &event, options, cameras, of: server, in: context)
        var watches: [Drill.Watch] = []
        for state in states { watches.append(await watch(state, of: server, in: context)) }
        let followers = Drill.Followers(
            watches: watches, in: WatchStates(in: context.system.paths.state),
            receivers: receivers.map {
                Drill.Receiver(id: $0.id, name: $0.device.name ?? String($0.id.prefix(8)))
            }, in: try context.deliveryLog())
        let words = DrillWords(
            server: server, camera: cameras.first { $0.id == event.cameraID },
            timeout: context.globals.timeout, mark: mark,
            zone: try context.displayZone(), now: context.now)
        let report = try await interruptible(in: context) { stop in
            let drill = Drill(
                on: SessionDrillServer(server.session, endedBy: stop), followers,
                context.system.clock, timeout: words.timeout, keepsEvent: options.keepsEvent,
                endedBy: stop)
            return await drill.run(event, setsOffAlert: setsOffAlert) {
                await lines.write(words.row($0))
            }
        } whenInterrupted: { report in
            guard let failure = await words.failure(of: report), words.isLeft(report) else {
                return
            }
            context.console.noticeAlways(failure.text(on: .none, width: .max))
        }
        try lines.finish()
        if let failure = await words.failure(of: report) { throw failure }
        if watches.isEmpty, receivers.isEmpty {
            context.console.warn("no watch runs here, so that nothing on this machine was tested")
        }
    }

    /// Chooses an event that sets off no rule, or asks whether the rules may fire; true if some will.
    private static func settleRules(
        _ event: inout NewEvent, _ options: Options, _ cameras: [Camera],
        of server: SignedInServer, in context: Context
    ) async throws(Failure) -> Bool {
        let listed: ListedRows<AlertRule>
        do throws(APIError) {
            listed = try await RuleService(session: server.session).list()
        } catch  where error.isUnsupported {
            return false
        } catch {
            throw await server.failure(error, doing: "list alert rules")
        }
        let rules = DrillRules(listed.values)
        if options.avoidsRules {
            let enabled = cameras.filter { $0.isEnabled != false }.map(\.id)
            let chosen = options.camera.map { _ in [event.cameraID] } ?? enabled
            guard listed.unreadableRows == 0, let other = rules.unmatched(event, among: chosen)
            else {
                throw Failure(
                    .failed, "every event that argus could store sets off an alert rule",
                    hint: "leave out --no-rules, and argus names the rules", reason: "rules")
            }
            event = other
            return false
        }
        var lines = rules.rules(setOffBy: event).map(\.drillLine)
        if listed.unreadableRows > 0 {
            lines.append("\(listed.unreadableRows) more, which argus cannot read")
        }
        guard !lines.isEmpty else { return false }
        let what =
            "the event sets off \(lines.count == 1 ? "this alert rule" : "these alert rules")"
        if options.assumesYes {
            context.console.notice("\(what): \(lines.joined(separator: "; "))")
        } else {
            try context.console.confirm(
                what, lines, "Store it?", orPass: "--yes, or --no-rules",
                otherwise: "nothing was stored")
        }
        return true
    }

    /// Runs a drill, which a signal and a reader of stdout that leaves bring to its end; the signal then
    /// kills.
    private static func interruptible(
        in context: Context, _ run: (DrillStop) async -> DrillReport,
        whenInterrupted: (DrillReport) async -> Void
    ) async throws(Failure) -> DrillReport {
        let (stop, endings) = (DrillStop(), Collected<Int32?>())
        Signals.onEndRequest {
            endings.add($0)
            stop.request()
        }
        let report = await run(stop)
        Signals.onEndRequest { $0.map(Signals.repeatRequest) }
        guard let ending = endings.all.first else { return report }
        await whenInterrupted(report)
        if let signal = ending {
            Signals.repeatRequest(signal)
            await context.sleep(.seconds(60))
        }
        throw .closedPipe
    }

    private static func camera(
        _ name: String?, among cameras: [Camera], of server: SignedInServer
    ) throws(Failure) -> Camera {
        if let name { return try cameras.named(name) }
        if let camera = cameras.first(where: { $0.isEnabled != false }) { return camera }
        throw Failure(
            .notFound, "'\(server.name)' has no camera that is enabled",
            hint: "name a disabled one with --camera")
    }

    /// The states to follow: those that are named, else those of the watches that run.
    private static func states(
        _ names: [StateName], of server: SignedInServer, in context: Context
    ) throws(Failure) -> [WatchStates.Summary] {
        let states = WatchStates(in: context.system.paths.state)
        var all: [WatchStates.Summary] = []
        for name in states.names {
            do throws(FileSystemError) {
                all.append(try states.summary(of: name))
            } catch {
                context.console.warn("\(error); the state '\(name)' is left out")
            }
        }
        let id = server.record?.id.text ?? server.name
        guard !names.isEmpty else { return all.filter { $0.isRunning && $0.server == id } }
        return try names.map(\.text).distinct.map { (name) throws(Failure) in
            // With several servers, each has a state of its own.
            let found = all.filter { $0.name == name || $0.name == "\(name)@\(id)" }
            guard let state = found.first(where: { $0.server == id }) ?? found.first else {
                throw Failure(
                    .notFound, "there is no state \(name.inQuotes)",
                    hint: "'argus events watch --list-states' lists them")
            }
            guard state.server == id else {
                throw Failure(
                    .usage, "the state \(name.inQuotes) does not belong to '\(server.name)'")
            }
            return state
        }
    }

    private static func watch(
        _ state: WatchStates.Summary, of server: SignedInServer, in context: Context
    ) async -> Drill.Watch {
        let text = state.filter ?? ""
        let filter = try? EventFilterOptions(conditionText: text)?.unresolved(in: context)
        return Drill.Watch(
            state.name, filterText: text,
            filter: try? await filter?.resolved(with: server.session, notify: { _ in }),
            command: state.command)
    }
}

extension Console {
    /// Prompts for a typed `yes` before something that `lines` list.
    ///
    /// - Throws: `Failure` 2 that names them, without a terminal; 1 with `refusal` for any other answer.
    fileprivate func confirm(
        _ what: String, _ lines: [String], _ prompt: String, orPass remedy: String,
        otherwise refusal: String
    ) throws(Failure) {
        do throws(Failure) {
            try expectTerminal(toConfirmOr: remedy)
        } catch {
            var failure = error
            failure.message += "; \(what): \(lines.joined(separator: "; "))"
            throw failure
        }
        try confirm(
            prompt, below: ["\(what):"] + lines.map { "  " + $0 },
            otherwise: refusal)
    }
}

extension AlertRule {
    /// Its name and what it does: `night people (a notification, a webhook at https://hook.example)`.
    fileprivate var drillLine: String {
        var acts: [String] = []
        if actions.notifiesDashboard { acts.append("a notification") }
        if let webhook = actions.webhook { acts.append("a webhook at \(Self.origin(webhook.url))") }
        return acts.isEmpty ? name : "\(name) (\(acts.joined(separator: ", ")))"
    }

    /// The part of an address without secrets.
    private static func origin(_ url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, let host = parts[2].split(separator: "@").last else { return "…" }
        return "\(parts[0])//\(host)"
    }
}

/// The output of a drill: a line for each link, or rows for programs.
private final class DrillLines {
    private let context: Context
    private let printer: Printer<DrillRow>?
    private let isForMachines: Bool
    private var failure: Failure?

    init(in context: Context) throws(Failure) {
        self.context = context
        isForMachines = try context.isForMachines()
        let isForPeople = !isForMachines && context.globals.fields == nil
        printer = isForPeople ? nil : try context.printer(of: DrillView.fields, .list)
    }

    /// Writes a row; a failure is kept for the end, so that the event is deleted all the same.
    func write(_ row: DrillRow) {
        guard failure == nil else { return }
        do {
            guard let printer else { return try context.write(row.line.text(on: context.terminal)) }
            try printer.write(row)
            // The columns of a table fit all rows.
            if isForMachines { try printer.endPage() }
        } catch { failure = error }
    }

    /// - Throws: `Failure` of the first row that could not be written.
    func finish() throws(Failure) {
        if let failure { throw failure }
        try printer?.finish()
    }
}
