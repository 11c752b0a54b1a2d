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
    }

    static let about = CommandInfo(
        name: "drill", summary: "Store a test event, and see who reacts to it",
        description: """
            The test button of a smoke detector. Stores an event that says that it is a test, with
            a picture, and follows it: the server lists it, announces it, each watch of this
            machine hands it over, the watch's command ends with status 0. Then deletes the event.
            Each line says when a link of this chain held, in seconds after storing.

            Your commands and \(command: "notify run") react as to any other event: they are what
            is tested. Without \(flag: "state") all watches count that run now, with a state, for
            this server. A watch whose filter does not match the event is skipped. With
            \(flag: "push"), each receiver of \(command: "notify receivers list") must get it too.

            \(flag: "timeout") is how long the chain may take, by default 60 seconds. The event is
            deleted in any case, also after Ctrl-C. If that fails, argus prints the command that
            deletes it.
            """,
        examples: [
            "argus drill": "Does everything react?",
            "argus drill --state door --state push --push":
                "These watches must run, and each phone must get it",
            "argus drill --camera Garage --keep": "Look at the event afterwards",
        ],
        exitStatuses: .requests(
            3, ExitStatus(11, "A link broke; the message names the first one"),
            ExitStatus(13, "A link did not hold in time")),
        prints: .lists(DrillView.fields))

    static let flags: [Flag<Options>] = [
        .option(
            "camera", value: "CAMERA", sets: \.camera,
            "The camera of the event, instead of the first enabled one"
        ).completing(.dynamic("cameras")),
        .repeatable("state", appends: \.states, "Follow the watch with the state NAME")
            .completing(.dynamic("states")),
        .toggle("push", sets: \.includesPush, "Follow the receivers of pushes, too"),
        .toggle("keep", sets: \.keepsEvent, "Do not delete the event"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let lines = try DrillLines(in: context)
        let server = try await context.server()
        let states = try states(options.states, of: server, in: context)
        let receivers = options.includesPush ? try await context.loadedReceivers().tokens : []
        let cameras = try await context.cameras(of: server).values
        let camera = try camera(options.camera, among: cameras, of: server)
        var watches: [Drill.Watch] = []
        for state in states { watches.append(await watch(state, of: server, in: context)) }
        let mark = Drill.newMark()
        let event = NewEvent(
            ofCamera: camera.id, at: server.session.client.clock.now ?? context.now(),
            description: Drill.description(mark: mark), objects: ["person"], confidence: 100,
            picture: Drill.picture)
        let followers = Drill.Followers(
            watches: watches, in: WatchStates(in: context.system.paths.state),
            receivers: receivers.map {
                Drill.Receiver(id: $0.id, name: $0.device.name ?? String($0.id.prefix(8)))
            }, in: try context.deliveryLog())
        let words = DrillWords(
            server: server, camera: camera, timeout: context.globals.timeout, mark: mark,
            zone: try context.displayZone(), now: context.now)
        let report = try await interruptible(in: context) { stop in
            let drill = Drill(
                on: SessionDrillServer(server.session, endedBy: stop), followers,
                context.system.clock, timeout: words.timeout, keepsEvent: options.keepsEvent,
                endedBy: stop)
            return await drill.run(event) { await lines.write(words.row($0)) }
        } whenInterrupted: { report in
            guard let failure = await words.failure(of: report), words.isLeft(report) else {
                return
            }
            context.console.noticeAlways(failure.text(on: .none, width: .max))
        }
        try lines.finish()
        if watches.isEmpty, receivers.isEmpty {
            context.console.warn("no watch runs here, so that nothing on this machine was tested")
        }
        if let failure = await words.failure(of: report) { throw failure }
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
        let all = try attempt(WatchStates(in: context.system.paths.state).all())
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

/// The output of a drill: a line for each link, or rows for programs.
private final class DrillLines {
    private let context: Context
    private let printer: Printer<DrillRow>?
    private var failure: Failure?

    init(in context: Context) throws(Failure) {
        self.context = context
        let isForPeople = try context.format() == .table && context.globals.fields == nil
        printer = isForPeople ? nil : try context.printer(of: DrillView.fields, .list)
    }

    /// Writes a row; a failure is kept for the end, so that the event is deleted all the same.
    func write(_ row: DrillRow) {
        guard failure == nil else { return }
        do {
            guard let printer else { return try context.write(row.line(on: context.terminal)) }
            try printer.write(row)
            try printer.endPage()
        } catch { failure = error }
    }

    /// - Throws: `Failure` of the first row that could not be written.
    func finish() throws(Failure) {
        if let failure { throw failure }
        try printer?.finish()
    }
}
