import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusPush
import ArgusTransport
import CommandLineKit

extension PushObject: Choice {
    package static func remedy(for word: String) -> String? {
        let names = allCases.map(\.rawValue)
        let meant = EventFilter.type(meantBy: word).flatMap { names.contains($0) ? $0 : nil }
        return meant.flatMap { didYouMean([$0]) } ?? hint(forMistyped: word, among: names)
    }
}

enum PushPrefsSet: ArgusCommand {
    struct Options: VerbOptions {
        var target = PushPrefsTarget()
        var cameras: ListOrAll<String>?
        var objects: ListOrAll<PushObject>?
        var quiet: QuietChoice?
        var timezone: ZoneName?
        var sound: Switch?
        var critical: Switch?
        var isForced = false
        var assumesYes = false
        var queueing = QueueingOptions()

        /// The names of cameras as a server with these cameras reads them: one may contain commas.
        func cameraWords(among names: [String?]) -> [String]? {
            (cameras?.elements).map {
                NameLookup.entries(
                    of: [$0.joined(separator: ",")], among: names.compactMap(\.self))
            }
        }

        /// The change to make; `cameras` are the ids of those that the options name.
        func change(cameras ids: [String]?, in system: SystemEnvironment) -> PushPreferencesChange {
            var change = PushPreferencesChange()
            if cameras != nil { change.cameras = .init(ids) }
            change.objects = objects.map { .init($0.elements?.map(\.rawValue)) }
            change.set(quiet, timezone, in: system)
            change.hasSound = sound.map { $0 == .on }
            change.overridesCritical = critical.map { $0 == .on }
            return change
        }
    }

    static let about = CommandInfo(
        name: "set", summary: "Choose which pushes come through, and when", effect: .changes,
        description: """
            Sets what one receiver of pushes gets; what you do not name stays. \(flag: "device")
            names any device of your account, for which today's server stores only quiet hours and
            \(flag: "critical"). \(flag: "receiver") names one of \(command: "notify receivers list").

            \(code: "all") includes cameras that are added later. Quiet hours such as
            \(code: "22:00-07:00") end on the next day. The first ones are in this machine's zone
            unless \(flag: "timezone") names another; later the zone stays. The output shows it.

            Servers replace preferences as a whole, so argus reads them first, and checks a moment
            later that its change is still there. If another program has overwritten it, the
            status is 10; \(flag: "force") skips the check.
            """,
        examples: [
            "argus push prefs set --quiet-hours 22:00-07:00": "Silence at night",
            "argus push prefs set --quiet-hours 22:00-07:00 --timezone Europe/Paris":
                "Silence at night in Paris",
            "argus push prefs set --cameras 'Front Door,Garage' --types person,package":
                "Only two cameras, only people and parcels",
            "argus push prefs set --types all --sound off": "Everything, but silently",
            "argus push prefs set --device attic --quiet-hours 22:00-07:00 --critical on --yes":
                "Silence for another device, critical alerts excepted",
        ],
        exitStatuses: .requests(3), prints: .objects(PushPreferencesView.fields.queueable()),
        guesses: [
            Guess("push quiet-hours", as: quietExample), Guess("quiet-hours", as: quietExample),
        ])

    private static let quietExample = "--quiet-hours HH:MM-HH:MM"

    static let flags: [Flag<Options>] =
        [
            .list("cameras", value: "CAMERA[,CAMERA]|all|none", adds: \.cameras, "The cameras")
                .completing(.dynamicList("camera-choice")),
            .list(
                "types", value: "TYPE[,TYPE]|all|none", adds: \.objects,
                "The types: person, vehicle, package or animal"),
            .option("quiet-hours", value: "HH:MM-HH:MM|off", sets: \.quiet, "The quiet hours"),
            .option(
                "timezone", value: "ZONE", sets: \.timezone,
                "The zone of the quiet hours, such as Europe/Paris"),
            .option("sound", value: "on|off", sets: \.sound, "Whether pushes make a sound"),
            .option(
                "critical", value: "on|off", sets: \.critical,
                "Let critical alerts through in quiet hours"),
            .toggle("force", sets: \.isForced, "Do not check for changes by other programs"),
            .yes(\.assumesYes, "Skip the questions"),
        ] + PushPrefsTarget.flags(at: \Options.target)
        + QueueingOptions.flags(at: \Options.queueing)

    static func validate(_ options: Options) throws(UsageError) {
        try options.target.validate()
        try UsageError.rejectBoth(
            "--receiver", options.target.token != nil, "--queue", options.queueing.queuesIfDown)
        try UsageError.rejectBoth(
            "--receiver", options.target.token != nil, "--critical", options.critical != nil)
        let isEmpty =
            options.cameras == nil && options.objects == nil && options.quiet == nil
            && options.timezone == nil && options.sound == nil && options.critical == nil
        if isEmpty { throw UsageError("no preference given") }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: PushPreferencesView.fields.queueable(), .operands(1))
        try context.system.check(options.timezone, for: options.quiet)
        if let word = options.target.token {
            return try await setToken(word, options, with: printer, in: context)
        }
        let server = try await context.server()
        let (row, raw, text) = try await context.write(options.queueing, on: server) {
            () async throws(Failure) in
            try await offline(options, on: server, in: context)
        } _: { (plan) async throws(Failure) in
            try await set(options, on: server, in: context, plan)
        }
        guard try context.isForMachines() else {
            return text.split(separator: "\n").map(String.init).forEach(context.console.notice)
        }
        try printer.writeOnly(row, raw: raw)
    }

    /// Sets the preferences at a server; the text has a line for each difference.
    private static func set(
        _ options: Options, on server: SignedInServer, in context: Context,
        _ plan: (WriteDraft<PushPreferencesRow>) throws(Failure) -> Void
    ) async throws(Failure) -> WriteResult<PushPreferencesRow> {
        let receiver = try await options.target.resolve(on: server, in: context)
        try confirm(options, isMine: receiver.isMine, in: context)
        let change = try await change(options, on: server, in: context)
        if options.queueing.queuesIfDown || receiver.owner != nil {
            try plan(receiver.draft(change))
        }
        let changed = try await apply(change, to: receiver, options, on: server, in: context)
        let (old, new) = (changed.before, changed.after.preferences)
        let cameras = try await server.cameraNames(of: new)
        let row = context.row(receiver.target, new, cameras, isRegistered: receiver.isRegistered)
        let before = old.cameras == new.cameras ? cameras : try await server.cameraNames(of: old)
        let lines = old.changes(to: new, cameras: (before, cameras)) + [row.now.sentence]
        return (row, PushEndpoint.hidden(in: changed.after.view), lines.joined(separator: "\n"))
    }

    private static func confirm(
        _ options: Options, isMine: Bool, in context: Context
    ) throws(Failure) {
        guard !isMine, !options.assumesYes else { return }
        try context.console.confirm(
            "Change them?", below: ["These preferences are not of what was registered here."],
            otherwise: "nothing was changed")
    }

    /// The write with the names that are known here; nil if a name needs the server.
    private static func offline(
        _ options: Options, on server: SignedInServer, in context: Context
    ) async throws(Failure) -> WriteDraft<PushPreferencesRow>? {
        var cameras: [String]?
        let known = context.seen("camera", on: server)
        if let names = options.cameraWords(among: known.map { $0.text("name") }) {
            let found = try names.map { (name) throws(Failure) in
                try known.offline(name, .camera)?.id
            }
            guard !found.contains(nil) else { return nil }
            cameras = found.compactMap(\.self).distinct
        }
        let change = options.change(cameras: cameras, in: context.system)
        let receiver = try await options.target.resolveOffline(on: server, in: context)
        guard let receiver else { return nil }
        try confirm(options, isMine: receiver.isMine, in: context)
        return try receiver.draft(change)
    }

    /// Sets the preferences of a receiver of argus's own deliveries; a server is asked for the names
    /// of cameras only.
    private static func setToken(
        _ word: String, _ options: Options, with printer: Printer<QueueableRow<PushPreferencesRow>>,
        in context: Context
    ) async throws(Failure) {
        let store = try context.receivers()
        let named = try await attempt(awaiting: await store.load()).named(word)
        let namesCameras = options.cameras?.elements?.isEmpty == false
        let server = namesCameras ? try await context.server() : nil
        let change = try await change(options, on: server, in: context)
        let now = context.now()
        let (old, new) = try await attempt(
            awaiting: await store.change { all in
                let old = all[named.id] ?? named
                all.change(named.id) { token in
                    token.preferences = change.applied(to: token.preferences)
                    if token.preferences != old.preferences { token.preferences.updatedAt = now }
                }
                return (old, all[named.id] ?? named)
            })
        let row = context.row(of: new)
        guard try context.isForMachines() else {
            let (old, new) = (old.preferences, new.preferences)
            let lines = old.changes(
                to: new,
                cameras: (old.cameras.map(context.seenCameraNames), row.cameraNames))
            return (lines + [row.now.sentence]).forEach(context.console.notice)
        }
        try printer.writeOnly(QueueableRow(record: row))
    }

    /// The change that the options name; `server` knows the names of cameras.
    private static func change(
        _ options: Options, on server: SignedInServer?, in context: Context
    ) async throws(Failure) -> PushPreferencesChange {
        var cameras = options.cameras?.elements
        if let names = cameras, !names.isEmpty, let server {
            let known = try await context.cameras(of: server).values
            let words = options.cameraWords(among: known.map(\.name)) ?? []
            cameras = try words.map { (name) throws(Failure) in try known.named(name).id }.distinct
        }
        return options.change(cameras: cameras, in: context.system)
    }

    /// - Throws: `Failure` 10 when another program has overwritten the change.
    private static func apply(
        _ change: PushPreferencesChange, to receiver: PushPrefsReceiver, _ options: Options,
        on server: SignedInServer, in context: Context
    ) async throws(Failure) -> PushPreferencesService.Changed {
        let target = receiver.target
        let service = context.preferences(of: server)
        let doing = "set push preferences"
        var changed = try await context.withPreferencesLock(of: server) {
            () async throws(Failure) in
            let found = try await server.attempt(
                doing, of: target, in: context, await service.read(target))
            receiver.note(found.preferences, on: server, in: context)
            return try await server.attempt(
                doing, of: target, in: context, await service.change(change, over: found))
        }
        receiver.note(changed.after.preferences, on: server, in: context)
        guard !options.isForced else { return changed }
        let written = changed
        changed = try await server.attempt(doing, await service.verify(written, change))
        guard !changed.isLost else {
            throw Failure(
                .rejected,
                "another program changed the preferences on '\(server.name)' at the same time, and "
                    + "the change is lost",
                hint: "'argus push prefs' shows what is set now; set it again, or with --force",
                reason: "lost_update")
        }
        if changed.window > PushPreferencesService.settling {
            context.console.warn(
                "'\(server.name)' took \(DurationText.short(changed.window)); a change by another "
                    + "program in that time may be overwritten")
        }
        return changed
    }
}

extension PushPreferences {
    /// The changes to new preferences, one a line; `cameras` are the names before and after.
    fileprivate func changes(to new: Self, cameras: ([String]?, [String]?)) -> [String] {
        func words(_ list: [String]?) -> String {
            guard let list else { return "all" }
            return list.isEmpty ? "none" : list.joined(separator: ", ")
        }
        let values = [
            ("cameras", words(cameras.0), words(cameras.1)),
            ("types", words(objects), words(new.objects)),
            ("quiet hours", quietWords, new.quietWords),
            // Quiet hours are shown with their zone.
            ("time zone", timezone, new.isQuietEnabled ? timezone : new.timezone),
            ("sound", hasSound ? "on" : "off", new.hasSound ? "on" : "off"),
            (
                "critical alerts", overridesCritical == true ? "on" : "off",
                new.overridesCritical == true ? "on" : "off"
            ),
        ]
        let lines = values.filter { $0.1 != $0.2 }.map { "\($0): \($1) -> \($2)" }
        return lines.isEmpty ? ["nothing changed"] : lines
    }

    private var quietWords: String {
        isQuietEnabled ? "\(quietStart ?? "?")-\(quietEnd ?? "?") \(timezone)" : "off"
    }
}

extension Context {
    /// Reads and writes preferences while no other argus of this user does.
    fileprivate func withPreferencesLock<Value>(
        of server: SignedInServer, _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // Without a record there is no lock.
        guard let id = server.record?.id else { return try await work() }
        return try await system.paths.state.withLock(
            "\(id.text).push.lock", timeout: .seconds(120), sleep: system.sleep,
            unlocked: { error throws(Failure) in console.debug("\(error)") }, work)
    }
}
