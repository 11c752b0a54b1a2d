import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusTransport

@Suite("a feed of events")
struct EventFeedTests {
    private typealias Row = SimulatedServer.Row

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func row(_ number: Int, captured: Duration, stored: Duration) -> Row {
        Row(event: SimulatedServer.event(number, at: captured), storedAt: stored)
    }

    private func server(
        _ rows: [Row], hours: Int, _ change: (inout SimulatedServer.State) -> Void = { _ in }
    ) -> SimulatedServer {
        var state = SimulatedServer.State()
        state.rows = rows.sorted {
            ($0.event.timestamp ?? .latest) < ($1.event.timestamp ?? .latest)
        }
        state.end = .seconds(hours * 3600)
        change(&state)
        return SimulatedServer(state)
    }

    private func run(
        _ server: SimulatedServer, since: Timestamp? = nil, poll: Duration? = nil
    ) async throws -> FeedRun {
        try await FeedRun(await EventFeed(server, server, start: since, poll: poll))
    }

    @Test("what is stored from now on is handed over once, whatever its capture time")
    func begins() async throws {
        let server = server(
            [
                row(1, captured: .seconds(-60), stored: .seconds(-50)),
                row(2, captured: .seconds(-60), stored: .seconds(30)),
                row(3, captured: .seconds(100), stored: .seconds(100)),
                // Stored 25 hours late: the hourly pass finds it.
                row(4, captured: .seconds(200 - 25 * 3600), stored: .seconds(200)),
                // In the future, as the API allows.
                row(5, captured: .seconds(500_000), stored: .seconds(300)),
            ], hours: 48)
        let run = try await run(server)
        #expect(run.ids == ["event-2", "event-3", "event-5", "event-4"])
        #expect(run.events.map(\.isLate) == [false, false, false, true])
        #expect(run.gaps.isEmpty && run.notices.isEmpty)
    }

    @Test("what was announced beyond the capacity of the inbox is found at once")
    func overflow() async throws {
        let rows = [row(1, captured: .seconds(105), stored: .seconds(105))]
        let server = server(rows, hours: 1) { $0.signals = [(.seconds(105), .overflow)] }
        _ = try await FeedRun(await EventFeed(server, server), limit: 1)
        #expect(server.now() == .seconds(105))
    }

    @Test("what is stored while the server cannot be reached at the beginning is new")
    func beginsWithoutServer() async throws {
        let server = server(
            [
                row(1, captured: .seconds(-60), stored: .seconds(-50)),
                row(2, captured: .seconds(20), stored: .seconds(20)),
                row(3, captured: .seconds(30), stored: .seconds(31)),
            ], hours: 1
        ) { state in
            state.failure = { now in
                now < .seconds(45) ? APIError(.transport(.init(.notConnected, "down"))) : nil
            }
        }
        #expect(try await run(server).ids == ["event-2", "event-3"])
    }

    @Test("what is stored while an earlier process waited for the server is new")
    func beginsAgainWithoutServer() async throws {
        let server = server(
            [
                row(1, captured: .seconds(-60), stored: .seconds(-50)),
                row(2, captured: .seconds(-30), stored: .seconds(-30)),
                row(3, captured: .seconds(30), stored: .seconds(31)),
            ], hours: 1)
        let feed = await EventFeed(server, server, waited: .seconds(40))
        #expect(try await FeedRun(feed).ids == ["event-2", "event-3"])
    }

    @Test("what is stored while the server cannot name the cameras of a filter is new")
    func beginsWithoutCameras() async throws {
        let server = server(
            [
                row(1, captured: .seconds(-60), stored: .seconds(-50)),
                row(2, captured: .seconds(20), stored: .seconds(21)),
            ], hours: 1
        ) { state in
            state.namesCameras = true
            state.failure = { $0 < .seconds(40) ? APIError(.serverError, status: 500) : nil }
        }
        let run = try await run(server)
        #expect(run.ids == ["event-2"])
        guard run.notices.count == 2, case .retrying(.cameras) = run.notices[0],
            case .reachable = run.notices[1]
        else {
            Issue.record("\(run.notices)")
            return
        }
    }

    @Test("an event that is announced before the first pass is new")
    func announcedAtOnce() async throws {
        let rows = [1, 2].map { row($0, captured: .seconds(-5), stored: .seconds(0)) }
        let server = server(rows, hours: 1) { state in
            state.signals = [(at: .zero, signal: .announced("event-2"))]
        }
        #expect(try await run(server).ids == ["event-2"])
    }

    @Test("a quick pass reads no event that is known again")
    func quickPassesReadLittle() async throws {
        let rows = (0..<600).map { number in
            row(number, captured: .seconds(number * -10), stored: .seconds(number * -10))
        }
        let late = row(700, captured: .seconds(-3000), stored: .seconds(1800))
        let server = server(rows + [late], hours: 1)
        #expect(try await run(server).ids == ["event-700"])
        // The deep pass, and the quick one that found one event more than are known.
        #expect(server.state.withLock { $0.listings } == 2)
    }

    @Test("a new stream ends the pauses that failures impose, but not those of a limit")
    func reconnects() {
        for isLimited in [false, true] {
            var schedule = FeedSchedule(at: .zero)
            if isLimited {
                schedule.limited(at: .zero, retryAfter: .seconds(200))
            } else {
                for _ in 0..<7 { schedule.failed(at: .zero) }
            }
            schedule.setConnected(true, at: .seconds(5))
            let step = schedule.next(at: .seconds(5))
            #expect(step == (isLimited ? .wait(until: .seconds(200)) : .pass(.deep)))
        }
    }

    @Test("with a start, what was captured since then is handed over, oldest first")
    func since() async throws {
        let rows = (0..<200).map { number in
            row(number, captured: .seconds(-number * 3600), stored: .seconds(-number * 3600))
        }
        let server = server(rows, hours: 2)
        let run = try await run(server, since: SimulatedServer.time(.seconds(-100 * 3600)))
        #expect(run.ids == (0...100).reversed().map { "event-\($0)" })
    }

    @Test("an event that matches later is handed over then, even if it was there before")
    func flips() async throws {
        var late = row(1, captured: .seconds(-600), stored: .seconds(-500))
        late.matchesAt = .seconds(900)
        let run = try await run(server([late], hours: 1))
        #expect(run.ids == ["event-1"])
    }

    @Test("an announced event is read at once, and again when it does not match yet")
    func announced() async throws {
        var flipping = row(2, captured: .seconds(60), stored: .seconds(60))
        flipping.matchesAt = .seconds(62)
        let server = server(
            [row(1, captured: .seconds(41), stored: .seconds(41)), flipping], hours: 1
        ) { state in
            state.signals = [
                (.seconds(1), .connected), (.seconds(41), .announced("event-1")),
                (.seconds(60), .announced("event-2")), (.seconds(61), .announced("nothing")),
            ]
            state.end = .seconds(64)
        }
        let run = try await run(server)
        #expect(run.ids == ["event-1", "event-2"])
        guard case .vanished("nothing") = run.notices.last else {
            Issue.record("\(run.notices)")
            return
        }
    }

    @Test("more announcements than requests are worth are read by one pass")
    func burst() async throws {
        let rows = (1...60).map { row($0, captured: .seconds(40 + $0), stored: .seconds(100)) }
        let server = server(rows, hours: 1) { state in
            for number in 1...60 {
                state.signals.append((.seconds(101), .announced("event-\(number)")))
            }
            state.end = .seconds(105)
        }
        let run = try await run(server)
        #expect(Set(run.ids).count == 60 && run.events.count == 60)
        // One in ten seconds until then, and the pass.
        #expect(server.state.withLock { $0.requests } <= 13)
    }

    @Test("requests of an idle hour: few while hints are reliable, one in ten seconds else")
    func idle() async throws {
        let rows = (0..<30).map { row($0, captured: .seconds($0), stored: .seconds($0)) }
        let hinted = server(rows, hours: 3) { state in
            state.signals = [(.seconds(0), .connected)]
            for number in 0..<30 {
                state.signals.append((.seconds(number), .announced("event-\(number)")))
            }
        }
        _ = try await run(hinted)
        let alone = server(rows, hours: 3)
        _ = try await run(alone)
        #expect(hinted.state.withLock { $0.requests } < 30 + 3 * 75)
        #expect(alone.state.withLock { $0.requests } <= 3 * 365)
        #expect(alone.state.withLock { $0.requests } >= 3 * 355)
    }

    @Test("429 doubles the pause up to five minutes; other failures are tried again soon")
    func failures() async throws {
        let rows = [row(1, captured: .seconds(4000), stored: .seconds(4000))]
        let limited = server(rows, hours: 3) { state in
            state.failure = { now in
                (.seconds(3600)...(.seconds(7200))).contains(now)
                    ? APIError(.rateLimited, status: 429) : nil
            }
        }
        let run = try await run(limited)
        #expect(run.ids == ["event-1"])
        guard run.notices.count == 2, case .rateLimited = run.notices[0],
            case .rateLimitEnded = run.notices[1]
        else {
            Issue.record("\(run.notices)")
            return
        }
        let down = server(rows, hours: 3) { state in
            state.failure = { now in
                (.seconds(3600)...(.seconds(7200))).contains(now)
                    ? APIError(.transport(TransportError(.notConnected, "refused"))) : nil
            }
        }
        let second = try await self.run(down)
        #expect(second.ids == ["event-1"])
        guard second.notices.count == 2, case .retrying = second.notices[0],
            case .reachable = second.notices[1]
        else {
            Issue.record("\(second.notices)")
            return
        }
    }

    @Test(
        "what no retry can mend ends the feed",
        arguments: [
            APIError.Kind.unauthorized, .forbidden, .renewalBroken, .unsupported("a list"),
            .transport(TransportError(.identityRefused, "another key")),
        ])
    func ends(kind: APIError.Kind) async throws {
        let server = server([], hours: 3) { state in
            state.failure = { $0 > .seconds(100) ? APIError(kind) : nil }
        }
        await #expect {
            try await run(server)
        } throws: {
            guard case .events(let error) = $0 as? FilterError else { return false }
            return error.kind == kind
        }
    }

    @Test("a certificate of other dates than the clock's, and a silent router, are waited for")
    func waitsForClock() async throws {
        var dates = TransportError(.identityRefused, "not valid yet")
        dates.isByDates = true
        for cause in [dates, TransportError(.unknownNetwork, "no router answers")] {
            let rows = [row(1, captured: .seconds(4000), stored: .seconds(4000))]
            let server = server(rows, hours: 3) { state in
                state.failure = { now in
                    (.seconds(100)...(.seconds(7200))).contains(now)
                        ? APIError(.transport(cause)) : nil
                }
            }
            #expect(try await run(server).ids == ["event-1"])
        }
    }

    @Test("a server that fails for an instant loses that instant only, and the gap is reported")
    func badRow() async throws {
        let bad = SimulatedServer.time(.seconds(1800))
        let rows = (0..<60).map { row($0, captured: .seconds($0 * 60), stored: .seconds($0 * 60)) }
        let server = server(rows, hours: 1) { $0.broken = bad...bad }
        let run = try await run(server, since: SimulatedServer.origin)
        #expect(run.events.count == 59 && !run.ids.contains("event-30"))
        let gap = try #require(run.gaps.first)
        #expect(gap.reason == .unreadable)
        #expect((gap.from ?? .latest) <= bad && gap.until >= bad)
        #expect(gap.until - (gap.from ?? bad) <= .milliseconds(1))
        #expect(run.gaps.count == 1)
        // Found once, it costs two requests a pass instead of dozens.
        #expect(server.state.withLock { $0.requests } < 1000)
    }

    @Test("a server that fails whatever it is asked for is tried again later, not asked for halves")
    func failsAltogether() async throws {
        let rows = [row(1, captured: .seconds(4000), stored: .seconds(4000))]
        let server = server(rows, hours: 3) { state in
            state.failure = { now in
                (.seconds(3600)...(.seconds(7200))).contains(now)
                    ? APIError(.serverError, "broken", status: 500) : nil
            }
        }
        let run = try await run(server)
        #expect(run.ids == ["event-1"] && run.gaps.isEmpty)
        #expect(server.state.withLock { $0.requests } < 1100)
    }

    @Test("a long range for which the server fails costs a bounded number of requests")
    func badRange() async throws {
        let bad = SimulatedServer.time(.seconds(1800))...SimulatedServer.time(.seconds(2400))
        let rows = (0..<60).map { row($0, captured: .seconds($0 * 60), stored: .seconds($0 * 60)) }
        let server = server(rows, hours: 4) { $0.broken = bad }
        let run = try await run(server, since: SimulatedServer.origin)
        let readable = rows.map(\.event).filter { !bad.contains($0.timestamp ?? .latest) }
        #expect(Set(run.ids).isSuperset(of: readable.map(\.id)))
        let first = try #require(run.gaps.first)
        #expect((first.from ?? .latest) <= bad.lowerBound && first.until >= bad.upperBound)
        #expect(run.gaps.count <= 4)
        // A quick pass asks twice: before the range, and after it.
        #expect(server.state.withLock { $0.requests } < 8400)
    }

    @Test(
        "a machine without a clock, whose time jumps by decades, is not asked for each day of them")
    func clockWithoutBattery() async throws {
        let rows = (0..<48).map { number in
            row(number, captured: .seconds(number * 300), stored: .seconds(number * 300 + 5))
        }
        let server = server(rows, hours: 4) { state in
            state.offset = { now in now < .seconds(3600) ? .seconds(-40 * 365 * 86400) : .zero }
            state.retention = .seconds(30 * 86400)
        }
        let run = try await run(server)
        #expect(Set(run.ids).count == 48 && run.events.count == 48)
        #expect(run.gaps.map(\.reason) == [.deleted])
        #expect(server.state.withLock { $0.requests } < 1540)
    }

    @Test("a backlog of months needs a short ledger only, and goes on where a kill cut it off")
    func backlog() async throws {
        let file = LedgerFile(folder.file("ledger"))
        let rows = (1...8640).map { number in
            row(number, captured: .seconds(-number * 600), stored: .seconds(-number * 600))
        }
        let start = SimulatedServer.time(.seconds(-60 * 86400))
        let server = server(rows, hours: 2)
        let first = await EventFeed(server, server, keptIn: file, start: start)
        var ids = try await FeedRun(first, limit: 6000).ids
        let ledger = try file.read()
        #expect(ledger.count < 1400)
        let second = await EventFeed(server, server, from: ledger, keptIn: file, start: start)
        ids += try await FeedRun(second).ids
        #expect(Set(ids) == Set(rows.map(\.event.id)))
        #expect(ids.count == 8641)
    }

    @Test("a ledger goes on after a pause of days; what the server deleted meanwhile is a gap")
    func resumes() async throws {
        let file = LedgerFile(folder.file("ledger"))
        let rows = (0..<240).map {
            row($0, captured: .seconds($0 * 3600), stored: .seconds($0 * 3600))
        }
        var ids: [String] = []
        for (start, hours) in [(0, 24), (96, 120), (121, 240)] {
            let server = server(rows, hours: hours) { state in
                state.now = .seconds(start * 3600)
                state.retention = .seconds(48 * 3600)
            }
            let feed = await EventFeed(
                server, server, from: try file.read(), keptIn: file,
                start: SimulatedServer.origin)
            let run = try await FeedRun(feed)
            ids += run.ids
            #expect(run.gaps.map(\.reason) == (start == 96 ? [.deleted] : []))
        }
        #expect(Set(ids).count == ids.count)
        #expect(Set(ids) == Set((0..<240).map { "event-\($0)" }))
    }

    @Test("a pass begins again when the clock goes back, but not for the fraction of a second")
    func steps() throws {
        var ledger = EventLedger()
        let now = SimulatedServer.origin
        ledger.apply(.pass(now))
        let pass = FeedPass(.quick, startedAt: .zero, now, of: ledger)
        #expect(pass.moved(to: now - .milliseconds(999), of: ledger) == nil)
        let moved = try #require(pass.moved(to: now - .seconds(3600), of: ledger))
        #expect(moved.window.since == pass.window.since - .seconds(3600))
        #expect(moved.moved(to: now - .seconds(7200), of: ledger) == nil)
    }

    @Test("a gap without an end ends with its pass, so that the next one reads what follows")
    func openGap() async throws {
        let server = server([], hours: 4) { state in
            state.broken = SimulatedServer.origin...Timestamp(seconds: 4_102_444_800)
        }
        let now = SimulatedServer.time(.seconds(60))
        var ledger = EventLedger()
        ledger.apply(.pass(now))
        var pass = FeedPass(.deep, startedAt: .zero, now, of: ledger)
        let slice = try await pass.readSlice(of: server, notIn: ledger, except: [])
        #expect(slice.gaps.map(\.until) == [now])
    }

    @Test("a clock that goes back by less than a day loses nothing, by more is a gap")
    func clockSteps() async throws {
        for (step, isGap) in [(-20, false), (20, false), (-40, true)] {
            // Captures follow the server's clock.
            let offset: @Sendable (Duration) -> Duration = { now in
                now >= .seconds(60 * 3600) ? .seconds(step * 3600) : .zero
            }
            let rows = (0..<400).map { number in
                let at = Duration.seconds(number * 900 + 7)
                return row(number, captured: at + offset(at), stored: at)
            }
            let server = server(rows, hours: 100) { $0.offset = offset }
            let run = try await run(
                server, since: SimulatedServer.origin, poll: .seconds(120))
            #expect(Set(run.ids).count == run.ids.count, "\(step)")
            #expect(run.gaps.contains { $0.reason == .clockStep } == isGap, "\(step): \(run.gaps)")
            if !isGap { #expect(run.events.count == 400, "\(step)") }
        }
    }
}
