import ArgusAccount
import ArgusCore
import ArgusEvents
import Synchronization

/// The gates of a watch, one for each server: what is muted or belongs to an earlier visit is counted, and
/// nothing is done for it.
struct AlarmGates: Sendable {
    private let gates: [AlarmGate]
    private let watch: EventWatch
    private let context: Context

    init(
        _ cooldown: AlarmCooldown?, of watch: EventWatch, in context: Context
    ) throws(Failure) {
        (self.watch, self.context) = (watch, context)
        gates = try watch.members.map { (member) throws(Failure) in
            let mutes = try context.mutes(of: member.server)
            return try attempt(
                AlarmGate(cooldown, keptIn: member.state?.alarms, mutes: mutes))
        }
    }

    /// Decides about an event, with `rules` by their cooldowns; the variables of its alarm, or the reason
    /// why there is none.
    func decide(
        _ event: Event, of member: EventWatch.Member, matching rules: [AlertRule]? = nil
    ) -> AlarmDecision {
        reportEndedMutes()
        let (decision, error) = gates[member.index].decide(
            event, matching: rules, at: context.now())
        if let error {
            context.console.warn("\(error); after a restart, an alarm may come again")
        }
        return decision
    }

    /// Records that an event was taken over, or that nothing is done for it.
    func accepted(_ event: Event, of member: EventWatch.Member, _ decision: AlarmDecision) {
        gates[member.index].accepted(event.id)
        guard case .held(let hold) = decision else { return }
        watch.note(hold)
        context.console.debug(
            "event \(event.id): \(hold.reason.rawValue)" + (hold.value.map { ", \($0)" } ?? ""))
    }

    /// Reports how many events each mute that has ended has silenced.
    func reportEndedMutes() {
        let zone = context.timeZone
        for gate in gates {
            for end in gate.endedMutes(at: context.now()) {
                let events = end.count == 1 ? "1 event was" : "\(end.count) events were"
                context.console.notice(
                    "\(events) muted until \(end.mute.until.displayText(in: zone)): "
                        + end.mute.title)
            }
        }
    }
}

extension Context {
    var muteStore: MuteStore { MuteStore(in: system.paths.state) }

    /// Reads the mutes of a server whenever it is called.
    ///
    /// - Throws: `Failure` 1 if they cannot be read now.
    func mutes(of server: SignedInServer) throws(Failure) -> @Sendable () -> [Mute] {
        let (store, id) = (muteStore, server.record?.id.text ?? server.name)
        _ = try attempt(store.all())
        let lastFault = Mutex<String?>(nil)
        return { [console] in
            let (mutes, fault): ([Mute], String?)
            do throws(AccountError) { (mutes, fault) = (try store.all(), nil) } catch {
                // An alarm too many is better than one too few.
                (mutes, fault) = ([], "\(error); until it can be read, nothing is muted")
            }
            lastFault.withLock { last in
                if let fault, fault != last { console.warn(fault) }
                last = fault
            }
            return mutes.filter { $0.server == id }
        }
    }
}
