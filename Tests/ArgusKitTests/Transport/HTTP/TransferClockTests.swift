import ArgusCore
import Testing

@testable import ArgusTransport

@Suite("deadlines of a transfer")
struct TransferClockTests {
    private let start = TransferClock.Instant.now
    private var deadlines: Deadlines {
        var deadlines = Deadlines()
        deadlines.connect = .seconds(5)
        deadlines.firstByte = .seconds(30)
        deadlines.idle = .seconds(20)
        deadlines.total = .seconds(60)
        return deadlines
    }

    @Test("each stage has its own deadline, and the total bounds them all")
    func stages() {
        var clock = TransferClock(deadlines, started: start, now: start)
        #expect(clock.next == (start + .seconds(5), .connect))
        clock.connected(at: start + .seconds(1))
        #expect(clock.next == (start + .seconds(31), .firstByte))
        clock.received(at: start + .seconds(10))
        #expect(clock.next == (start + .seconds(30), .idle))
        clock.received(at: start + .seconds(25))
        #expect(clock.next == (start + .seconds(45), .idle))
        clock.received(at: start + .seconds(45))
        #expect(clock.next == (start + .seconds(60), .total))
    }

    @Test("without a total only silence ends a body")
    func streaming() {
        var streamed = deadlines
        streamed.total = nil
        var clock = TransferClock(streamed, started: start, now: start)
        clock.received(at: start + .seconds(3600))
        #expect(clock.next == (start + .seconds(3620), .idle))
    }

    @Test("a second attempt has the whole time to connect, but no new total")
    func secondAttempt() {
        let later = start + .seconds(40)
        var clock = TransferClock(deadlines, started: start, now: later)
        #expect(clock.next == (later + .seconds(5), .connect))
        clock.connected(at: later)
        #expect(clock.next == (start + .seconds(60), .total))
    }

    @Test("durations are written in words, parts of a millisecond rounded up")
    func words() {
        let cases: [(Duration, String)] = [
            (.zero, "0 ms"), (.microseconds(1), "1 ms"), (.milliseconds(250), "250 ms"),
            (.seconds(1), "1 s"), (.milliseconds(1250), "1.3 s"), (.seconds(60), "60 s"),
        ]
        for (duration, words) in cases { #expect(duration.words == words) }
        #expect(Duration.seconds(Int64.max).wholeMilliseconds == 2_000_000_000)
        #expect(Duration.seconds(-5).wholeMilliseconds == 0)
    }
}
