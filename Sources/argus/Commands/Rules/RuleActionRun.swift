import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusPush
import ArgusTransport

/// The actions of rules for an event, at once; a try that follows leaves out those that are done.
struct RuleActionRun: Sendable {
    /// The most actions of one event at once.
    private static let parallel = 8

    let command: HookCommand?
    let pushes: DeliveryDispatcher?
    let webhooks: RuleWebhook?
    let server: SignedInServer
    let rules: RuleWatch
    let sleep: @Sendable (Duration) async throws -> Void

    /// An action, by the name under which it is recorded as done.
    private struct Action: Sendable {
        var name: String
        /// Returns the reason why it failed, nil once it is done.
        var perform: @Sendable () async -> String?
    }

    /// Waits until the rules are known, which events of an earlier run need too.
    @Sendable func waitForRules() async {
        while rules.rules == nil, !Task.isCancelled {
            do { try await sleep(.seconds(1)) } catch { return }
        }
    }

    /// Does what is left to do for an event.
    @Sendable func perform(_ entry: HookEntry, picture: String?) async -> HookEnding {
        let actions = actions(for: entry, picture: picture).filter {
            !entry.done.contains($0.name)
        }
        let reasons = await actions.mapInParallel(Self.parallel) { await $0.perform() }
        guard let reason = reasons.compactMap(\.self).first else { return .done }
        let done = zip(actions, reasons).filter { $0.1 == nil }.map(\.0.name)
        return .failed(reason, done: Set(done))
    }

    private func actions(for entry: HookEntry, picture: String?) -> [Action] {
        var actions: [Action] = []
        if let command {
            actions.append(
                Action(name: "command") {
                    let ending = await command.run(
                        input: EventView.fields.jsonLine(entry.event),
                        variables: HookVariables.words(
                            of: entry.event, on: server.name, picture: picture,
                            and: entry.otherVariables))
                    if case .failed(let reason, _) = ending { return reason }
                    return nil
                })
        }
        if let pushes {
            actions.append(
                Action(name: "push") {
                    do throws(AccountError) {
                        // What fails at a receiver is recorded; another dispatch may hold the event.
                        return try await pushes.dispatch(entry.event).isComplete
                            ? nil : "was not pushed to every receiver"
                    } catch {
                        return "was not pushed: \(error)"
                    }
                })
        }
        guard let webhooks else { return actions }
        return actions
            + chosen(by: entry).map { rule in
                Action(name: "webhook \(rule.id)") {
                    await webhooks.post(
                        entry.event, of: rule, entityType: await entityType(of: rule)
                    ).map { "of the rule \(rule.name.inQuotes) was not posted: \($0)" }
                }
            }
    }

    /// The rules that set the alarm off, whose webhooks can be posted to.
    private func chosen(by entry: HookEntry) -> [AlertRule] {
        let ids = Set(HookVariables.ruleIDs(in: entry.variables))
        return (rules.rules?.rules ?? []).filter { rule in
            ids.contains(rule.id) && rule.actions.webhook != nil
                && RuleWebhook.fault(of: rule) == nil
        }
    }

    private func entityType(of rule: AlertRule) async -> String? {
        guard case .specific(let id, _) = rule.conditions.entity else { return nil }
        return try? await server.entities.show(id).entity.type
    }
}

extension RuleWebhook {
    /// The network of a run.
    init(of context: Context) throws(Failure) {
        let (system, options) = (context.system, try ConnectionOptions(of: context))
        let transport = HopTransport(
            system.makeTransport(options.proxies, options.observation), LocalNames(system.browser))
        self.init(
            transport, userAgent: options.userAgent, caFile: options.files.authorities,
            system.clock)
    }
}
