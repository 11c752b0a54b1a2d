import ArgusAccount
import ArgusCore
import CommandLineKit

enum Doctor: ArgusCommand {
    struct Options: VerbOptions {
        var asCron = false
        var testsPush = false
    }

    static let about = CommandInfo(
        name: "doctor", summary: "Find problems, and what to do about them", effect: .reads,
        description: """
            Checks this machine (configuration, folders, sealed files, queue, terminal,
            completions), the server (name, connection, identity, clock, credentials, routes),
            pushes and discovery. Changes nothing. \(command: "check") is about the house: its
            cameras, and whether they are still watched.

            Each check prints what was found and what helps. Checks that depend on a failed one are
            counted; formats for programs have a row for each. The status is 0 if there are only
            warnings, else that of the first failure.

            \(flag: "as-cron") runs the checks as a timer would run argus: with an empty
            environment, no terminal and no session bus. \(code: "ARGUS_SERVER") and
            \(code: "ARGUS_API_KEY_FILE") of this shell do not count there: give
            \(flag: "server") and \(flag: "api-key-file") as the job does. \(flag: "push") also receives a test push
            on this machine; the server sends its test to all its users.
            """,
        examples: [
            "argus doctor": "Check everything",
            "argus doctor --as-cron": "Check whether a timer would work",
            "argus doctor --push": "Check whether the server's pushes work, too",
            "argus doctor --json | jq '.[] | select(.state != \"ok\")'": "For scripts",
        ],
        exitStatuses: .requests(3), prints: .lists(Finding.fields),
        guesses: ["status", "ping"],
        operandOption: "--server")

    static let flags: [Flag<Options>] = [
        .toggle("as-cron", sets: \.asCron, "Run the checks as a timer would").guessed(
            "cron", "timer"),
        .toggle("push", sets: \.testsPush, "Receive a test push, too"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        if options.asCron { return try await runAsTimer(options, in: context) }
        var globals = context.globals
        // Every check makes one attempt, so that all are reported soon if everything is down.
        globals.retries = globals.retries ?? 0
        globals.timeout = globals.timeout ?? .seconds(10)
        let patient = Context(globals: globals, system: context.system, toleratesFaults: true)
        let report = try DoctorReport(patient)
        let machine = MachineChecks(context: context)
        for finding in machine.before { try report.add(finding) }
        try await ServerChecks(
            context: patient, testsPush: options.testsPush, report: report.add
        ).run()
        for finding in await DeliveryChecks(context: patient).findings() { try report.add(finding) }
        for finding in await machine.after() { try report.add(finding) }
        try report.finish()
    }

    /// Runs the checks again under the conditions of a timer: cron's `PATH` alone, a new session
    /// without a terminal, and no bus.
    private static func runAsTimer(
        _ options: Options, in context: Context
    ) async throws(Failure) {
        let report = try DoctorReport(context.tolerant)
        let ending: Subprocess.Answer
        do {
            ending = try await Subprocess.run(
                "/proc/self/exe", timerWords(options, context.globals),
                environment: Environment(["PATH": "/usr/bin:/bin"]), timeout: .seconds(120),
                outputLimit: 1 << 20)
        } catch {
            throw Failure(.failed, "cannot repeat the checks: \(error)")
        }
        let lines = ending.output.reveal().split { $0 == UInt8(ascii: "\n") }
        let findings = lines.compactMap { line in
            (try? JSONView.parse(Array(line))).flatMap(Finding.init)
        }
        guard !findings.isEmpty else {
            throw Failure(.failed, "cannot repeat the checks: they printed nothing")
        }
        for finding in findings { try report.add(explained(finding, in: context)) }
        try report.end()
        guard ending.status != 0 else { return }
        throw Failure(
            ending.status.flatMap(ExitKind.init(rawValue:)) ?? .failed, "a timer would fail",
            hint: "a job has only what you give it; see 'argus help environment'",
            reason: "check_failed")
    }

    /// The variables with a server or credentials, and the options that replace them.
    private static let variables: [(name: String, option: String)] = [
        ("ARGUS_SERVER", "--server"), ("ARGUS_TOKEN", "--token-file"),
        ("ARGUS_TOKEN_FILE", "--token-file"), ("ARGUS_API_KEY", "--api-key-file"),
        ("ARGUS_API_KEY_FILE", "--api-key-file"),
    ]

    /// The finding of a timer's run; one about a missing server or missing credentials names the
    /// variables of this shell that have them.
    private static func explained(_ finding: Finding, in context: Context) -> Finding {
        let globals = context.globals
        let hasCredentials = globals.tokenFile != nil || globals.apiKeyFile != nil
        let missing = variables.filter { name, option in
            context.system.environment[name] != nil
                && (option == "--server" ? globals.server == nil : !hasCredentials)
        }
        let isAboutServer = finding.check == "server" || finding.skip == .noServer
        let isAboutCredentials = finding.check == "credentials" || finding.skip == .noCredentials
        guard finding.state != .ok, isAboutServer || isAboutCredentials,
            missing.contains(where: { isAboutCredentials || $0.option == "--server" })
        else { return finding }
        var finding = finding
        if finding.skip == nil {
            let names = missing.map(\.name)
            finding.message +=
                ": \(names.joined(separator: " and ")) of this shell "
                + "\(names.count == 1 ? "does" : "do") not count here"
        }
        let options = missing.map(\.option).distinct.joined(separator: " and ")
        finding.remedy = "give \(options) as the job does"
        return finding
    }

    /// The options of this run, which a timer would use too.
    private static func timerWords(_ options: Options, _ globals: GlobalOptions) -> [String] {
        let named = [
            ("server", globals.server), ("via", globals.via?.rawValue),
            ("timeout", globals.timeout.map { DurationText.short($0) }),
            ("token-file", globals.tokenFile), ("api-key-file", globals.apiKeyFile),
            ("passphrase-file", globals.passphraseFile), ("cacert", globals.authorities),
            ("cert", globals.certificate), ("key", globals.key),
        ]
        return ["doctor", "--no-input", "--format=ndjson"] + (options.testsPush ? ["--push"] : [])
            + named.compactMap { name, value in value.map { "--\(name)=\($0)" } }
    }
}
