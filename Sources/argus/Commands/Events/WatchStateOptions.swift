import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import CommandLineKit

/// The options that list and remove the states of watches, instead of watching.
struct WatchStateOptions: OptionGroup, Equatable {
    var isListing = false
    var forgotten: StateName?
    var assumesYes = false
    var isDryRun = false

    static let own = rows.map { $0.inSection("States") }

    private static let rows: [Flag<WatchStateOptions>] = [
        .toggle("list-states", sets: \.isListing, "List what --state remembers"),
        .option(
            "forget", sets: \.forgotten, "Remove what --state NAME remembers",
            details: [
                """
                The next watch of that name starts from scratch. Events that wait for a command are \
                removed too. argus waits for a typed \(code: "yes"); \(flag: "yes") skips the question.
                """
            ]
        ).completing(.dynamic("states")),
        .yes(\.assumesYes),
        .dryRun(\.isDryRun, "removed"),
    ]

    /// True if the command does not watch.
    var isGiven: Bool { isListing || forgotten != nil }

    /// - Throws: `UsageError` for options that contradict each other, or `others` beside them.
    func validate(with others: Bool) throws(UsageError) {
        try UsageError.rejectBoth("--list-states", isListing, "--forget", forgotten != nil)
        if forgotten == nil, assumesYes || isDryRun {
            throw UsageError("\(assumesYes ? "--yes" : "--dry-run") is for --forget")
        }
        if isGiven, others {
            throw UsageError("\(isListing ? "--list-states" : "--forget") takes no other options")
        }
    }

    func run(in context: Context) async throws(Failure) {
        let states = WatchStates(in: context.system.paths.state)
        let fields = WatchStateView.fields(try context.serverNames())
        guard let name = forgotten?.text else {
            let printer = try context.printer(of: fields, .list)
            for state in try attempt(states.all()) { try printer.write(state) }
            return try printer.finish(
                whenEmpty: "no watch has left a state", counting: ListCount(("state", "states")))
        }
        let printer = try context.printer(of: fields, .rows(1))
        guard let state = try attempt(states.all()).first(where: { $0.name == name }) else {
            throw Failure(
                .notFound, "there is no state \(name.inQuotes)",
                hint: "'argus events watch --list-states' lists them")
        }
        guard !state.isRunning else { throw Failure(WatchStateError.running(name, pid: state.pid)) }
        if isDryRun { return try context.preview([state], with: printer) }
        if !assumesYes { try confirm(name, in: context) }
        _ = try await attempt(awaiting: await states.forget(name))
        try context.report(state, with: printer, "forgot the state '\(name)'")
    }

    private func confirm(_ name: String, in context: Context) throws(Failure) {
        let items = Queue(QueueOptions(), in: context).items().filter { $0.state == name }
        let events = items.count == 1 ? "1 event waits" : "\(items.count) events wait"
        try context.console.confirm(
            "Forget the state '\(name)' for good?",
            below: items.isEmpty ? [] : ["\(events) there for a command."],
            otherwise: "nothing was forgotten")
    }
}
