import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import CommandLineKit

extension CheckName: Choice {}

enum Check: ArgusCommand {
    struct Options: VerbOptions {
        var cameras: [String] = []
        var takesPictures = false
        var only: CommaSeparated<CheckName>?
        var quiet: Duration?
        var disk = 90
        var reportsChanges = false
        var isForNagios = false
        var printsMetrics = false
        var path: String?
    }

    static let about = CommandInfo(
        name: "check", summary: "Check whether the house is still watched", effect: .reads,
        description: """
            Asks the server everything at once: whether it answers, cameras deliver and have
            events as usual, descriptions are made, and disk, queue, clock and certificate are
            right; and looks at the watches, the archive and the receivers of this machine. Prints
            one line a check, the worst first. Changes nothing on the server. The status is 11 if
            a check fails, and 0 if there are only warnings. If the server cannot be reached, or
            the sign-in has ended, \(command: "doctor") says why.

            argus learns how long each camera is quiet at which hours, from up to four weeks of
            events, and reports a camera that is quiet for longer than it ever was:
            docs/checking.md explains this. The first check reads these weeks; the state
            folder keeps what was learnt, so later ones read only what is new.

            \(flag: "pictures") also takes a picture of each camera. A camera that still sends
            exactly the same one after 10 minutes fails, and so does a black picture.

            \(flag: "changes") is for cron. argus prints only checks whose state differs from the
            last run with \(flag: "changes"), and only those count for the status.
            """,
        examples: [
            "argus check": "All checks, the worst first",
            "argus check --pictures Garage": "One camera, and what it shows",
            "argus check --changes": "On a timer: nothing unless something begins or ends",
            "argus check --nagios": "For Icinga, Nagios and others",
            "argus check --openmetrics -o /var/lib/prometheus/node-exporter/argus.prom":
                "For Prometheus, by node_exporter's textfile collector",
        ],
        exitStatuses: .requests(
            3, ExitStatus(11, "A check fails")),
        prints: .lists(CheckView.fields),
        guesses: ["health", "status", "monitor", "silence"])

    static let flags: [Flag<Options>] = [
        .toggle("pictures", sets: \.takesPictures, "Take pictures, and look at them, too"),
        .list("only", value: "CHECK[,CHECK]", adds: \.only, "Make only these checks"),
        .option(
            "quiet-for", sets: \.quiet,
            "Expect events within DURATION"),
        .option(
            "disk", value: "PERCENT", sets: \.disk, "How full the disk may be"
        ).within(1...100).byDefault("\(Options().disk)"),
        .toggle("changes", sets: \.reportsChanges, "Print only what began or ended"),
        .toggle("nagios", sets: \.isForNagios, "Print one line, with a plugin's status (0 to 3)"),
        .toggle("openmetrics", sets: \.printsMetrics, "Print metrics for Prometheus").guessed(
            "prometheus"),
        .file("output", short: "o", sets: \.path, "Write to FILE, which is replaced at once"),
    ]

    static let arguments: [Argument<Options>] = [.cameras(\.cameras, atLeast: 0)]

    static func validate(_ options: Options) throws(UsageError) {
        try UsageError.rejectBoth(
            "--nagios", options.isForNagios, "--openmetrics", options.printsMetrics)
        try UsageError.rejectBoth(
            "--changes", options.reportsChanges, "--nagios or --openmetrics",
            options.isForNagios || options.printsMetrics)
    }

    static let tool = VerbTool(
        name: "check",
        summary: "Checks whether the house is still watched: server, cameras, receivers.",
        server: "check", results: .list("checks"))

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        var globals = context.globals
        // Every request makes one attempt, so that all ends soon if everything is down.
        globals.retries = globals.retries ?? 0
        globals.timeout = globals.timeout ?? .seconds(4)
        let patient = Context(globals: globals, system: context.system)
        do {
            let run = try await CheckRun(options, in: patient)
            try run.report()
        } catch  where options.isForNagios && !error.isReported {
            try CheckRun.report(NagiosLine(error), options, in: context)
        }
    }
}
