import ArgusCore
import Synchronization
import Testing

@Suite("Progress")
struct ProgressTests {
    /// A clock that moves when it is told to.
    private final class ManualClock: Sendable {
        private let instant = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { instant.withLock { $0 } }

        func advance(by duration: Duration) {
            instant.withLock { $0 += duration }
        }
    }

    private let clock = ManualClock()
    private let sink = ByteSink.memory()
    private let terminal = Terminal(isErrorTerminal: true, width: 40)

    private func progress(
        _ label: String = "exporting", unit: Progress.Unit = .items("event", "events"),
        completed: Int = 0, total: Int? = nil, terminal: Terminal? = nil
    ) -> Progress {
        let clock = clock
        return Progress(
            label, unit: unit, completed: completed, total: total,
            terminal: terminal ?? self.terminal, sink: sink, now: { clock.now })
    }

    @Test("short work shows nothing")
    func shortWork() {
        let progress = progress()
        progress.advance(by: 10)
        clock.advance(by: .milliseconds(499))
        progress.advance(by: 10)
        progress.finish()
        #expect(sink.text.isEmpty)
    }

    @Test("long work is shown, not too often, and wiped away at the end")
    func longWork() {
        let progress = progress(total: 200)
        clock.advance(by: .milliseconds(500))
        progress.advance(by: 50)
        clock.advance(by: .milliseconds(99))
        progress.advance(by: 1)
        clock.advance(by: .milliseconds(1))
        progress.advance(by: 1)
        progress.finish()
        progress.advance(by: 1)
        #expect(
            sink.text == "\rexporting 50 of 200 events (25 %)\u{1B}[K"
                + "\rexporting 52 of 200 events (26 %)\u{1B}[K\r\u{1B}[K")
    }

    @Test("a total that comes with the first answer is shown from then on, and one event is one")
    func lateTotal() {
        let progress = progress()
        clock.advance(by: .milliseconds(500))
        progress.advance(by: 1)
        progress.setTotal(1)
        clock.advance(by: .milliseconds(100))
        progress.advance(by: 0)
        #expect(
            sink.text
                == "\rexporting 1 event\u{1B}[K\rexporting 1 of 1 event (100 %)\u{1B}[K")
    }

    @Test("what is left adds to what is done")
    func moreWork() {
        let progress = progress()
        progress.advance(by: 3)
        progress.expect(5)
        clock.advance(by: .milliseconds(500))
        progress.advance(by: 1)
        #expect(sink.text == "\rexporting 4 of 8 events (50 %)\u{1B}[K")
    }

    @Test("bytes are shown in units, from the offset of a resumed download")
    func bytes() {
        let progress = progress("video", unit: .bytes, completed: 1_000_000, total: 4_000_000)
        clock.advance(by: .seconds(1))
        progress.advance(by: 500_000)
        #expect(sink.text == "\rvideo 1.5 MB of 4.0 MB (37 %)\u{1B}[K")
    }

    @Test("the line fits the terminal and holds no controls of a name")
    func longLabel() {
        let label = "\u{1B}[2J" + String(repeating: "x", count: 100)
        let progress = progress(label)
        clock.advance(by: .seconds(1))
        progress.advance(by: 1)
        #expect(sink.text == "\r\\x1b[2J" + String(repeating: "x", count: 31) + "…\u{1B}[K")
    }

    @Test("nothing is shown where standard error is no terminal")
    func noTerminal() {
        let progress = progress(terminal: Terminal.none)
        clock.advance(by: .seconds(1))
        progress.advance(by: 1)
        progress.finish()
        #expect(sink.text.isEmpty)
    }
}
