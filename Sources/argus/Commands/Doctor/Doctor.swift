import ArgusKit
import CommandLineKit

enum Doctor: ArgusCommand {
    struct Options: VerbOptions {
        var asCron = false
    }

    static let about = CommandInfo(
        name: "doctor", summary: "Find out what is wrong, and what to do about it",
        description: """
            Checks configuration, folders, sealed files, credentials, the server's name, connection,
            proof and clock, the address in use, the routes it offers, pushes, discovery,
            terminal and completions, and changes nothing. Each check is a line: ok, warning or
            failure, and the remedy. Checks that depend on a failed one are skipped with a warning. Warnings are status 0, else the status is that of the first failure.

            \(flag: "as-cron", of: "doctor") repeats the checks with an empty environment, no
            terminal and no session bus, as a timer would.
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
            // Options are checked before anything runs.
            _ = try context.tolerant.printer(of: Finding.fields, .list)
            return try await TimerRun(context: context).run()
        }
        var globals = context.globals
        // Every check makes one attempt, so that all are reported soon if everything is down.
        globals.retries = globals.retries ?? 0
        globals.timeout = globals.timeout ?? DurationArgument(.seconds(10))
        let patient = Context(globals: globals, system: context.system, toleratesFaults: true)
        let report = try Report(patient)
        let machine = MachineChecks(context: context)
        for finding in machine.before { try report.add(finding) }
        try await ServerChecks(context: patient, report: report.add).run()
        for finding in await machine.after() { try report.add(finding) }
        try report.finish()
    }
}

/// Prints findings as they come and records the first failure.
private final class Report {
    private let context: Context
    private let printer: Printer<Finding>?
    private var failures: [Finding] = []

    init(_ context: Context) throws(Failure) {
        self.context = context
        let globals = context.globals
        let isForPeople = try context.format() == .table && globals.fields == nil && !globals.isRaw
        printer = isForPeople ? nil : try context.printer(of: Finding.fields, .list)
    }

    func add(_ finding: Finding) throws(Failure) {
        if finding.state == .failure { failures.append(finding) }
        if let printer {
            try printer.write(finding)
        } else {
            try context.write(finding.line(context.terminal.style))
        }
    }

    func finish() throws(Failure) {
        try printer?.finish()
        guard let first = failures.first else { return }
        let failed = failures.map(\.check).distinct.joined(separator: ", ")
        var failure = Failure(
            first.kind, "failed: \(failed)", hint: first.remedy, reason: "check_failed")
        failure.needsAction = first.needsAction
        throw failure
    }
}
