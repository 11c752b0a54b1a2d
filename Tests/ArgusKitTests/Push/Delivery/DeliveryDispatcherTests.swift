import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusPush

/// A registry, a log and providers of a test's own.
struct DispatchFixture {
    let folder: TemporaryFolder
    let memory = MemoryStore()
    let apns = ScriptedProvider()
    let web = ScriptedProvider(.webPush)
    let reports = Collected<DeliveryReport>()
    let clock = ManualClock()

    init() throws { folder = try TemporaryFolder() }

    var store: ReceiverStore { ReceiverStore(in: memory, .folder(folder.path)) }
    var log: DeliveryLog { DeliveryLog(folder.file("push")) }

    func add(_ tokens: DeliveryToken...) async throws {
        _ = try await store.change { all in
            for token in tokens { _ = all.put(token, at: Deliveries.now) }
        }
    }

    /// Makes a dispatcher, as a new process has one.
    func dispatcher(
        maxAge: Duration? = .seconds(900), now: Timestamp = Deliveries.now,
        sleep: (@Sendable (Duration) async throws -> Void)? = nil
    ) -> DeliveryDispatcher {
        let (apns, web, reports) = (apns, web, reports)
        let providers = PushProviders { service throws(DeliveryError) in
            switch service {
            case .apns: return apns
            case .webPush: return web
            case .fcm: throw DeliveryError(.settings, "push.fcm_credentials is not set")
            }
        }
        let stopped = clock.clock.sleep
        return DeliveryDispatcher(
            store, log, providers,
            DeliveryDispatcher.Setup(
                maxAge: maxAge, publicURL: nil, now: { now },
                sleep: sleep ?? { duration in
                    // A program that another test starts has the lock of an event until exec(2).
                    if duration > .milliseconds(100) { return try await stopped(duration) }
                    try await Task.sleep(for: duration)
                },
                zone: { _ in .utc }, report: { reports.add($0) }))
    }
}

@Suite("DeliveryDispatcher")
struct DeliveryDispatcherTests {
    private let test: DispatchFixture
    private let event = Deliveries.event()

    init() throws { test = try DispatchFixture() }

    private func words(_ records: [DeliveryRecord]) -> [String] {
        records.map {
            "\($0.tokenID) \($0.outcome.rawValue)" + ($0.reason.map { " \($0)" } ?? "")
        }
    }

    @Test("five receivers, two of which get the event, and the reason of each in the records")
    func five() async throws {
        var quiet = try Deliveries.apns("quiet", letter: "a", device: "d1")
        quiet.preferences.isQuietEnabled = true
        (quiet.preferences.quietStart, quiet.preferences.quietEnd) = ("12:00", "13:00")
        var camera = try Deliveries.apns("camera", letter: "b", device: "d2")
        camera.preferences.cameras = ["c2"]
        var silent = try Deliveries.apns("silent", letter: "c", device: "d3")
        silent.preferences.hasSound = false
        try await test.add(
            quiet, camera, silent, try Deliveries.web("dead"),
            try Deliveries.apns("good", letter: "d", device: "d5"))
        test.apns.answer("silent", .accepted)
        test.apns.answer("good", .accepted)
        test.web.answer("dead", .gone, status: 410)
        let (records, isComplete) = try await test.dispatcher().dispatch(event)
        #expect(isComplete)
        #expect(
            words(records) == [
                "quiet skipped quiet_hours", "camera skipped camera", "silent silent",
                "dead removed gone", "good sent",
            ])
        #expect(Set(test.apns.sent) == ["silent", "good"] && test.apns.silent == ["silent"])
        #expect(
            test.apns.payloads[0].eventID == "e1"
                && test.apns.payloads[0].cameraName == "Front Door")
        let registry = try await test.store.load()
        #expect(registry.tokens.map(\.id) == ["quiet", "camera", "silent", "good"])
        #expect(registry["good"]?.lastUsedAt == Deliveries.now)
        #expect(registry["quiet"]?.lastUsedAt == nil)
        let kept = try test.log.records(of: "e1")
        #expect(Set(words(kept)) == Set(words(records)))
        #expect(kept.first { $0.tokenID == "good" }?.httpStatus == 200)
        let good = try #require(kept.first { $0.tokenID == "good" })
        #expect(good.milliseconds == 48 && good.attempts == 1 && good.platform == nil)
    }

    @Test("a record keeps the setting that blocked, whatever its owner sets later")
    func reasons() async throws {
        var quiet = try Deliveries.apns("quiet", device: "d1")
        quiet.preferences.isQuietEnabled = true
        (quiet.preferences.quietStart, quiet.preferences.quietEnd) = ("12:00", "13:00")
        try await test.add(quiet)
        _ = try await test.dispatcher().dispatch(event)
        quiet.preferences.quietStart = "01:00"
        let explanation = DeliveryExplanation(
            event, for: quiet, records: try test.log.records(of: "e1"), at: Deliveries.now,
            zone: .utc)
        #expect(explanation.source == .recorded && explanation.value == "12:00-13:00 UTC")
        #expect(explanation.passesAt == Deliveries.now + .seconds(3600))
    }

    @Test("two dispatches of an event at once push it once; the second waits for the first")
    func twice() async throws {
        try await test.add(try Deliveries.web("1"))
        test.web.answer("1", .accepted)
        test.web.hold()
        let (one, web) = (test.dispatcher(), test.web)
        let first = Task { [event] in try await one.dispatch(event).records }
        await web.waitForHeld(1)
        // Another process, which finds the event taken.
        let other = test.dispatcher(sleep: { duration in
            #expect(duration < .seconds(1))
            web.release()
            _ = try await first.value
            try await Task.sleep(for: duration)
        })
        #expect(words(try await other.dispatch(event).records) == ["1 skipped already_dispatched"])
        #expect(words(try await first.value) == ["1 sent"] && web.sent == ["1"])
    }

    @Test("an event that another dispatch keeps for ten seconds is an error; other events are free")
    func kept() async throws {
        try await test.add(try Deliveries.web("1"))
        test.web.answer("1", .accepted, .accepted)
        test.web.hold()
        let one = test.dispatcher()
        let first = Task { [event] in try await one.dispatch(event).records }
        await test.web.waitForHeld(1)
        let other = test.dispatcher(sleep: { _ in })
        let error = await failure { () async throws(AccountError) in
            try await other.dispatch(event)
        }
        #expect(
            error
                == .storeFile(
                    FileSystemError(.lock, test.folder.file("push/dispatch.lock"), .locked)))
        test.web.release()
        #expect(try await test.dispatcher().dispatch(Deliveries.event("e2")).isComplete)
        #expect(words(try await first.value) == ["1 sent"])
    }

    @Test("what hangs gives its place to the next delivery of the service after five seconds")
    func slow() async throws {
        for number in 0..<17 {
            try await test.add(try Deliveries.web("\(number)", path: "\(number)"))
            test.web.answer("\(number)", .accepted)
        }
        test.web.hold()
        let dispatcher = test.dispatcher()
        async let answer = dispatcher.dispatch(event)
        await test.web.waitForHeld(16)
        await test.clock.wake(at: .seconds(5))
        await test.web.waitForHeld(17)
        test.web.release()
        #expect(try await answer.records.allSatisfy { $0.outcome == .sent })
    }

    @Test("the next event sees that a receiver is gone, though the first one is not done yet")
    func gone() async throws {
        try await test.add(try Deliveries.apns("hung"), try Deliveries.web("gone"))
        test.apns.answer("hung", .accepted, .accepted)
        test.web.answer("gone", .gone, status: 410)
        test.apns.hold()
        let dispatcher = test.dispatcher()
        async let first = dispatcher.dispatch(event)
        await test.apns.waitForHeld(1)
        while try await test.store.load()["gone"] != nil { await Task.yield() }
        async let second = dispatcher.dispatch(Deliveries.event("e2"))
        test.apns.release()
        #expect(try await words(first.records) == ["hung sent", "gone removed gone"])
        #expect(try await words(second.records) == ["hung sent"])
    }

    @Test("of seven events at once the fifth failure deactivates, and what follows is skipped")
    func burst() async throws {
        try await test.add(try Deliveries.web("1"))
        test.web.answer(
            "1", .tokenFailure, .tokenFailure, .tokenFailure, .tokenFailure, .tokenFailure)
        let dispatcher = test.dispatcher()
        let outcomes = try await withThrowingTaskGroup(of: [DeliveryRecord].self) { group in
            for number in 1...7 {
                group.addTask {
                    try await dispatcher.dispatch(Deliveries.event("e\(number)")).records
                }
            }
            return try await group.reduce(into: []) { $0 += $1.map(\.outcome.rawValue) }.sorted()
        }
        #expect(
            outcomes == ["deactivated"] + Array(repeating: "failed", count: 4)
                + ["skipped", "skipped"])
        let token = try #require(try await test.store.load()["1"])
        #expect(!token.isActive && token.failureCount == 5)
    }

    @Test("a success is noted within two seconds, though another receiver hangs")
    func noted() async throws {
        try await test.add(try Deliveries.apns("hung"), try Deliveries.web("good"))
        test.apns.answer("hung", .accepted)
        test.web.answer("good", .accepted)
        test.apns.hold()
        let dispatcher = test.dispatcher()
        async let answer = dispatcher.dispatch(event)
        await test.apns.waitForHeld(1)
        await test.clock.wake(at: .seconds(2))
        while try await test.store.load()["good"]?.lastUsedAt == nil { await Task.yield() }
        test.apns.release()
        #expect(try await answer.isComplete)
        #expect(try await test.store.load()["hung"]?.lastUsedAt == Deliveries.now)
    }

    @Test("a log that cannot be written is reported once, and every receiver gets its push")
    func unwritable() async throws {
        try test.folder.plant("", "push")
        try await test.add(try Deliveries.apns("1"), try Deliveries.web("2"))
        test.apns.answer("1", .accepted)
        test.web.answer("2", .accepted)
        let dispatcher = test.dispatcher()
        #expect(words(try await dispatcher.dispatch(event).records) == ["1 sent", "2 sent"])
        #expect(test.reports.all.count { if case .notStored = $0 { true } else { false } } == 1)
        // In this process the event is settled all the same.
        let again = try await dispatcher.dispatch(event).records
        #expect(words(again).allSatisfy { $0.hasSuffix("already_dispatched") })
        #expect(test.reports.all.count == 1)
    }

    @Test("an event reaches a receiver once, also after a restart, unless it is asked for again")
    func once() async throws {
        try await test.add(try Deliveries.apns("1"), try Deliveries.web("2"))
        test.apns.answer("1", .accepted, .accepted)
        test.web.answer("2", .providerFailure(.service), .accepted, .accepted)
        let first = try await test.dispatcher().dispatch(event)
        #expect(words(first.records).last?.hasPrefix("2 failed") == true)
        // A new process: what failed is tried again, and nothing else.
        let second = try await test.dispatcher().dispatch(event)
        #expect(words(second.records) == ["1 skipped already_dispatched", "2 sent"])
        let third = try await test.dispatcher().dispatch(event)
        #expect(words(third.records).allSatisfy { $0.hasSuffix("already_dispatched") })
        #expect(try test.log.records(of: "e1").count == 3)
        let again = try await test.dispatcher().dispatch(event, again: true)
        #expect(words(again.records) == ["1 sent", "2 sent"])
    }

    @Test("what was captured too long ago is skipped for all, and recorded")
    func age() async throws {
        try await test.add(try Deliveries.apns("1"), try Deliveries.web("2"))
        let now = Deliveries.now + .seconds(900) + .microseconds(1)
        let (old, isComplete) = try await test.dispatcher(now: now).dispatch(event)
        #expect(isComplete && words(old) == ["1 skipped too_old", "2 skipped too_old"])
        #expect(try test.log.records(of: "e1").map(\.reason) == ["too_old", "too_old"])
        test.apns.answer("1", .accepted, .accepted, .accepted)
        test.web.answer("2", .accepted, .accepted, .accepted)
        let edge = Deliveries.event("e2", at: Deliveries.now)
        _ = try await test.dispatcher(now: Deliveries.now + .seconds(900)).dispatch(edge)
        _ = try await test.dispatcher(maxAge: nil, now: now + .days(9)).dispatch(
            Deliveries.event("e3"))
        _ = try await test.dispatcher(now: now).dispatch(Deliveries.event("e4", at: nil))
        #expect(test.apns.sent.count == 3)
    }

    @Test("five failures of a token deactivate it; failures of the provider never count")
    func failures() async throws {
        try await test.add(try Deliveries.apns("1"))
        let failure = DeliveryAnswer.Verdict.providerFailure(.credentials)
        test.apns.answer(
            "1", .tokenFailure, failure, .tokenFailure, .tokenFailure, .tokenFailure, .tokenFailure)
        var outcomes: [DeliveryRecord.Outcome] = []
        for number in 1...7 {
            let event = Deliveries.event("e\(number)")
            outcomes += try await test.dispatcher().dispatch(event).records.map(\.outcome)
        }
        #expect(outcomes == [.failed, .failed, .failed, .failed, .failed, .deactivated, .skipped])
        let token = try #require(try await test.store.load()["1"])
        #expect(!token.isActive && token.failureCount == 5 && token.inactiveSince == Deliveries.now)
    }

    @Test(
        "a service without settings fails for its receivers alone, and nothing counts against them")
    func unconfigured() async throws {
        try await test.add(try Deliveries.fcm("1"), try Deliveries.apns("2"))
        test.apns.answer("2", .accepted)
        let records = try await test.dispatcher().dispatch(event).records
        #expect(words(records) == ["1 failed push.fcm_credentials is not set", "2 sent"])
        #expect(
            records[0].cause
                == .unsent(DeliveryError(.settings, "push.fcm_credentials is not set")))
        #expect(try await test.store.load()["1"]?.failureCount == 0)
    }

    @Test("at most sixteen deliveries of a provider are in flight, of two events together")
    func lanes() async throws {
        for number in 0..<50 {
            try await test.add(try Deliveries.web("\(number)", path: "\(number)"))
            test.web.answer("\(number)", .accepted, .accepted)
        }
        test.web.hold()
        let dispatcher = test.dispatcher()
        async let one = dispatcher.dispatch(event)
        async let two = dispatcher.dispatch(Deliveries.event("e2"))
        await test.web.waitForHeld(16)
        test.web.release()
        let records = try await one.records + two.records
        #expect(records.count == 100 && records.allSatisfy { $0.outcome == .sent })
        #expect(test.web.most == 16)
    }

    @Test("an end leaves those whose turn has not come, and the next process delivers to them")
    func end() async throws {
        for number in 0..<40 {
            try await test.add(try Deliveries.web("\(number)", path: "\(number)"))
            test.web.answer("\(number)", .accepted)
        }
        test.web.hold()
        let dispatcher = test.dispatcher()
        let running = Task { [event] in try await dispatcher.dispatch(event) }
        await test.web.waitForHeld(16)
        running.cancel()
        let (records, isComplete) = try await running.value
        #expect(!isComplete && records.count == 16)
        let rest = try await test.dispatcher().dispatch(event)
        #expect(rest.isComplete && rest.records.count { $0.outcome == .sent } == 24)
        #expect(Set(test.web.sent).count == 40 && test.web.sent.count == 40)
    }

    @Test("a registry that cannot be read sends nothing; one that cannot be written is reported")
    func stores() async throws {
        try await test.add(try Deliveries.apns("1"))
        test.memory.fail(.storeLocked(store: "memory"))
        #expect(
            await failure { () async throws(AccountError) in
                try await test.dispatcher().dispatch(event)
            } == .storeLocked(store: "memory"))
        test.memory.fail(nil)
        test.apns.answer("1", .accepted)
        test.apns.hold()
        let dispatcher = test.dispatcher()
        async let answer = dispatcher.dispatch(event)
        await test.apns.waitForHeld(1)
        test.memory.fail(.storeLocked(store: "memory"))
        test.apns.release()
        #expect(try await answer.records.map(\.outcome) == [.sent])
        #expect(test.reports.all.contains { if case .notRecorded = $0 { true } else { false } })
    }
}
