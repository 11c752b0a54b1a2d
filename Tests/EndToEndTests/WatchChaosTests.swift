import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

private func number(_ name: String, _ ordinary: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? ordinary
}

private let events = number("ARGUS_WATCH_EVENTS", 240)
private let seconds = number("ARGUS_WATCH_SECONDS", 4)
private let kills = number("ARGUS_WATCH_KILLS", 8)
private let drops = number("ARGUS_WATCH_DROPS", 8)
private let restarts = number("ARGUS_WATCH_RESTARTS", 2)

/// The built `argus events watch` through everything that loses events elsewhere; the log of the demo,
/// which knows nothing of argus, is what counts.
///
/// `make soak` makes it longer, and has it tell what happened. An accelerated day, in which hours pass
/// between passes, is in `FeedChaosTests`.
@Suite("A watch in chaos", .waitsForPrograms)
struct WatchChaosTests {
    /// A server, and the events that are waited for.
    enum World: CaseIterable {
        case everything, alerts, mobile, documented

        var api: String {
            switch self {
            case .everything, .alerts: "current"
            case .mobile: "mobile"
            case .documented: "documented"
            }
        }

        var filter: [String] { self == .alerts ? ["--alerts"] : [] }
    }

    /// What the demo stored, by id.
    private struct Stored {
        var ids: Set<String> = []
        var alerts: Set<String> = []
        /// The time of the last alert.
        var lastAlert = Moment(seconds: 0)
        /// Events captured more than an hour before they were stored.
        var late = 0

        init(_ log: String) throws {
            for line in log.split(separator: "\n") {
                let line = try JSONReader.read(Array(line.utf8))
                let id = try #require(line["id"]?.string)
                ids.insert(id)
                if let text = line["alert_at"]?.string, let time = Moment(text) {
                    alerts.insert(id)
                    lastAlert = max(lastAlert, time)
                }
                let times = [line["captured_at"], line["stored_at"]].compactMap {
                    $0?.string.flatMap { Moment($0) }
                }
                try #require(times.count == 2)
                if times[0] + 3600 < times[1] { late += 1 }
            }
        }
    }

    /// Lists that fail now and then, each time in another manner.
    private static let faults = (0..<100).map { number in
        let manners = [
            "status=429", "status=500", "status=503", "reset", "garbage", "truncate=700",
            "status=500,content-type=text/plain,body=Internal Server Error",
        ]
        return "route=*/events,method=GET,after=\(5 + number * 9),times=2,"
            + manners[number % manners.count]
    }

    /// A server on which so many events arrive, and its log of them.
    private func server(_ api: String, in home: TemporaryHome) throws -> DemoServer {
        let silence = max(2000, seconds * 100)
        let server = try DemoServer(
            options: [
                "--events", "0", "--arrivals", "\(events)", "--rate", "\(events * 60 / seconds)",
                "--late", "40", "--future", "5", "--unannounced", "30", "--flips", "30",
                "--event-log", home.file("stored"), "--all-online",
                "--stream-fault", "drop,every=\(seconds * 1000 / drops)ms",
                "--stream-fault", "restart,every=\(seconds * 1000 / restarts)ms",
                "--stream-fault", "silence,every=\(silence)ms",
                "--stream-fault", "garbage,every=\(silence * 3 / 2)ms",
            ] + Self.faults.flatMap { ["--fault", $0] }, api: api)
        try home.signIn(to: server)
        return server
    }

    private func watch(_ world: World, _ more: String...) -> [String] {
        [
            "events", "watch", "--since", "30h", "--state", "chaos", "--poll",
            seconds > 60 ? "2s" : "1s",
        ]
            + ["--format", "csv", "--no-header", "--fields", "id"] + world.filter + more
    }

    @Test("no event is lost, and none comes twice but at a kill", arguments: World.allCases)
    func chaos(world: World) throws {
        let home = try TemporaryHome()
        let server = try server(world.api, in: home)
        defer { server.stop() }
        var seen: [String] = []
        var signals: [Int32: Int] = [:]
        for round in 1...kills {
            let output = home.file("part")
            unlink(output)
            var launch = home.launch(watch(world))
            launch.output = .file(output)
            let running = try launch.start()
            pause(Int.random(in: 1...(2 * seconds * 1000 / kills)))
            if round % 4 == 0 {
                running.send(SIGSTOP)
                pause(Int.random(in: 1...(seconds * 1000 / kills)))
                running.send(SIGCONT)
            }
            let signal = round % 5 == 0 ? SIGTERM : SIGKILL
            running.send(signal)
            signals[signal, default: 0] += 1
            let ran = try running.finish()
            // It may end before it listens to signals.
            let isEnd = signal == SIGTERM && ran.status == 0 || ran.ending == .signal(signal)
            #expect(isEnd, "\(ran.ending): \(ran.complaint)")
            // A line that a kill cut off is handed over again.
            let text = home.text(of: "part") ?? ""
            seen += text.split(separator: "\n").map(String.init).filter { $0.count == 36 }
        }
        // A deep pass, which each watch begins with, finds alerts of events captured hours ago.
        var stored = try Stored(home.text(of: "stored") ?? "")
        let wanted = { world == .alerts ? stored.alerts : stored.ids }
        while stored.ids.count < events || Moment.now < stored.lastAlert {
            pause(20)
            stored = try Stored(home.text(of: "stored") ?? "")
        }
        // What a kill repeats counts for `--limit`, too.
        for _ in 1...kills {
            let missing = wanted().subtracting(seen).count
            guard missing > 0 else { break }
            let ran = try home.argus(watch(world, "--limit", "\(missing)", "--for", "60s"))
            #expect(ran.status == 0, "\(ran.complaint)")
            seen += ran.lines
        }
        let after = try home.argus(watch(world, "--for", "1s"))
        #expect(after.status == 0 && after.lines.isEmpty, "\(after.text) \(after.complaint)")
        let lost = wanted().subtracting(seen)
        #expect(lost.isEmpty, "\(home.text(of: "stored") ?? "")")
        #expect(Set(seen).isSubset(of: wanted()))
        let repeated = seen.count - Set(seen).count
        #expect(repeated <= signals[SIGKILL] ?? 0)
        if getenv("ARGUS_WATCH_EVENTS") != nil {
            print(
                "soak: \(world): \(stored.ids.count) events stored, \(stored.late) of them late, "
                    + "\(wanted().count) wanted, \(lost.count) lost, \(repeated) repeated; "
                    + "\(signals[SIGKILL] ?? 0) kills, \(signals[SIGTERM] ?? 0) ends, \(drops) drops, "
                    + "\(restarts) restarts of the server in \(seconds) s")
        }
    }

    @Test("an end is an end, also while the server is silent or has too much to send")
    func endsAtOnce() throws {
        for fault in ["silent", "drip=10", "status=500", "delay=600s"] {
            let home = try TemporaryHome()
            try home.signIn(
                to: try DemoServer("--events", "100", faults: ["route=/api/v1/events,\(fault)"]))
            // Only a stop that reaches the request ends it before the deadline.
            var launch = home.launch(["events", "watch", "--timeout", "5m", "--for", "100ms"])
            launch.deadline = 60
            let ran = try launch.start().finish()
            #expect(ran.status == 0, "\(fault): \(ran.complaint)")
            #expect(ran.text.isEmpty)
        }
    }

    private func pause(_ milliseconds: Int) { poll(nil, 0, Int32(milliseconds)) }
}
