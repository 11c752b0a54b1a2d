import ArgusTestSupport
import Testing

@testable import ArgusKit
@testable import argus

/// What `argus check` prints for monitoring systems.
@Suite("the line and the metrics of a check")
struct CheckOutputTests {
    /// A name with all that has a meaning in one of the formats.
    private static let name = "a'b\"c\\d|e=f;g{h}\ni\r\u{1B}[31m\u{9B}j\tk,ü"

    private static func result(
        _ state: CheckResult.State, _ check: CheckName, _ subject: String? = nil,
        value: Double? = nil, unit: CheckUnit? = nil
    ) -> CheckResult {
        CheckResult(state, check, subject, "found \(subject ?? "it")", value: value, unit: unit)
    }

    @Test(
        "the worst result decides the status",
        arguments: [
            ([.ok], .ok, "OK"), ([.ok, .unknown], .unknown, "UNKNOWN"),
            ([.unknown, .warn], .warning, "WARNING"),
            ([.warn, .fail, .unknown], .critical, "CRITICAL"),
            ([], .ok, "OK"),
        ] as [([CheckResult.State], NagiosLine.Status, String)])
    func status(_ states: [CheckResult.State], _ status: NagiosLine.Status, _ word: String) {
        let line = NagiosLine(states.map { Self.result($0, .disk) }.worstFirst)
        #expect(line.status == status)
        #expect(line.text.hasPrefix("ARGUS \(word) - "))
    }

    @Test("a run that could check nothing is critical if the server is down, else unknown")
    func failures() {
        for (kind, status) in [
            (ExitKind.unreachable, NagiosLine.Status.critical), (.identity, .critical),
            (.usage, .unknown), (.notFound, .unknown), (.failed, .unknown),
        ] {
            let line = NagiosLine(Failure(kind, "a|b\nc"))
            #expect(line.status == status)
            #expect(line.text.filter { $0 == "\n" || $0 == "|" } == "\n", "\(line.text)")
        }
    }

    @Test("names say what is wrong, and numbers follow with their units")
    func numbers() {
        let line = NagiosLine([
            Self.result(.fail, .silence, "Porch", value: 3600, unit: .seconds),
            Self.result(.ok, .disk, value: 23.8, unit: .percent),
            Self.result(.ok, .queue, value: 3),
            Self.result(.ok, .server, value: -0.25, unit: .seconds),
        ])
        #expect(
            line.text
                == "ARGUS CRITICAL - 4 checks: 3 ok, 1 fail; silence Porch: found Porch | "
                + "'silence Porch'=3600s 'disk'=23.8%;;;0;100 'queue'=3 'server'=-0.25s\n")
    }

    @Test("whatever a camera is called, there is one line, one bar, and one label for each number")
    func hostileNames() throws {
        let results = [
            Self.result(.fail, .camera, Self.name, value: 1),
            Self.result(.ok, .camera, Self.name, value: 2), Self.result(.ok, .disk, value: 3),
        ]
        let text = NagiosLine(results).text
        #expect(text.filter { $0.isNewline } == "\n")
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.properties.isControl })
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        #expect(parts.count == 2)
        // 'label'=value, with two quotes each.
        #expect(parts[1].filter { $0 == "'" }.count == 4, "\(text)")
        #expect(parts[1].filter { $0 == "=" }.count == 2, "\(text)")
    }

    private func metrics(_ results: [CheckResult], server: String = "home") -> String {
        CheckMetrics(server: server, results: results, now: TestSystem.now).text
    }

    @Test("metrics have a family for each kind of number, and an end")
    func families() {
        let text = metrics([
            Self.result(.fail, .silence, "Porch", value: 3600, unit: .seconds),
            Self.result(.unknown, .disk, value: 23.8, unit: .percent),
            Self.result(.warn, .queue, value: 44), Self.result(.ok, .archive),
        ])
        let labels = #"{server="home",check="silence",subject="Porch"}"#
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.suffix(2) == ["# EOF", ""])
        #expect(lines.contains("argus_check_state\(labels) 2"))
        #expect(lines.contains(#"argus_check_state{server="home",check="disk"} 3"#))
        #expect(lines.contains(#"argus_check_state{server="home",check="queue"} 1"#))
        #expect(lines.contains(#"argus_check_state{server="home",check="archive"} 0"#))
        #expect(lines.contains("argus_check_seconds\(labels) 3600"))
        #expect(
            lines.contains { $0.hasPrefix(#"argus_check_ratio{server="home",check="disk"} 0.23"#) })
        #expect(lines.contains(#"argus_check_count{server="home",check="queue"} 44"#))
        #expect(
            lines.contains(#"argus_check_run_timestamp_seconds{server="home"} 1795262400"#))
        #expect(lines.filter { $0.hasPrefix("# TYPE ") }.count == 5)
        #expect(metrics([]).split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.count == 1)
    }

    @Test("whatever a camera is called, each series is one line, and none comes twice")
    func hostileLabels() {
        let results = [
            Self.result(.fail, .camera, Self.name, value: 1),
            Self.result(.ok, .camera, Self.name, value: 2),
        ]
        let text = metrics(results, server: Self.name)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.properties.isControl })
        let series = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(series.count == 3, "\(text)")
        for line in series {
            // All that is between quotes, after escapes are taken away.
            let plain = line.replacing("\\\\", with: "").replacing("\\\"", with: "")
            #expect(!plain.contains("\\"), "\(line)")
            #expect(plain.filter { $0 == "\"" }.count.isMultiple(of: 2), "\(line)")
        }
        // A backslash is doubled once to be visible, and once more for the format.
        #expect(text.contains(#"subject="a'b\"c\\\\d|e=f;g{h}\\ni\\r"#), "\(text)")
    }

    @Test("numbers have no exponent as long as they can do without")
    func plainNumbers() {
        for (number, text) in [
            (0.0, "0"), (-0.0, "0"), (3600, "3600"), (0.25, "0.25"), (1e12, "1000000000000"),
            (-7, "-7"),
        ] { #expect(number.plain == text) }
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool { generalCategory == .control }
}
