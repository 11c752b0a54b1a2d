import ArgusKit
import CommandLineKit

/// The command `argus doctor`.
enum Doctor: ArgusCommand {
    struct Options: VerbOptions {
        var asCron = false
    }

    static let about = CommandInfo(
        name: "doctor", summary: "Find out what is wrong, and what to do about it",
        description: """
            Configuration, folders, sealed files, credentials, the server's name, connection, proof
            and clock, the way to it and what was refused, what it offers, pushes, discovery,
            terminal and completions are looked at one after the other; nothing is changed. Each
            check is a line: ok, warning or failure, and the remedy. What cannot be looked at
            because of something else is a warning with the remedy of that. Warnings are status 0,
            else the status is that of the first failure.

            With \(flag: "as-cron", of: "doctor") the same is done again with an empty environment,
            without a terminal and without a session bus, as a timer would run it.
            """,
        examples: [
            "argus doctor": "Check everything",
            "argus doctor --as-cron": "Would a timer work?",
            "argus doctor --json | jq '.[] | select(.state != \"ok\")'": "For scripts",
        ],
        exitStatuses: .requests(3), prints: .lists(Finding.fields))

    static let flags: [Flag<Options>] = [
        .toggle("as-cron", sets: \.asCron, "Check as a timer would run it")
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        if options.asCron {
            // The words are checked before anything is run.
            _ = try context.tolerant.printer(of: Finding.fields, .list)
            return try await TimerRun(context: context).run()
        }
        var globals = context.globals
        // Every check is one attempt, so that all are reported soon if everything is down.
        globals.retries = globals.retries ?? 0
        globals.timeout = globals.timeout ?? DurationArgument(.seconds(10))
        let patient = Context(globals: globals, system: context.system, toleratesFaults: true)
        let report = try Report(patient)
        try report.add(MachineChecks(context: context).before)
        for await finding in ServerChecks(context: patient).findings() { try report.add(finding) }
        try report.add(await MachineChecks(context: context).after())
        try report.finish()
    }
}

/// Prints findings as they come, and knows how it ended.
private final class Report {
    private let context: Context
    private let printer: Printer<Finding>?
    private var failures: [Finding] = []

    init(_ context: Context) throws(Failure) {
        self.context = context
        let globals = context.globals
        let isForPeople =
            try context.format() == .table && globals.fields == nil && !globals.isRaw
        printer = isForPeople ? nil : try context.printer(of: Finding.fields, .list)
    }

    func add(_ findings: [Finding]) throws(Failure) {
        for finding in findings { try add(finding) }
    }

    func add(_ finding: Finding) throws(Failure) {
        if finding.state == .failure { failures.append(finding) }
        if let printer { try printer.write(finding) } else { try context.write(finding.line) }
    }

    /// - Throws: `Failure` of the first failure.
    func finish() throws(Failure) {
        try printer?.finish()
        guard let first = failures.first else { return }
        let names = failures.map(\.check).reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }
        let failed = names.joined(separator: ", ")
        var failure = Failure(
            first.kind, "failed: \(failed)", hint: first.remedy, reason: "check_failed")
        failure.needsAction = first.needsAction
        throw failure
    }
}
