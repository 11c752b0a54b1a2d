import ArgusCore
import ArgusEvents
import ArgusTransport

/// One check: what it is about, what it needs to know, and how it judges.
package struct HouseCheck: Sendable {
    package var name: CheckName
    package var inputs: Set<HouseInput>
    let judge: @Sendable (HouseReadings, CheckScope) -> [CheckResult]

    private init(
        _ name: CheckName, _ inputs: Set<HouseInput>,
        _ judge: @escaping @Sendable (HouseReadings, CheckScope) -> [CheckResult]
    ) {
        (self.name, self.inputs, self.judge) = (name, inputs, judge)
    }

    /// All checks; that of pictures is made on demand only.
    package static let all = [
        HouseCheck(.server, [.cameras]) { readings, _ in readings.server },
        HouseCheck(.signIn, [.local]) { readings, _ in readings.signIn },
        HouseCheck(.camera, [.cameras, .pipeline, .health]) { $0.cameraResults(of: $1) },
        HouseCheck(.silence, [.cameras, .pipeline, .events]) { $0.silence(of: $1) },
        HouseCheck(.picture, [.cameras, .pipeline, .pictures]) { $0.pictureResults(of: $1) },
        HouseCheck(.descriptions, [.events, .metrics]) { readings, _ in readings.descriptions },
        HouseCheck(.protect, [.cameras, .pipeline, .health]) { readings, _ in readings.protectResult
        },
        HouseCheck(.queue, [.pipeline]) { readings, _ in readings.queue },
        HouseCheck(.disk, [.metrics]) { $0.disk($1) },
        HouseCheck(.clock, [.health]) { readings, _ in readings.clock },
        HouseCheck(.certificate, [.certificate]) { readings, _ in readings.certificateResult },
        HouseCheck(.rules, [.rules, .events, .local]) { readings, _ in readings.ruleResults },
        HouseCheck(.watches, [.local]) { readings, _ in readings.watches },
        HouseCheck(.archive, [.local]) { readings, _ in readings.archive },
        HouseCheck(.push, [.local]) { readings, _ in readings.receivers },
    ]
}

/// What a check looks at, and what it takes for good.
package struct CheckScope: Sendable, Equatable {
    /// The ids of the cameras; nil for all.
    package var cameras: Set<String>?
    /// The longest time without an event, in place of what was learnt.
    package var quiet: Duration?
    /// The percentage of a disk from which it is too full.
    package var disk = 90.0

    package init() {}

    func includes(_ camera: Camera) -> Bool { cameras?.contains(camera.id) ?? true }
}

extension HouseReadings {
    /// The results of checks, the worst first; of a server that gives no answer, those alone that
    /// need none.
    package func results(of checks: [HouseCheck], _ scope: CheckScope) -> [CheckResult] {
        let possible =
            outage == nil ? checks : checks.filter { $0.inputs == [.local] && $0.name != .signIn }
        return possible.filter { refusal == nil || $0.name != .signIn }
            .flatMap { $0.judge(self, scope) }.worstFirst
    }

    private func unknown(
        _ check: CheckName, _ error: APIError, of subject: String? = nil
    ) -> CheckResult {
        let reason = error.detail.isEmpty ? "the server did not say" : error.detail
        return CheckResult(.unknown, check, subject, reason)
    }
}

// The cameras of a Protect controller, which the server does not capture itself.
extension HouseReadings {
    private var protect: ServerHealth.Protect? { (try? health?.get())?.protect }

    fileprivate var isProtectLive: Bool { protect?.isLive ?? false }

    fileprivate var hasProtectCameras: Bool {
        guard case .success(let all)? = cameras, case .success(let states)? = capture else {
            return false
        }
        return all.contains { $0.isOfProtect && $0.isEnabled != false && states[$0.id] == nil }
    }
}

extension ServerHealth.Protect {
    /// True if messages come.
    fileprivate var isLive: Bool { state == "connected" && (silence ?? .infinity) <= 300 }
}

// The server and the way to it.
extension HouseReadings {
    fileprivate var server: [CheckResult] {
        // A server that lists neither is not watching, whatever it says of itself.
        let failures: [(String, APIError?)] = [
            ("cameras", cameras?.failure), ("events", newest?.failure),
        ]
        if let (what, error) = failures.lazy.compactMap({ what, error in
            error.map { (what, $0) }
        }).first(where: { !$0.1.isRefusal }) {
            return [
                CheckResult(
                    .fail, .server, nil,
                    "answers at \(address), but does not list \(what): "
                        + (error.detail.isEmpty ? "it fails" : error.detail),
                    hint: "look at the server's log")
            ]
        }
        let seconds = latency.map { Double($0.wholeMilliseconds) / 1000 }
        let time = latency.map { " after \(DurationText.short($0))" } ?? ""
        return [
            CheckResult(
                .ok, .server, nil, "answers at \(address)\(time)", value: seconds, unit: .seconds)
        ]
    }

    fileprivate var signIn: [CheckResult] {
        switch local.signIn {
        case nil: []
        case .lasting(let words)?: [CheckResult(.ok, .signIn, nil, words)]
        case .ending(let words, let isNear, let renewal)?:
            [CheckResult(isNear ? .warn : .ok, .signIn, nil, words, hint: isNear ? renewal : nil)]
        }
    }

    fileprivate var clock: [CheckResult] {
        guard let health else { return [] }
        guard case .success(let report) = health else { return failed(.clock, health) }
        guard let date = report.date else { return [] }
        let clock = ClockComparison(
            server: date, local: reportTime ?? localTime, tolerance: ClockComparison.close)
        return [
            CheckResult(
                clock.isClose ? .ok : .fail, .clock, nil, clock.words, value: clock.seconds,
                unit: .seconds, hint: clock.isClose ? nil : ClockComparison.remedy)
        ]
    }

    fileprivate var certificateResult: [CheckResult] {
        guard let certificate else { return [] }
        guard case .success(let presented) = certificate else {
            return failed(.certificate, certificate)
        }
        guard let end = presented.endsAt else { return [] }
        let left = end - localTime
        let date = text(end)
        let state: CheckResult.State =
            left <= .zero ? .fail : left < .seconds(14 * 86400) ? .warn : .ok
        return [
            CheckResult(
                state, .certificate, nil,
                left <= .zero ? "ended \(date)" : "valid until \(date)",
                value: Double(left.components.seconds), unit: .seconds,
                hint: state == .ok
                    ? nil : "renew it; if you pinned it, run 'argus server trust' after that")
        ]
    }

    private func failed<Value>(_ check: CheckName, _ reading: Reading<Value>) -> [CheckResult] {
        if case .failure(let error) = reading { [unknown(check, error)] } else { [] }
    }
}

// What the server says of itself.
extension HouseReadings {
    fileprivate var protectResult: [CheckResult] {
        guard let health else { return [] }
        guard case .success(let report) = health else { return failed(.protect, health) }
        let hint = "look at the controller, and at the server's log"
        guard let protect = report.protect else {
            guard hasProtectCameras else { return [] }
            return [
                CheckResult(
                    .fail, .protect, nil, "no connection since the server was started", hint: hint)
            ]
        }
        let silence = protect.silence.map { min(max($0, 0), 1e12) }
        let isLive = protect.isLive
        let age = silence.map { "last message \(Duration.seconds($0.bounded).inWords) ago" }
        return [
            CheckResult(
                isLive ? .ok : .fail, .protect, protect.controller,
                [protect.state ?? "no connection", age ?? "no message yet"].joined(separator: ", "),
                value: silence, unit: .seconds,
                hint: isLive ? nil : hint)
        ]
    }

    fileprivate var queue: [CheckResult] {
        guard let pipeline else { return [] }
        guard case .success(let report) = pipeline else { return failed(.queue, pipeline) }
        guard let depth = report.queue else {
            return [CheckResult(.unknown, .queue, nil, "the server does not report it")]
        }
        let isFull = depth >= 50
        return [
            CheckResult(
                isFull ? .fail : depth >= 40 ? .warn : .ok, .queue, nil,
                isFull
                    ? "full: the server drops events"
                    : "\(depth.bounded) of 50 events wait for a description",
                value: Double(depth.bounded),
                hint: depth >= 40 ? "the server's AI is too slow for its cameras" : nil)
        ]
    }

    fileprivate func disk(_ scope: CheckScope) -> [CheckResult] {
        guard let metrics else { return [] }
        guard case .success(let numbers) = metrics else { return failed(.disk, metrics) }
        guard let used = numbers["system_disk_usage_percent"] else {
            return [CheckResult(.unknown, .disk, nil, "the server's metrics lack it")]
        }
        let isFull = used >= scope.disk
        return [
            CheckResult(
                isFull ? .fail : .ok, .disk, nil, "\(used.bounded) % of the server's disk used",
                value: used, unit: .percent,
                hint: isFull ? "shorten the server's retention, or add space" : nil)
        ]
    }

    fileprivate var descriptions: [CheckResult] {
        guard let newest else { return [] }
        guard case .success(let events) = newest else { return failed(.descriptions, newest) }
        let last = events.prefix(20)
        guard let first = last.first else { return [] }
        let failed = last.count { $0.lacksDescription }
        let share = Double(failed * 100) / Double(last.count)
        let since =
            first.lacksDescription
            ? last.prefix { $0.lacksDescription }.last?.timestamp : nil
        if share >= 20, let pause {
            return [
                CheckResult(
                    .fail, .descriptions, nil,
                    "paused by the server\(since.map { " since \(text($0))" } ?? ""): "
                        + pause.replacing("_", with: " "),
                    value: share, unit: .percent, since: since,
                    hint: "raise the server's limit of costs, or wait until it ends")
            ]
        }
        // 1 is open: after many failures the server does not ask its AI for a while.
        let isBreakerOpen = (try? metrics?.get())?["ai_circuit_breaker_state"] == 1
        return [
            CheckResult(
                share >= 50 ? .fail : share >= 20 ? .warn : .ok, .descriptions, nil,
                failed == 0
                    ? "the last \(last.count) events have one"
                    : "\(failed) of the last \(last.count) events have none"
                        + (share >= 20 && isBreakerOpen ? "; the server's AI is switched off" : ""),
                value: share, unit: .percent, since: since,
                hint: share >= 20 ? "look at the AI settings of the server" : nil)
        ]
    }

    fileprivate var ruleResults: [CheckResult] {
        guard let rules else { return [] }
        guard case .success(let count) = rules else { return failed(.rules, rules) }
        guard count > 0 else { return [] }
        let words = count == 1 ? "1 rule is enabled" : "\(count) rules are enabled"
        if local.watches.contains(where: { $0.runsRules && $0.isRunning }) {
            return [
                CheckResult(
                    .ok, .rules, nil, "\(words), and 'argus rules run' acts on them",
                    value: Double(count))
            ]
        }
        // The server applies rules to events that come over its API alone.
        return [
            CheckResult(
                .warn, .rules, nil,
                "\(words), but nothing applies them to the events of cameras here",
                value: Double(count), hint: "run 'argus rules run', as argus-rules.service does")
        ]
    }
}

// Cameras.
extension HouseReadings {
    fileprivate func cameraResults(of scope: CheckScope) -> [CheckResult] {
        guard let cameras else { return [] }
        guard case .success(let all) = cameras else { return failed(.camera, cameras) }
        let unreadable = unreadableCameras
        guard !all.isEmpty || unreadable > 0 else {
            return [CheckResult(.unknown, .camera, nil, "the server has no cameras")]
        }
        let health = (try? capture?.get()) ?? [:]
        var results = all.filter(scope.includes).map { result(of: $0, health[$0.id]) }
        if unreadable > 0, scope.cameras == nil {
            let rows = unreadable == 1 ? "a camera" : "\(unreadable) cameras"
            results.append(
                CheckResult(
                    .fail, .camera, nil,
                    "the server lists \(rows) that argus cannot read, and so cannot check"))
        }
        return results
    }

    private func result(of camera: Camera, _ health: CameraHealth?) -> CheckResult {
        let name = camera.title
        func result(
            _ state: CheckResult.State, _ detail: String, since: Timestamp? = nil,
            hint: String? = nil
        ) -> CheckResult {
            CheckResult(state, .camera, name, detail, since: since, hint: hint)
        }
        if camera.isEnabled == false { return result(.ok, "disabled") }
        if camera.isCaptureEnabled == false {
            return result(
                .warn, "enabled, but the server does not capture from it",
                hint: "run 'argus cameras enable \(camera.argument) --capture'")
        }
        let isOnline = camera.isOnline ?? health?.status.map { $0 == "connected" }
        switch isOnline {
        case true?: return result(.ok, "online")
        case false?:
            let reason = health?.error.map { ": \($0)" } ?? ""
            let last = health?.lastFrameAt.map { "; its last picture came \(text($0))" } ?? ""
            return result(
                .fail, "offline\(reason)\(last)", since: health?.lastFrameAt,
                hint: "look at its power and network, or run 'argus cameras reconnect "
                    + "\(camera.argument)'")
        case nil where camera.isOfProtect:
            return isProtectLive
                ? result(.ok, "its Protect controller is connected")
                : result(.unknown, "known only while its Protect controller is connected")
        case nil: return result(.unknown, "the server does not say whether it is online")
        }
    }

    fileprivate func pictureResults(of scope: CheckScope) -> [CheckResult] {
        guard let cameras else { return [] }
        guard case .success(let all) = cameras else { return failed(.picture, cameras) }
        return all.filter(scope.includes).compactMap { camera in
            guard camera.isCaptureEnabled != false else { return nil }
            return pictures[camera.id].map { picture(of: camera, $0) }
        }
    }

    /// The shortest time after which a camera that still sends the same picture is stuck.
    private static let shortestRepeat = Duration.seconds(600)
    /// The smallest range of brightness in a picture that shows something.
    private static let smallestContrast = 8
    private static let blackest = 24

    private func picture(of camera: Camera, _ reading: Reading<PictureReading>) -> CheckResult {
        func result(
            _ state: CheckResult.State, _ detail: String, since: Timestamp? = nil
        ) -> CheckResult {
            CheckResult(state, .picture, camera.title, detail, since: since)
        }
        switch reading {
        case .failure(let error):
            // A camera may need longer than a check waits, and a server may refuse so many.
            return switch error.kind {
            case .transport, .rateLimited: result(.unknown, "no picture in time: \(error.detail)")
            default: result(.fail, "no picture: \(error.detail)")
            }
        case .success(let picture):
            if localTime - picture.since >= Self.shortestRepeat {
                return result(
                    .fail, "exactly the same picture since \(text(picture.since))",
                    since: picture.since)
            }
            guard let range = picture.brightness else {
                return result(.unknown, picture.reason ?? "it cannot be read")
            }
            guard range.upperBound - range.lowerBound < Self.smallestContrast else {
                return result(.ok, "changes, and shows something")
            }
            return result(.fail, range.upperBound < Self.blackest ? "black" : "of one colour")
        }
    }
}

// Silence.
extension HouseReadings {
    /// The cameras that should have events.
    private var watched: [Camera] {
        guard case .success(let all)? = cameras else { return [] }
        return all.filter { $0.isEnabled != false && $0.isCaptureEnabled != false }
    }

    /// The cameras whose silence is judged.
    var members: [LearntSilence.Member] {
        watched.map { LearntSilence.Member(id: $0.id, source: $0.source) }
    }

    private var silenceFindings: [LearntSilence.Finding] {
        return LearntSilence(activity, of: members, at: now, in: zone).findings(activity, at: now)
    }

    fileprivate func silence(of scope: CheckScope) -> [CheckResult] {
        guard let newest, let cameras else { return [] }
        guard case .success = newest else { return failed(.silence, newest) }
        guard case .success = cameras else { return failed(.silence, cameras) }
        let chosen = watched.filter(scope.includes)
        if let longest = scope.quiet {
            return chosen.map { result(of: $0, longest: longest) }
        }
        let ids = Set(chosen.map(\.id))
        return silenceFindings.filter { !ids.isDisjoint(with: $0.cameras) }.map(result)
    }

    private func result(of finding: LearntSilence.Finding) -> CheckResult {
        let last = finding.last.map(text)
        let habit =
            finding.longest.map {
                "in \(finding.days) days never quiet at these hours for more than \($0.inWords)"
            } ?? "for more than three weeks"
        func result(_ state: CheckResult.State, _ detail: String) -> CheckResult {
            let quiet = finding.last.map { Double((now - $0).components.seconds) }
            let name =
                finding.cameras.count > 1
                ? finding.source
                : watched.first { $0.id == finding.cameras.first }?.title
            return CheckResult(
                state, .silence, name, detail, value: quiet, unit: .seconds, since: finding.last)
        }
        if finding.cameras.count > 1 {
            var several = result(
                .fail,
                "all \(finding.cameras.count) cameras silent since \(last ?? "their first day"): "
                    + "power, network or the server's capture; \(habit)")
            several.isOfSeveral = true
            return several
        }
        return switch finding.state {
        case .learning:
            result(
                .unknown,
                "\(last.map { "last event \($0)" } ?? "no event in four weeks"); its silence is "
                    + "judged after \(LearntSilence.fewestDays) days with events")
        case .usual: result(.ok, "last event \(last ?? "unknown")")
        case .unusual: result(.warn, "no event since \(last ?? "its first day"); \(habit)")
        case .silent: result(.fail, "no event since \(last ?? "its first day"); \(habit)")
        }
    }

    private func result(of camera: Camera, longest: Duration) -> CheckResult {
        guard let last = activity.cameras[camera.id]?.last else {
            return CheckResult(.fail, .silence, camera.title, "no event in four weeks")
        }
        let quiet = now - last
        return CheckResult(
            quiet > longest ? .fail : .ok, .silence, camera.title,
            quiet > longest
                ? "no event since \(text(last)), for longer than \(longest.inWords)"
                : "last event \(text(last))",
            value: Double(quiet.components.seconds), unit: .seconds, since: last)
    }
}

// What runs on this machine.
extension HouseReadings {
    private func unreadable(_ check: CheckName) -> [CheckResult] {
        local.unreadable.filter { $0.check == check }.map {
            CheckResult(.unknown, check, $0.subject, $0.reason)
        }
    }

    fileprivate var watches: [CheckResult] {
        unreadable(.watches)
            + local.watches.map { watch in
                func result(
                    _ state: CheckResult.State, _ detail: String, _ hint: String? = nil
                ) -> CheckResult {
                    CheckResult(
                        state, .watches, watch.name, detail, value: Double(watch.setAside),
                        since: watch.lastPass, hint: hint)
                }
                if watch.setAside > 0 {
                    let events = watch.setAside == 1 ? "1 event" : "\(watch.setAside) events"
                    return result(
                        .fail, "\(events) set aside: the command failed too often",
                        "run 'argus queue list'")
                }
                guard !watch.isRunning else { return result(.ok, "runs") }
                let last = watch.lastPass.map { "since \(text($0))" } ?? "any more"
                return result(
                    .fail, "no process watches with it \(last)",
                    "start it again, or run 'argus events watch --forget \(watch.name)'")
            }
    }

    fileprivate var archive: [CheckResult] {
        guard let sync = local.archive else { return unreadable(.archive) }
        let freshness = ArchiveFreshness(sync, at: localTime)
        let last = sync.last.map { "last sync \(text($0))" } ?? "never synced"
        return [
            CheckResult(
                freshness.isLate ? .fail : .ok, .archive, nil, last,
                value: sync.last.map { Double((localTime - $0).components.seconds) },
                unit: .seconds, since: sync.last,
                hint: freshness.isLate ? ArchiveFreshness.remedy : nil)
        ]
    }

    fileprivate var receivers: [CheckResult] {
        unreadable(.push)
            + local.receivers.map { receiver in
                func result(
                    _ state: CheckResult.State, _ detail: String, _ hint: String? = nil
                ) -> CheckResult {
                    CheckResult(
                        state, .push, receiver.name, detail, value: Double(receiver.failures),
                        since: receiver.inactiveSince, hint: hint)
                }
                let reason = receiver.reason.map { ": \($0)" } ?? ""
                if let since = receiver.inactiveSince {
                    return result(
                        .fail, "inactive since \(text(since))\(reason)",
                        "add it again with 'argus notify receivers add'")
                }
                guard receiver.failures > 0 else { return result(.ok, "active") }
                return result(
                    .warn,
                    (receiver.failures == 1
                        ? "the last push failed" : "the last \(receiver.failures) pushes failed")
                        + reason, "'argus notify why latest' says more")
            }
    }
}

extension Camera {
    fileprivate var title: String { name ?? id }

    /// The name as a word of a command line.
    ///
    /// A name that a shell could take for something else is left to the id.
    fileprivate var argument: String {
        let isPlain = title.allSatisfy { $0.isLetter || $0.isNumber || " -_.".contains($0) }
        guard isPlain, title.first != "-" else { return id }
        return title.contains(" ") ? "\"\(title)\"" : title
    }
}

extension Event {
    /// True if the server's AI gave it no description; these texts are the server's own.
    var lacksDescription: Bool {
        guard let description, !description.isEmpty else { return true }
        return ["AI analysis unavailable", "AI analysis paused", "[AI description pending"]
            .contains { description.hasPrefix($0) }
    }
}

extension Double {
    /// The whole number, within what durations take.
    fileprivate var bounded: Int64 { Int64(Swift.min(Swift.max(self, -1e12), 1e12)) }
}

extension Duration {
    fileprivate var inWords: String { DurationText.short(self) }
}
