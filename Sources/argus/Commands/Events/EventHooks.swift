import ArgusAccount
import ArgusCore
import ArgusEvents

/// The hooks of a watch: a command, or other actions, for each of its events.
struct EventHooks {
    /// Acts on an event; `picture` is the path of its picture, nil if none was asked for.
    typealias Action = @Sendable (_ entry: HookEntry, _ picture: String?) async -> HookEnding

    /// A dispatcher for each server of the watch.
    private let dispatchers: [HookDispatcher]
    private let gates: AlarmGates
    private let console: Console
    /// What messages call the action.
    private let work: String
    /// True if events outlive the watch.
    private let isStored: Bool

    /// Prepares hooks that run a command, and runs those that an earlier watch with the same state left.
    init(
        _ options: HookOptions, _ command: HookCommand, cooldown: AlarmCooldown?,
        of watch: EventWatch, in context: Context
    ) async throws(Failure) {
        for member in watch.members { member.state?.record(command: command.program) }
        try await self.init(
            options,
            for: { (server) -> Action in
                { entry, picture in
                    await command.run(
                        input: EventView.fields.jsonLine(entry.event),
                        variables: HookVariables.words(
                            of: entry.event, on: server.name, picture: picture,
                            and: entry.otherVariables))
                }
            }, cooldown: cooldown, of: watch, in: context)
    }

    /// Prepares hooks that do what `action` does on each server, once `wait` has returned.
    ///
    /// `work` is what messages call it.
    init(
        _ options: HookOptions, for action: (SignedInServer) -> Action,
        awaiting wait: @escaping @Sendable () async -> Void = {}, named work: String = "command",
        cooldown: AlarmCooldown? = nil, of watch: EventWatch, in context: Context
    ) async throws(Failure) {
        (console, self.work) = (context.console, work)
        isStored = watch.members.contains { $0.state != nil }
        gates = try AlarmGates(cooldown, of: watch, in: context)
        dispatchers = try watch.members.map { (member) throws(Failure) in
            try Self.dispatcher(
                options, action(member.server), after: wait, named: work, of: member, in: context)
        }
        for dispatcher in dispatchers { try await attempt(awaiting: await dispatcher.begin()) }
    }

    private static func dispatcher(
        _ options: HookOptions, _ action: @escaping Action,
        after wait: @escaping @Sendable () async -> Void, named work: String,
        of member: EventWatch.Member, in context: Context
    ) throws(Failure) -> HookDispatcher {
        let (console, system, server) = (context.console, context.system, member.server)
        let store = member.state.map { HookStore($0.hooks) }
        // Without a state a kill leaves the pictures of running hooks to the system.
        let folder =
            try options.wantsPicture
            ? attempt(store?.emptyPictures()) ?? system.environment["TMPDIR"] ?? "/tmp" : nil
        return HookDispatcher(
            options.limits, system.clock, store: store,
            prepare: { [line = system.streams.statusLine] entry in
                await wait()
                let picture: PrivateTemporaryFile? =
                    if let folder {
                        await server.picture(
                            for: entry.event, in: folder, debug: console.debug)
                    } else { nil }
                let path = folder.map { _ in picture?.path ?? "" }
                return {
                    // The command prints on the terminal itself.
                    line.cover()
                    defer {
                        line.uncover()
                        withExtendedLifetime(picture) {}
                    }
                    return await action(entry, path)
                }
            },
            report: { console.report($0, by: work) })
    }

    /// Takes an event over; false if it has to be offered again.
    ///
    /// With `byRules` the cooldowns of the rules that match count, and alarms of the server itself are not
    /// repeated.
    func add(
        _ event: Event, of member: EventWatch.Member, byRules: Bool = false
    ) async -> Bool {
        let rules = member.rules?.rules?.matching(event)
        let decision: AlarmDecision =
            byRules && event.alertTriggered == true
            ? .held(AlarmHold(.server))
            : gates.decide(event, of: member, matching: byRules ? rules ?? [] : nil)
        if case .alarm(var variables) = decision {
            if !byRules, let rules {
                variables.merge(HookVariables.ofRules(rules)) { own, _ in own }
            }
            guard await dispatchers[member.index].add(event, variables) else { return false }
        }
        gates.accepted(event, of: member, decision)
        return true
    }

    /// Starts the grace period of running commands.
    @Sendable func stop() async {
        for dispatcher in dispatchers { await dispatcher.stop() }
    }

    /// Runs a watch to its end, and waits for the commands.
    ///
    /// - Throws: `Failure` of the watch, 12 after a gap, else 11 if a server refused for good or events
    ///   were set aside.
    func finish(_ watch: () async throws(Failure) -> FeedEnd) async throws(Failure) {
        let ending = await result(of: watch)
        if case .failure = ending { await stop() }
        let summaries = await dispatchers.mapInParallel(dispatchers.count) { await $0.finish() }
        let summary = HookSummary(joining: summaries)
        gates.reportEndedMutes()
        let end = try ending.get()
        if summary.kept > 0 {
            let events = summary.kept == 1 ? "event waits" : "events wait"
            console.notice("\(summary.kept) \(events) for the next watch with this state")
        }
        try end.expectComplete()
        try summary.expectNone(
            by: work,
            whenSetAside: isStored
                ? "'argus queue retry' tries again, 'argus queue list' lists them" : nil,
            whenLost: "with --state NAME the next watch goes on with them")
    }
}

extension HookSummary {
    /// - Throws: `Failure` 11 for events, or other things, without success, with one of the hints.
    func expectNone(
        of thing: String = "event", by work: String = "command",
        named name: (String) -> String = \.self,
        whenSetAside hint: String? = nil, whenLost lostHint: String? = nil
    ) throws(Failure) {
        let failed = setAside + lost
        guard !failed.isEmpty else { return }
        let count = failed.count + forgotten
        let events = count == 1 ? "1 \(thing)" : "\(count) \(thing)s"
        var failure = Failure(
            .partial,
            lost.isEmpty
                ? "\(events) set aside: the \(work) failed"
                : "the \(work) did not succeed for \(events) before the end",
            hint: lost.isEmpty ? hint : lostHint)
        failure.items = failed.map {
            Failure.Item(
                id: name($0.id), kind: .failed, message: "it " + ($0.reason ?? "was not run"))
        }
        throw failure
    }
}

extension EventWatch {
    /// Warns of events in the state whose commands a watch without one does not run.
    func warnOfQueue(in context: Context) throws(Failure) {
        for state in members.compactMap(\.state) {
            let count = try attempt(HookStore(state.hooks).all()).entries.count
            guard count > 0 else { continue }
            let events = count == 1 ? "1 event waits" : "\(count) events wait"
            context.console.warn(
                "\(events) in the state '\(state.name)' for a command; 'argus queue list' lists "
                    + "them")
        }
    }
}

extension Console {
    func report(
        _ report: HookReport, of thing: String = "event", by work: String = "command",
        named name: ((String) -> String)? = nil
    ) {
        switch report {
        case .failed(let entry, let now):
            let subject = name?(entry.id) ?? entry.event.shortTitle
            let what = "\(work) for \(thing) \(subject) \(entry.reason ?? "failed")"
            guard let next = entry.nextTry else {
                let tries = entry.tries == 1 ? "1 try" : "\(entry.tries) tries"
                return noticeAlways("argus: \(what); set aside after \(tries)")
            }
            warn("\(what); retrying in \(DurationText.short(next - now))")
        case .notStored(let error):
            warn("\(error); after a restart, commands may run again")
        case .damaged(let path):
            warn("ignored '\(path)': it is damaged, or written by a newer argus")
        }
    }
}

extension Event {
    /// The beginning of the id, the type and the camera: `6f9ffdee (person, Driveway)`.
    fileprivate var shortTitle: String {
        let facts = [type, cameraName].compactMap(\.self).joined(separator: ", ")
        return "\(id.prefix(8)) (\(facts))"
    }
}

extension SignedInServer {
    /// Fetches the picture of an event into a private file, for a hook; nil without one.
    fileprivate func picture(
        for event: Event, in folder: String, debug: (String) -> Void
    ) async -> PrivateTemporaryFile? {
        do {
            let detail = try await events.find(event.id, known: []).detail
            let picture = try await events.thumbnail(detail)
            let kind = try ImageKind.ofComplete(picture)
            return try PrivateTemporaryFile(picture, in: folder, kind: kind.fileExtension)
        } catch {
            debug("no picture of event \(event.id): \(error)")
            return nil
        }
    }
}
