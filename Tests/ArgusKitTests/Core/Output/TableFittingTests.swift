import ArgusCore
import Testing

@Suite("Tables that fit a terminal")
struct TableFittingTests {
    private struct Row: Sendable {
        var id = "a1f3c716-4ad6-4ff2-8a1e-000000000000"
        var camera: String? = "Front Door"
        var time: Timestamp? = Timestamp(seconds: 1_795_212_005)
        var type = "person"
        var text: String? = "A person in a dark jacket looks towards the camera and leaves again"

        static let fields: [Field<Row>] = [
            Field.column("id", "") { $0.id }.shortened,
            Field.column("camera_name", "") { $0.camera }.shrinking(1),
            .column("last_active_at", "") { $0.time },
            Field.column("type", "") { $0.type }.colored { $0 == .text("person") ? .cyan : nil },
            Field.column("description", "") { $0.text }.shrinking(0, to: 10),
        ]
    }

    private func lines(
        _ rows: [Row], _ width: Int, isWide: Bool = false, isTerminal: Bool = true,
        isColored: Bool = false, hidesHeader: Bool = false, now: Timestamp? = nil,
        shape: OutputShape = .list
    ) throws -> [String] {
        let sink = ByteSink.memory()
        let terminal = Terminal(
            isOutputTerminal: isTerminal, width: width, style: Style(isOn: isColored))
        let options = OutputOptions(
            format: .table, hidesHeader: hidesHeader, now: now, isWide: isWide, terminal: terminal)
        var printer = try RecordPrinter(Row.fields, shape: shape, options: options, sink: sink)
        for row in rows { try printer.write(row) }
        try printer.finish()
        return sink.text.split(separator: "\n").map(String.init)
    }

    @Test("every row is one line of a terminal of 60 columns and more, whatever the texts are")
    func oneLine() throws {
        let rows = [
            Row(), Row(camera: "前庭の入り口のカメラ", text: "前庭に立っている人がカメラを見ている"),
            Row(camera: nil, time: nil, type: "licensePlateOfAVehicle", text: nil),
            Row(camera: String(repeating: "x", count: 500), text: "\u{1B}[31m"),
        ]
        for width in 60...220 {
            for line in try lines(rows, width) { #expect(DisplayWidth.of(line) <= width) }
        }
    }

    @Test(
        "texts shrink, then times lose seconds and the year, then headings their end, then texts")
    func order() throws {
        #expect(
            try lines([Row()], 110)[1]
                == "a1f3c716  Front Door   2026-11-20 22:00:05  person  A person in a dark jacket "
                + "looks towards the camera and le…")
        #expect(
            try lines([Row()], 80)[1]
                == "a1f3c716  Front Door   2026-11-20 22:00:05  person  A person in a dark jacket l…"
        )
        #expect(
            try lines([Row()], 75)[1]
                == "a1f3c716  Front Door   2026-11-20 22:00  person  A person in a dark jacket…")
        #expect(
            try lines([Row()], 60) == [
                "ID        CAMERA NAME  LAST ACTIVE  TYPE    DESCRIPTION",
                "a1f3c716  Front Door   11-20 22:00  person  A person in a d…",
            ])
    }

    @Test("a time of another year shows its date where the times of this year lose theirs")
    func otherYears() throws {
        let now = Timestamp(seconds: 1_795_212_005 - 3600)
        let rows = [Row(), Row(time: Timestamp(seconds: 1_802_988_005))]
        let shown = try lines(rows, 60, now: now)
        #expect(shown[1].contains("  11-20 22:00  person"))
        #expect(shown[2].contains("  2027-02-18   person"))
    }

    @Test("a long value of an object continues below its beginning, on a terminal only")
    func brokenValues() throws {
        let row = Row(text: "A person in a dark jacket 前庭 looks towards the camera")
        #expect(
            try lines([row], 42, shape: .single).suffix(3) == [
                "description     A person in a dark jacket", "                前庭 looks towards the",
                "                camera",
            ])
        let whole = "description     A person in a dark jacket 前庭 looks towards the camera"
        #expect(try lines([row], 42, isWide: true, shape: .single).last == whole)
        #expect(try lines([row], 42, isTerminal: false, shape: .single).last == whole)
    }

    @Test("wide and piped tables show everything")
    func wide() throws {
        let whole = try lines([Row()], 60, isTerminal: false)
        #expect(whole[1].contains("a1f3c716-4ad6-4ff2-8a1e-000000000000  Front Door"))
        #expect(whole[1].hasSuffix("and leaves again"))
        #expect(try lines([Row()], 60, isWide: true) == whole)
    }

    @Test("ids are as long as they must be to differ, and shown whole where they have escapes")
    func ids() throws {
        let other = Row(id: "A1F3C716-4B00-4ff2-8a1e-000000000000")
        #expect(try lines([Row(), Row(), other], 80)[1].hasPrefix("a1f3c716-4a  "))
        #expect(try lines([Row(id: "cam-1"), Row()], 80)[1].hasPrefix("cam-1     "))
        #expect(
            try lines([Row(id: "abcdefgh"), Row(id: "abcdefghi")], 80)[2].hasPrefix("abcdefghi  "))
        #expect(try lines([Row(id: "abcdefgh\u{1B}xyz")], 80)[1].hasPrefix("abcdefgh\\x1bxyz  "))
    }

    @Test("colours follow the value, and neither padding nor cutting")
    func colors() throws {
        let rows = [Row(text: "x"), Row(type: "thing", text: "x")]
        let shown = try lines(rows, 80, isColored: true, hidesHeader: true)
        #expect(shown[0].hasSuffix("22:00:05  \u{1B}[36mperson\u{1B}[0m  x"))
        #expect(shown[1].hasSuffix("22:00:05  thing   x"))
        #expect(!(try lines(rows, 80).joined().contains("\u{1B}")))
    }
}
