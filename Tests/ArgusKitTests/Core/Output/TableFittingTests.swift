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
            Field.column("camera_name", "") { $0.camera }.shrinking(1).headed("camera"),
            .column("last_active_at", "") { $0.time },
            Field.column("type", "") { $0.type }.colored { $0 == .text("person") ? .cyan : nil },
            Field.column("description", "") { $0.text }.shrinking(0, to: 8).asHeadline,
        ]
    }

    private static let now: Int64 = 1_795_212_005

    private func lines(
        _ rows: [Row], _ width: Int, isWide: Bool = false, isTerminal: Bool = true,
        isColored: Bool = false, hidesHeader: Bool = false, shape: OutputShape = .list
    ) throws -> [String] {
        let sink = ByteSink.memory()
        let terminal = Terminal(
            isOutputTerminal: isTerminal, width: width, style: Style(isOn: isColored))
        let options = OutputOptions(
            format: .table, hidesHeader: hidesHeader, now: Timestamp(seconds: Self.now),
            isWide: isWide, terminal: terminal)
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

    @Test("texts shrink, the least important first, then headings")
    func order() throws {
        #expect(
            try lines([Row()], 110)[1]
                == "Front Door  22:00        person  A person in a dark jacket looks towards the camera "
                + "and leaves again  a1f3c716")
        #expect(
            try lines([Row()], 80)[1]
                == "Front Door  22:00        person  A person in a dark jacket looks towa…  a1f3c716"
        )
        #expect(
            try lines([Row()], 60) == [
                "CAMERA      LAST ACTIVE  TYPE    DESCRIPTION        ID",
                "Front Door  22:00        person  A person in a da…  a1f3c716",
            ])
        #expect(
            try lines([Row(camera: "The path along the garden")], 60)[1]
                == "The path along …  22:00        person  A person i…  a1f3c716")
    }

    @Test("a continuing text takes several lines in the last column of a terminal, and only there")
    func continuing() throws {
        let text = "it was quiet from ten in the evening until seven"
        let name = Field<String>.column("name", "") { _ in "phone" }
        let explanation = Field<String>.column("explanation", "") { $0 }
            .shrinking(0, to: 24).continuing
        func lines(_ fields: [Field<String>], isTerminal: Bool = true) throws -> [String] {
            let sink = ByteSink.memory()
            let options = OutputOptions(
                format: .table, terminal: Terminal(isOutputTerminal: isTerminal, width: 40))
            var printer = try RecordPrinter(fields, shape: .list, options: options, sink: sink)
            for text in [text, "delivered"] { try printer.write(text) }
            try printer.finish()
            return sink.text.split(separator: "\n").map(String.init)
        }
        #expect(
            try lines([name, explanation]) == [
                "NAME   EXPLANATION", "phone  it was quiet from ten in the",
                "       evening until seven", "phone  delivered",
            ])
        #expect(try lines([explanation, name])[1] == "it was quiet from ten in the eve…  phone")
        #expect(try lines([name, explanation], isTerminal: false)[1] == "phone  \(text)")
    }

    @Test("times are as near as now is, with seconds in a column where two rows share a minute")
    func times() throws {
        func shown(_ seconds: [Int64]) throws -> [String] {
            let rows = seconds.map { Row(camera: "x", time: Timestamp(seconds: Self.now + $0)) }
            return try lines(rows, 60, hidesHeader: true).map {
                String($0.dropFirst(3).prefix { $0 != "p" }).trimmed
            }
        }
        let day: Int64 = 86_400
        #expect(
            try shown([0, -5, -60, -2 * day, -6 * day, -7 * day, -400 * day])
                == [
                    "22:00:05", "22:00:00", "21:59:05", "Wed 22:00:05", "Sat 22:00:05", "13 Nov",
                    "16 Oct 2025",
                ])
        // Days without a time of day share no minute.
        #expect(try shown([0, -7 * day, -7 * day + 1]) == ["22:00", "13 Nov", "13 Nov"])
        #expect(try shown([3600, 2 * day, 60 * day]) == ["23:00", "22 Nov 22:00", "19 Jan 2027"])
    }

    @Test("a person gets a headline, labels and what there is, a program all names")
    func objects() throws {
        let row = Row(camera: nil, text: "A person in a dark jacket 前庭 looks towards the camera")
        #expect(
            try lines([row], 42, shape: .single) == [
                "A person in a dark jacket 前庭 looks", "towards the camera",
                "last active  2026-11-20 22:00:05", "type         person",
                "id           a1f3c716-4ad6-4ff2-8a1e-000000000000",
            ])
        let piped = try lines([row], 42, isTerminal: false, shape: .single)
        #expect(piped.first == "id              a1f3c716-4ad6-4ff2-8a1e-000000000000")
        #expect(piped[1] == "camera_name     -")
        #expect(
            piped.last == "description     A person in a dark jacket 前庭 looks towards the camera")
    }

    @Test("wide and piped tables show everything")
    func wide() throws {
        let whole = try lines([Row()], 60, isTerminal: false)
        #expect(whole[1].contains("a1f3c716-4ad6-4ff2-8a1e-000000000000  Front Door"))
        #expect(whole[1].hasSuffix("and leaves again"))
        #expect(
            try lines([Row()], 60, isWide: true)[1]
                == "Front Door  2026-11-20 22:00:05  person  A person in a dark jacket looks towards "
                + "the camera and leaves again  a1f3c716-4ad6-4ff2-8a1e-000000000000")
    }

    @Test("ids are as long as they must be to differ, and shown whole where they have escapes")
    func ids() throws {
        let other = Row(id: "A1F3C716-4B00-4ff2-8a1e-000000000000")
        #expect(try lines([Row(), Row(), other], 80)[1].hasSuffix("  a1f3c716-4a"))
        #expect(try lines([Row(id: "cam-1"), Row()], 80)[1].hasSuffix("  cam-1"))
        #expect(
            try lines([Row(id: "abcdefgh"), Row(id: "abcdefghi")], 80)[2].hasSuffix("  abcdefghi"))
        #expect(try lines([Row(id: "abcdefgh\u{1B}xyz")], 80)[1].hasSuffix("  abcdefgh\\x1bxyz"))
    }

    @Test("colours follow the value, and neither padding nor cutting")
    func colors() throws {
        let rows = [Row(text: "x"), Row(type: "thing", text: "x")]
        let shown = try lines(rows, 80, isColored: true, hidesHeader: true)
        let id = "\u{1B}[2ma1f3c716\u{1B}[0m"
        #expect(shown[0].hasSuffix("22:00  \u{1B}[36mperson\u{1B}[0m  x  " + id))
        #expect(shown[1].hasSuffix("22:00  thing   x  " + id))
        #expect(!(try lines(rows, 80).joined().contains("\u{1B}")))
    }
}

extension String {
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
