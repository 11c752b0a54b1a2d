package import ArgusCore
internal import Synchronization

/// A rule for one alarm where several events mean the same visit.
package struct AlarmCooldown: Sendable, Equatable {
    /// What two events must share to be one visit.
    package enum Scope: String, Sendable, CaseIterable {
        case camera, type
        case cameraAndType = "camera,type"
        /// The server's own group of events, such as those of several cameras.
        case visit
        case all
    }

    package var duration: Duration
    package var scope: Scope

    package init(_ duration: Duration, per scope: Scope) {
        (self.duration, self.scope) = (duration, scope)
    }

    /// The name of the visit that an event belongs to.
    func group(of event: Event) -> String {
        switch scope {
        case .all: "all"
        case .camera: "camera \(event.cameraID ?? "")"
        case .type: "type \(event.type)"
        case .cameraAndType: "camera \(event.cameraID ?? "") type \(event.type)"
        case .visit: "visit \(event.visitID ?? event.id)"
        }
    }
}

/// What becomes of an event that a watch would act on.
package enum AlarmDecision: Hashable, Sendable {
    /// The event sets off an alarm; further variables of hooks, without the prefix.
    case alarm([String: String])
    case held(AlarmHold)
}

/// The reason why an event sets off no alarm.
package struct AlarmHold: Hashable, Sendable {
    package enum Reason: String, Sendable {
        /// It is muted.
        case muted
        /// It belongs to a visit that has set one off.
        case cooldown
        /// The server itself has raised an alarm for it.
        case server
        /// No rule matches it any more.
        case noRule = "no_rule"
    }

    package var reason: Reason
    /// The mute or the rule that holds it, in words.
    package var value: String?
    /// The end of the mute.
    package var until: Timestamp?

    package init(_ reason: Reason, _ value: String? = nil, until: Timestamp? = nil) {
        (self.reason, self.value, self.until) = (reason, value, until)
    }
}

/// Decides which events of a watch set off an alarm: none while it is muted, and one for each visit.
///
/// A decision is kept before the caller acts on it, and until it has accepted the event, so that a killed
/// watch comes to the same one again.
package final class AlarmGate: Sendable {
    /// An end of a mute, with the number of events that it silenced in this watch.
    package struct EndedMute: Sendable, Equatable {
        package var mute: Mute
        package var count: Int
    }

    private let cooldown: AlarmCooldown?
    private let mutes: @Sendable () -> [Mute]
    private let file: StateFile<AlarmState>?
    private let memory: Mutex<Memory>

    private struct Memory {
        var state: AlarmState
        /// The mutes that have silenced an event, by number.
        var silencing: [Int: EndedMute] = [:]
        var isUnwritten = false
    }

    /// Makes a gate; `mutes` reads the present mutes of the server, `file` keeps the decisions.
    /// - Throws: `FileSystemError` if the file cannot be read.
    package init(
        _ cooldown: AlarmCooldown?, keptIn file: StateFile<AlarmState>?,
        mutes: @escaping @Sendable () -> [Mute]
    ) throws(FileSystemError) {
        (self.cooldown, self.file, self.mutes) = (cooldown, file, mutes)
        let state: AlarmState? =
            if case .value(let state)? = try file?.read() { state } else { nil }
        memory = Mutex(Memory(state: state ?? AlarmState()))
    }

    /// Decides about an event; with `rules`, those that match it, each with its own cooldown.
    ///
    /// The second value is the failure to keep the decision, reported once until it can be kept.
    package func decide(
        _ event: Event, matching rules: [AlertRule]? = nil, at now: Timestamp
    ) -> (AlarmDecision, FileSystemError?) {
        memory.withLock { memory in
            if let known = memory.state.decided[event.id] { return (known, nil) }
            if let mute = mutes().first(where: { $0.covers(event, at: now) }) {
                memory.silencing[mute.number, default: EndedMute(mute: mute, count: 0)].count += 1
                return (.held(AlarmHold(.muted, mute.title, until: mute.until)), nil)
            }
            guard cooldown != nil || rules != nil else { return (.alarm([:]), nil) }
            let time = event.timestamp ?? now
            memory.state.forget(before: now - .seconds(2 * 86_400))
            let decision =
                if let rules { memory.state.decide(rules, at: time, now) } else {
                    memory.state.decide(cooldown, event, at: time, now)
                }
            memory.state.decided[event.id] = decision
            return (decision, keep(&memory))
        }
    }

    /// Forgets the decision about an event that needs no other one.
    package func accepted(_ id: String) {
        // The next decision writes it: until then the event may come again, with the same one.
        memory.withLock { $0.state.decided[id] = nil }
    }

    /// The mutes that have ended since they silenced an event in this watch; each comes once.
    package func endedMutes(at now: Timestamp) -> [EndedMute] {
        memory.withLock { memory in
            guard !memory.silencing.isEmpty else { return [] }
            let active = Set(mutes().filter { $0.isActive(at: now) }.map(\.number))
            let ended = memory.silencing.values.filter { !active.contains($0.mute.number) }
            for end in ended { memory.silencing[end.mute.number] = nil }
            return ended.sorted { $0.mute.number < $1.mute.number }
        }
    }

    private func keep(_ memory: inout Memory) -> FileSystemError? {
        guard let file else { return nil }
        do throws(FileSystemError) {
            try file.write(memory.state)
            memory.isUnwritten = false
            return nil
        } catch {
            defer { memory.isUnwritten = true }
            return memory.isUnwritten ? nil : error
        }
    }
}

/// The visits that have set off alarms, and the decisions about events that were not accepted yet.
///
///     {"version":1,"groups":{"camera 7323d311-…":{"last":"2026-11-26T12:23:42.000000Z",
///      "late":"2026-11-26T12:03:01.000000Z","suppressed":2}},"decided":{"8f85eda1-…":{"variables":{"SUPPRESSED":"0"}}}}
package struct AlarmState: Sendable {
    struct Group: Sendable, Equatable {
        /// The newest capture time of an alarm.
        var last: Timestamp
        /// That of the last alarm whose event came late, of an earlier visit.
        var late: Timestamp?
        /// The events without an alarm since then.
        var suppressed = 0
    }

    var groups: [String: Group] = [:]
    var decided: [String: AlarmDecision] = [:]

    package init() {}

    /// Forgets visits that are long over.
    mutating func forget(before time: Timestamp) {
        guard groups.count > 1000 else { return }
        groups = groups.filter { $0.value.last >= time }
    }

    mutating func decide(
        _ cooldown: AlarmCooldown?, _ event: Event, at time: Timestamp, _ now: Timestamp
    ) -> AlarmDecision {
        guard let cooldown else { return .alarm([:]) }
        let group = cooldown.group(of: event)
        guard let suppressed = passes(group, cooldown.duration, at: time, now) else {
            return .held(AlarmHold(.cooldown, DurationText.short(cooldown.duration)))
        }
        return .alarm(["SUPPRESSED": String(suppressed)])
    }

    /// Decides by the cooldowns of rules that match an event.
    mutating func decide(
        _ rules: [AlertRule], at time: Timestamp, _ now: Timestamp
    ) -> AlarmDecision {
        guard !rules.isEmpty else { return .held(AlarmHold(.noRule)) }
        var due: [AlertRule] = []
        var suppressed = 0
        for rule in rules {
            guard let count = passes("rule \(rule.id)", rule.cooldown, at: time, now) else {
                continue
            }
            due.append(rule)
            suppressed += count
        }
        guard !due.isEmpty else {
            return .held(AlarmHold(.cooldown, rules.map(\.name).joined(separator: ", ")))
        }
        var variables = HookVariables.ofRules(due)
        variables["SUPPRESSED"] = String(suppressed)
        return .alarm(variables)
    }

    /// Counts an event of a group: the number without an alarm before it if it sets one off, else nil.
    private mutating func passes(
        _ name: String, _ cooldown: Duration, at time: Timestamp, _ now: Timestamp
    ) -> Int? {
        guard cooldown > .zero, var group = groups[name] else {
            groups[name] = Group(last: time)
            return 0
        }
        let alarms = [group.last, group.late].compactMap(\.self)
        if alarms.contains(where: { max($0, time) - min($0, time) < cooldown }) {
            group.suppressed += 1
            groups[name] = group
            return nil
        }
        let suppressed = group.suppressed
        // An alarm in the future was that of a wrong clock.
        if time < group.last, group.last <= now { group.late = time } else { group.last = time }
        group.suppressed = 0
        groups[name] = group
        return suppressed
    }
}

extension AlarmState: StateDocument {
    package init(state: JSONValue) throws(StateUnreadable) {
        var document = try JSONObject(document: state)
        if let value = document.take("groups") {
            for (name, group) in try JSONObject(value).rest {
                var object = try JSONObject(group)
                groups[name] = Group(
                    last: try object.time("last").required(), late: try object.time("late"),
                    suppressed: Int(clamping: try object.integer("suppressed") ?? 0))
            }
        }
        guard let value = document.take("decided") else { return }
        for (id, decision) in try JSONObject(value).rest {
            var object = try JSONObject(decision)
            if let word = try object.text("held") {
                decided[id] = .held(
                    AlarmHold(
                        try AlarmHold.Reason(rawValue: word).required(), try object.text("value"),
                        until: try object.time("until")))
            } else {
                decided[id] = .alarm(
                    try HookVariables.read(try object.take("variables").required()))
            }
        }
    }

    package var state: JSONValue {
        var document = JSONObject.document()
        document.put(
            "groups",
            .object(
                groups.mapValues { group in
                    var object = JSONObject()
                    object.put("last", group.last)
                    object.put("late", group.late)
                    object.put("suppressed", .integer(Int64(group.suppressed)))
                    return object.value
                }))
        document.put(
            "decided",
            .object(
                decided.mapValues { decision in
                    var object = JSONObject()
                    switch decision {
                    case .alarm(let variables):
                        object.put("variables", .object(variables.mapValues(JSONValue.text)))
                    case .held(let hold):
                        object.put("held", hold.reason.rawValue)
                        object.put("value", hold.value)
                        object.put("until", hold.until)
                    }
                    return object.value
                }))
        return document.value
    }
}
