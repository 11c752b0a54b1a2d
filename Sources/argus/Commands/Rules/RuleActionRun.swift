import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusPush
import ArgusTransport
import Synchronization

/// The actions of rules for an event; those that have succeeded are not repeated with the others.
final class RuleActionRun: Sendable {
    private let command: HookCommand?
    private let pushes: DeliveryDispatcher?
    private let webhooks: RuleWebhook?
    private let server: SignedInServer
    private let rules: RuleWatch
    private let context: Context
    /// The names of the actions that were done, by event.
    private let done = Mutex<[String: Set<String>]>([:])

    init(
        command: HookCommand?, pushes: DeliveryDispatcher?, webhooks: RuleWebhook?,
        server: SignedInServer, rules: RuleWatch, in context: Context
    ) {
        (self.command, self.pushes, self.webhooks) = (command, pushes, webhooks)
        (self.server, self.rules, self.context) = (server, rules, context)
    }

    /// Waits until the rules are known, which events of an earlier run need too.
    func waitForRules() async {
        let sleep = context.system.clock.sleep
        while rules.rules == nil, !Task.isCancelled {
            do { try await sleep(.seconds(1)) } catch { return }
        }
    }

    /// Does what is left to do for an event.
    @Sendable func perform(_ entry: HookEntry, picture: String?) async -> HookEnding {
        var failures: [String] = []
        if let command, !isDone("command", entry.id) {
            let ending = await command.run(
                input: EventView.fields.jsonLine(entry.event),
                variables: HookVariables.words(
                    of: entry.event, on: server.name, picture: picture, and: entry.otherVariables))
            switch ending {
            case .done: note("command", entry.id)
            case .failed(let reason): failures.append(reason)
            case .timedOut, .interrupted: return ending
            }
        }
        if let pushes, !isDone("push", entry.id) {
            do throws(AccountError) {
                // What fails at a receiver is recorded; another dispatch may hold the event.
                if try await pushes.dispatch(entry.event).isComplete {
                    note("push", entry.id)
                } else {
                    failures.append("was not pushed to every receiver")
                }
            } catch {
                failures.append("was not pushed: \(error)")
            }
        }
        for rule in chosen(by: entry) {
            guard let webhooks, !isDone(rule.id, entry.id) else { continue }
            let reason = await webhooks.post(
                entry.event, of: rule, entityType: await entityType(of: rule))
            if let reason {
                failures.append("of the rule \(rule.name.inQuotes) was not posted: \(reason)")
            } else {
                note(rule.id, entry.id)
            }
        }
        guard let first = failures.first else {
            done.withLock { $0[entry.id] = nil }
            return .done
        }
        return .failed(first)
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

    private func isDone(_ action: String, _ event: String) -> Bool {
        done.withLock { $0[event]?.contains(action) ?? false }
    }

    private func note(_ action: String, _ event: String) {
        done.withLock { done in
            // An event that was set aside may stay; the first of very many are forgotten.
            if done.count > 10_000 { done = [:] }
            done[event, default: []].insert(action)
        }
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
