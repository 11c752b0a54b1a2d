import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusPush
import ArgusTransport
import CommandLineKit

enum RulesRun: ArgusCommand {
    struct Options: VerbOptions {
        var rules: [RuleNameList] = []
        var zone = RuleZone.local
        var state: StateName?
        var postsWebhooks = false
        var pushes = false
        var duration: Duration?
        var hook = HookOptions()
    }

    /// The first words of what its states are for.
    static let purpose = "rules run"

    static let about = CommandInfo(
        name: "run", summary: "Act on new events by the alert rules of the server", effect: .sends,
        description: """
            The alarm that today's servers lack: they apply rules only to events that a program adds.
            argus watches for new events of cameras, applies the enabled rules and their cooldowns,
            and acts: it runs \(value: "COMMAND"), delivers to the receivers of
            \(command: "notify receivers") with \(flag: "push"), and posts to the rules' own webhooks
            with \(flag: "webhooks"): the same JSON, header fields and tries.

            Cooldowns count by the times at which events were captured. With \(flag: "state") they
            and unfinished actions survive a restart, and no event is lost. Rules are read again
            every minute, and at once when argus changes one on this machine. argus waits 3 seconds
            for the server to name who is in an event, and to raise its own alarm: such an event is
            left to the server.

            The command gets what \(command: "events watch") gives it, and
            \(code: "ARGUS_EVENT_RULE_ID") and \(code: "ARGUS_EVENT_RULE_NAME"). Actions that fail
            are repeated as those of \(command: "events watch"). \(command: "mute") silences them.
            \(code: "argus-rules.service") runs it.
            """,
        examples: [
            "argus rules run --state rules --webhooks":
                "The rules' webhooks, for the events of cameras",
            "argus rules run --state rules --push": "Notifications on your phones",
            "argus rules run --rule 'Night people' -- ./siren.sh": "A command for one rule",
        ],
        exitStatuses: .requests(3, ExitStatus(11, "Some actions failed for good"), 12))

    static let flags: [Flag<Options>] =
        [
            .repeatable("rule", appends: \.rules, "Only these rules").withBlanks(),
            .ruleZone(\.zone),
            .option("state", sets: \.state, "Remember under NAME what was done")
                .completing(.dynamic("states")),
            .toggle("webhooks", sets: \.postsWebhooks, "Post to the webhooks of the rules"),
            .toggle("push", sets: \.pushes, "Deliver to the receivers of 'notify receivers'"),
            .option("for", sets: \.duration, "End after DURATION"),
        ] + HookOptions.flags(at: \Options.hook)

    static let arguments: [Argument<Options>] = [
        .repeated(
            "COMMAND", appends: \.hook.command,
            "The program to run for each alarm, and its arguments"
        ).completing(.command).afterDashes(guessed: "exec", "hook", "run", "command")
    ]

    static func validate(_ options: Options) throws(UsageError) {
        if options.hook.wantsPicture, options.hook.command.isEmpty {
            throw UsageError("--thumbnail needs a command", hint: "add it at the end: -- COMMAND")
        }
        guard options.postsWebhooks || options.pushes || !options.hook.command.isEmpty else {
            throw UsageError(
                "no action given", hint: "add --webhooks, --push, or a command: -- COMMAND")
        }
    }

    static func check(_ options: Options, in context: Context) throws(Failure) {
        _ = try options.hook.resolve(in: context)
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let command = try options.hook.resolve(in: context)
        var filter = EventFilterOptions()
        filter.rules = options.rules
        if filter.rules.isEmpty, let all = try? RuleNameList(argument: RuleChoice.all) {
            filter.rules = [all]
        }
        filter.ruleZone = options.zone
        let server = try await context.server()
        let pushes =
            try options.pushes
            ? context.dispatcher(maxAge: nil, report: context.console.deliveryReports) : nil
        if options.pushes { _ = try await context.loadedReceivers() }
        let watch = try await EventWatch(
            filter, on: server, stateNamed: options.state?.text,
            purpose: [Self.purpose, filter.conditionText].joined(separator: " "), settles: true,
            postsWebhooks: options.postsWebhooks, isService: true, in: context)
        guard let rules = watch.members.first?.rules else { return }
        let webhooks = try options.postsWebhooks ? RuleWebhook(of: context) : nil
        let actions = RuleActionRun(
            command: command, pushes: pushes, webhooks: webhooks, server: server, rules: rules,
            sleep: context.system.clock.sleep)
        await reportProblems(
            of: filter, postsWebhooks: options.postsWebhooks, on: server, in: context)
        let hooks = try await EventHooks(
            options.hook, for: { _ in actions.perform }, awaiting: actions.waitForRules,
            named: "alarm", of: watch, in: context)
        try await hooks.finish { () async throws(Failure) in
            try await watch.run(for: options.duration, stop: hooks.stop) {
                event, member async throws(Failure) in
                await hooks.add(event, of: member, byRules: true)
            }
        }
    }

    /// Names what is gone that the rules are about, and webhooks that cannot be posted to, as far as the
    /// server answers.
    private static func reportProblems(
        of filter: EventFilterOptions, postsWebhooks: Bool, on server: SignedInServer,
        in context: Context
    ) async {
        guard let choice = try? filter.unresolved(in: context).rules,
            let known = try? await RuleList(server, in: context).rules.values,
            let rules = try? RuleSet(known, choice).rules,
            let names = try? await RuleNames(rules, on: server, in: context)
        else { return }
        for rule in rules {
            context.console.warn(of: rule, names.problems(of: rule))
            if postsWebhooks { context.console.warnOfWebhook(of: rule) }
        }
    }
}

extension Console {
    /// Tells of a change of the rules of a watch.
    func report(_ change: RuleWatch.Change, postsWebhooks: Bool) {
        switch change {
        case .left(let rule):
            warn(
                "the rule \(rule.name.inQuotes) is no longer applied: it was deleted or disabled")
        case .applied(let rule):
            warn(of: rule, rule.problems)
            if postsWebhooks { warnOfWebhook(of: rule) }
        }
    }

    /// Names problems of a rule.
    func warn(of rule: AlertRule, _ problems: [String]) {
        for problem in problems { warn("the rule \(rule.name.inQuotes): \(problem)") }
    }

    fileprivate func warnOfWebhook(of rule: AlertRule) {
        guard let fault = RuleWebhook.fault(of: rule) else { return }
        warn(of: rule, ["\(fault)"])
    }
}
