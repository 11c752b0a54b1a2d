import ArgusCore
import ArgusEvents
import ArgusTestSupport
import Testing

@testable import argus

@Suite("screens of stats, watch, doctor and errors")
struct SituationScreenTests {
    private func event(_ text: String) throws -> Event {
        try #require(Event(JSONView.parse(Array(text.utf8))))
    }

    /// Eight days of events, more in the evening and at the weekend.
    private func statistics() throws -> EventStatistics {
        var statistics = EventStatistics(zone: .utc)
        let cameras = ["Front Door", "Driveway", "前庭", "Garage", "Back Garden"]
        let types = ["person", "vehicle", "package", "animal", "motion", "ring", "licensePlate"]
        for number in 0..<400 {
            let camera = number % 11 % 5
            let (day, hour) = (13 + number * 7 % 8, (number * number / 7 + number) % 24)
            guard hour > 5 || number % 3 == 0 else { continue }
            let time = "2026-11-\(day)T\(hour < 10 ? "0" : "")\(hour):15:00Z"
            let type = types[number % 17 % 7]
            statistics.count(
                try event(
                    """
                    {"id":"\(number)","camera_id":"c\(camera)","camera_name":"\(cameras[camera])",
                     "timestamp":"\(time)","smart_detection_type":"\(type)"}
                    """))
        }
        return statistics
    }

    private func terminal(width: Int, height: Int = 30) -> Terminal {
        let style = Style(isOn: true)
        return Terminal(
            isOutputTerminal: true, isErrorTerminal: true, width: width, height: height,
            style: style, errorStyle: style, hasSigns: true)
    }

    @Test("events stats", arguments: Screen.widths)
    func stats(width: Int) throws {
        let statistics = try statistics()
        let chart = StatisticsChart(statistics, nil, terminal: terminal(width: width))
        try Screen.expect(chart.text, is: "events-stats", width: width)
        let small = StatisticsChart(statistics, nil, terminal: terminal(width: width, height: 24))
        #expect(small.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
    }

    @Test(
        "the shades of the heat map lie between the smallest and the largest count",
        arguments: [
            ([1], "· 0  █ 1"), ([1, 2], "· 0  ░ 1  █ 2"), ([7, 7], "· 0  █ 7"),
            ([2, 3, 4, 5], "· 0  ░ 2  ▒ 3  ▓ 4  █ 5"), ([1, 1, 1, 3, 33], "· 0  ░ 1  ▒ 3  █ 33"),
        ])
    func shades(counts: [Int], legend: String) throws {
        var statistics = EventStatistics(zone: .utc)
        for (hour, count) in counts.enumerated() {
            let text = #"{"id":"a","timestamp":"2026-11-13T0\#(hour):15:00Z"}"#
            for _ in 0..<count { statistics.count(try event(text)) }
        }
        var plain = terminal(width: 80)
        plain.style = .plain
        let lines = StatisticsChart(statistics, nil, terminal: plain).text.split(separator: "\n")
        #expect(lines.last?.drop { $0 == " " } == Substring(legend))
    }

    @Test("events stats --by day,weekday,type", arguments: Screen.widths)
    func statsBy(width: Int) throws {
        let chart = StatisticsChart(
            try statistics(), [.day, .weekday, .type], terminal: terminal(width: width))
        try Screen.expect(chart.text, is: "events-stats-by", width: width)
    }

    @Test("events watch", arguments: Screen.widths)
    func watch(width: Int) throws {
        let test = try TestSystem.onScreen(width: width)
        let context = Context(globals: GlobalOptions(), system: test.system)
        let lines = try EventLines(in: context)
        let events = try [
            """
            {"id":"8f85eda1-0b4e-4f0c-9a57-6f1c0f6a0001","camera_id":"c1","camera_name":"Front Door",
             "timestamp":"2026-11-20T22:58:41Z","smart_detection_type":"person",
             "description":"A person in a dark jacket looks towards the camera, and leaves.",
             "alert_triggered":true}
            """,
            """
            {"id":"1c0f6a77-0b4e-4f0c-9a57-6f1c0f6a0003","camera_id":"c2","camera_name":"前庭",
             "timestamp":"2026-11-21T05:30:00Z","smart_detection_type":"animal",
             "description":"A cat."}
            """,
            """
            {"id":"evt-42","camera_id":"c3","camera_name":"Driveway at the north side, by the gate",
             "timestamp":"2026-11-21T10:07:05Z","smart_detection_type":"licensePlateRecognised",
             "description":"A white van stops; two people unload boxes and carry them inside."}
            """,
            #"{"id":"2d0f6a77-0b4e-4f0c-9a57-6f1c0f6a0004","timestamp":"2026-11-21T10:09:12Z"}"#,
        ].map(event)
        for event in events { try lines.write(event, of: "home") }
        let several = try EventLines(of: ["home", "cabin"], in: context)
        try several.write(events[0], of: "home")
        try several.write(events[2], of: "cabin")
        let now = TestSystem.now
        var status = WatchStatus(of: ["home"], pause: .seconds(10))
        var drawn = ""
        func draw(_ server: String = "home") {
            let sink = ByteSink.memory()
            let line = StatusLine(on: sink, width: width)
            line.begin(Style(isOn: true)) { nil }
            let color: TextColor = status.isDisturbed ? .yellow : .dim
            line.show(
                status.lines(of: server, since: now, in: .utc, now: now),
                dot: status.isLive ? .green : color, in: color)
            // Without the erasure before it, and the return to the first cell.
            drawn += sink.text.replacing("\r\u{1B}[J", with: "").dropLast() + "\n"
        }
        draw()
        (status.servers[0].isCatchingUp, status.servers[0].isAnnounced) = (false, true)
        draw()
        (status.events, status.servers[0].gaps) = (62, 1)
        draw()
        status.servers[0].isAnnounced = false
        draw()
        status.servers[0].unreachableSince = now
        draw()
        status = WatchStatus(of: ["home", "cabin"], pause: .seconds(10))
        draw("2 servers")
        for index in 0...1 {
            (status.servers[index].isCatchingUp, status.servers[index].isAnnounced) = (false, true)
        }
        draw("2 servers")
        status.servers[1].unreachableSince = now
        draw("2 servers")
        status.servers[1].hasEnded = true
        draw("2 servers")
        try Screen.expect(
            test.stdout + "\n" + drawn, is: "events-watch", width: width)
    }

    private let well: [Finding] = [
        .ok("configuration", "there is no config file; the defaults apply"),
        .ok("folders", "only you can enter /home/ann/.local/state/argus"),
        .warning(
            "archive", "/srv/argus has 1200 events; the last sync with 'home': 2026-11-18 02:00:07",
            "run 'argus archive sync' on a timer"),
    ]

    @Test("doctor", arguments: Screen.widths)
    func doctor(width: Int) throws {
        var (test, context) = try doctor(on: terminal(width: width))
        let failure = Failure(
            .unreachable, "cannot reach 'home': connection refused",
            hint: "check that the server runs, and that host and port are right")
        var findings = well
        findings += [
            .ok("server", "'home' at https://home.example"), .ok("name", "home.example resolves"),
            .failure("connection", failure),
        ]
        findings += ["identity", "clock", "health", "offers"].map {
            .skipped($0, .noConnection, failure.hint)
        }
        findings.append(.ok("credentials", "from the sealed file"))
        findings += ["sign-in", "push"].map {
            .skipped($0, .notReached, failure.hint)
        }
        findings.append(.ok("terminal", "xterm-256color, \(width) columns"))
        try report(findings, in: context)
        try Screen.expect(test.stdout, is: "doctor", width: width)
        // Without colour, on a pipe, and for programs.
        (test, context) = try doctor(on: .none)
        try report(findings, in: context)
        #expect(test.stdout.contains("failed   connection     cannot reach 'home': connection"))
        #expect(test.stdout.contains("\nnot checked: 6 checks that need a connection\n"))
        #expect(
            test.stdout.hasSuffix(
                "\n14 checks: 6 ok, 1 warning, 1 failed, 6 not checked\n"))
        (test, context) = try doctor(on: .none, "tsv")
        try report(findings, in: context)
        #expect(test.stdout.split(separator: "\n").count == findings.count + 1)
    }

    private func doctor(
        on terminal: Terminal, _ format: String? = nil
    ) throws -> (TestSystem, Context) {
        let test = try TestSystem.onScreen(width: terminal.width)
        test.terminal = terminal
        test.environment["ARGUS_FORMAT"] = format
        return (test, Context(globals: GlobalOptions(), system: test.system))
    }

    private func report(_ findings: [Finding], in context: Context) throws {
        let report = try DoctorReport(context)
        for finding in findings { try report.add(finding) }
        let failure = #expect(throws: Failure.self) { try report.finish() }
        #expect(failure?.kind == .unreachable)
    }

    @Test("failures and warnings", arguments: Screen.widths)
    func errors(width: Int) async throws {
        let test = try TestSystem.onScreen(width: width)
        let context = Context(globals: GlobalOptions(), system: test.system)
        context.console.warn(
            "cannot reach 'home': the name home.example has no address, or the network is down; "
                + "trying again")
        var failure = Failure(
            .identity, "'home' shows another certificate than the one that you trusted",
            hint: "nothing was sent; this may be an attack. Read the fingerprint on the server "
                + "itself, and if it is the new one, run 'argus server trust home'")
        failure.items = [
            .init(id: "Garage", kind: .unreachable, message: "the camera does not answer")
        ]
        context.system.streams.writeError(failure.text(on: context.terminal, width: width))
        try test.expectScreen("errors")
    }
}
