import ArgusAccount
import ArgusCore
import ArgusTestSupport
import Testing

@testable import ArgusEvents
@testable import ArgusPush

@Suite("DeliveryWatch")
struct DeliveryWatchTests {
    private let test: DispatchFixture
    private var clock: ManualClock { test.clock }

    init() throws { test = try DispatchFixture() }

    private func watch() -> DeliveryWatch {
        DeliveryWatch(test.dispatcher(), sleep: clock.clock.sleep)
    }

    private var reports: [String] {
        test.reports.all.map { report in
            switch report {
            case .dispatched(let event, let records): "\(event.id): \(records.count)"
            case .failing(let service, _): "\(service.name) fails"
            case .recovered(let service): "\(service.name) recovers"
            case .unread: "unread"
            default: "other"
            }
        }
    }

    @Test("an event with all verdicts is settled at once")
    func settled() async throws {
        try await test.add(try Deliveries.apns("1"))
        test.apns.answer("1", .accepted)
        let watch = watch()
        #expect(await watch.add(Deliveries.event()))
        #expect(reports == ["e1: 1"])
        await watch.finish()
        #expect(await watch.add(Deliveries.event("e2")) == false)
    }

    @Test("a receiver that hangs delays no other event; its own is offered again")
    func hanging() async throws {
        try await test.add(try Deliveries.apns("1"), try Deliveries.web("2"))
        test.apns.answer("1", .accepted, .accepted)
        test.web.answer("2", .accepted, .accepted)
        test.web.hold()
        let watch = watch()
        async let first = watch.add(Deliveries.event("e1"))
        await test.web.waitForHeld(1)
        await clock.wake(at: DeliveryWatch.timeout)
        #expect(await first == false)
        async let second = watch.add(Deliveries.event("e2"))
        await test.apns.waitForSent(2)
        await clock.wake(at: DeliveryWatch.timeout * 2)
        #expect(await second == false)
        // Not even a moment's wait for what is in hand.
        #expect(await watch.add(Deliveries.event("e1")) == false)
        #expect(test.web.sent == ["2"])
        test.web.release()
        for id in ["e1", "e2"] { while await !watch.add(Deliveries.event(id)) {} }
        #expect(test.web.sent == ["2", "2"])
        await watch.finish()
    }

    @Test("one that hangs for long holds up neither others of its service nor the feed")
    func long() async throws {
        try await test.add(try Deliveries.web("bad", path: "b"), try Deliveries.web("good"))
        let count = ReceiverLocks.limit + 1
        test.web.answers("bad", count)
        test.web.answers("good", count + 20)
        test.web.hold("bad")
        let watch = watch()
        for number in 1...count {
            async let taken = watch.add(Deliveries.event("e\(number)"))
            await test.web.waitForSent(number + 1)
            await clock.wake(at: DeliveryWatch.timeout * number)
            #expect(await taken == false)
        }
        // No more events wait for it.
        for number in count + 1...count + 20 {
            #expect(await watch.add(Deliveries.event("e\(number)")))
        }
        #expect(test.web.sent.count { $0 == "good" } == count + 20)
        let last = try test.log.records(of: "e\(count + 20)")
        #expect(
            last.first { $0.tokenID == "bad" }?.reason == DeliveryRecord.tooMany
                && last.first { $0.tokenID == "bad" }?.outcome == .failed)
        test.web.release()
        await watch.finish()
        #expect(test.web.sent.count { $0 == "bad" } == count)
        #expect(try test.log.records(of: "e\(count)").allSatisfy { $0.outcome == .sent })
    }

    @Test("while a receiver hangs, what is skipped is settled at once")
    func skipped() async throws {
        try await test.add(try Deliveries.web("1"))
        test.web.answer("1", .accepted)
        test.web.hold()
        let watch = watch()
        async let first = watch.add(Deliveries.event("e1"))
        await test.web.waitForHeld(1)
        await clock.wake(at: DeliveryWatch.timeout)
        #expect(await first == false)
        let old = Deliveries.now - .seconds(901)
        for number in 2...200 {
            #expect(await watch.add(Deliveries.event("e\(number)", at: old)))
        }
        test.web.release()
        await watch.finish()
    }

    @Test("a provider that fails for all is reported once, and once when it succeeds again")
    func alerts() async throws {
        try await test.add(try Deliveries.apns("1"), try Deliveries.web("2"))
        let down = DeliveryAnswer.Verdict.providerFailure(.credentials)
        test.apns.answer("1", down, down, .tokenFailure, .accepted)
        test.web.answer("2", .accepted, .tokenFailure, .accepted, .accepted)
        let watch = watch()
        for number in 1...4 { #expect(await watch.add(Deliveries.event("e\(number)"))) }
        #expect(
            reports == [
                "e1: 2", "APNs fails", "e2: 2", "e3: 2", "e4: 2", "APNs recovers",
            ])
    }

    @Test("while the registry cannot be read, events stay open, and that is reported once")
    func unread() async throws {
        try await test.add(try Deliveries.apns("1"))
        test.apns.answer("1", .accepted)
        let watch = watch()
        test.memory.fail(.storeLocked(store: "memory"))
        for _ in 1...2 { #expect(await watch.add(Deliveries.event()) == false) }
        test.memory.fail(nil)
        #expect(await watch.add(Deliveries.event()))
        #expect(reports == ["unread", "e1: 1"])
    }

    @Test("the end waits for what is in hand, and cuts it off after ten seconds")
    func end() async throws {
        try await test.add(try Deliveries.apns("1"), try Deliveries.web("2"))
        test.apns.answer("1", .accepted)
        test.web.answer("2", .providerFailure(.service))
        test.web.hold()
        let watch = watch()
        async let open = watch.add(Deliveries.event())
        await test.web.waitForHeld(1)
        await watch.stop()
        #expect(await open == false)
        async let end: Void = watch.finish()
        // What is cut off says nothing about the receiver.
        await clock.wake(at: .seconds(10))
        await end
        #expect(try test.log.records(of: "e1").map(\.tokenID) == ["1"])
    }
}
