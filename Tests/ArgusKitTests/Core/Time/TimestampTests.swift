import ArgusCore
import Testing

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        "every form that servers send is read",
        arguments: [
            ("2026-11-20T22:00:00Z", 1_795_212_000_000_000),
            ("2026-11-20T23:31:27.006718Z", 1_795_217_487_006_718),
            ("2026-11-20T23:37:46.312098", 1_795_217_866_312_098),
            ("2026-11-20 22:00:00", 1_795_212_000_000_000),
            ("2026-11-20T22:00:00.5Z", 1_795_212_000_500_000),
            ("2026-11-20T22:00:00.1234567899Z", 1_795_212_000_123_456),
            ("2026-11-20T22:00:00+00:00", 1_795_212_000_000_000),
            ("2026-11-20T22:00:00+02:00", 1_795_204_800_000_000),
            ("2026-11-20T22:00:00-0530", 1_795_231_800_000_000),
            ("2026-11-20T22:00Z", 1_795_212_000_000_000),
            ("2026-11-20", 1_795_132_800_000_000), ("1795212000", 1_795_212_000_000_000),
            ("1795212000.25", 1_795_212_000_250_000), ("0", 0), ("-1", -1_000_000),
            ("1969-12-31T23:59:59.999999Z", -1), ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000_000),
        ] as [(String, Int64)])
    func serverText(text: String, microseconds: Int64) {
        #expect(Timestamp(serverText: text)?.microseconds == microseconds)
    }

    @Test(
        "everything else is no time",
        arguments: [
            "", " ", "now", "x", "2026-11-20T", "2026-11-20T22", "2026-11-20T22:00:00.Z",
            "2026-11-20T22:00:00ZZ", "2026-13-01T00:00:00Z", "2026-02-29", "2026-11-31",
            "2026-00-10",
            "2026-11-20T24:00:00Z", "2026-11-20T22:60:00Z", "2026-11-20T22:00:60Z",
            "0000-01-01T00:00:00Z", "2026-11-20T22:00:00+24:00", "2026-11-20T22:00:00+2:00",
            "2026-11-20T22:00:00+02:60", "1795212000x", "99999999999999999999", "999999999999",
            "-99999999999", "1.", "+5", "2026-11-20T22:00:00Z\n", "２026-11-20T22:00:00Z",
        ])
    func noTime(text: String) {
        #expect(Timestamp(serverText: text) == nil)
    }

    @Test("the UTC text always has 27 characters and reads back")
    func utcText() {
        let expected: [(Int64, String)] = [
            (0, "1970-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
            (1_795_217_487_006_718, "2026-11-20T23:31:27.006718Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (-2_203_891_200_000_000, "1900-03-01T00:00:00.000000Z"),
            (.min, "0001-01-01T00:00:00.000000Z"), (.max, "9999-12-31T23:59:59.999999Z"),
        ]
        for (microseconds, text) in expected {
            #expect(Timestamp(microseconds: microseconds).utcText == text)
        }
        for day in stride(from: Int64(-700_000), to: 2_900_000, by: 373) {
            let time = Timestamp(microseconds: day * 86_400_000_000 + 12_345_678_901)
            #expect(Timestamp(serverText: time.utcText) == time)
        }
    }

    @Test("local texts follow the zone, also at the ends of the range")
    func localTexts() throws {
        let time = try #require(Timestamp(serverText: "2026-11-20T22:00:05.9Z"))
        let berlin = LocalZone.find(environment: ["TZ": "Europe/Berlin"]).rules
        #expect(time.displayText(in: berlin) == "2026-11-20 23:00:05")
        #expect(time.displayText(in: .utc) == "2026-11-20 22:00:05")
        #expect(time.fileNameText(in: berlin) == "20261120T230005")
        #expect(Timestamp(microseconds: .max).displayText(in: berlin).utf8.count == 19)
        #expect(Timestamp(microseconds: .min).displayText(in: berlin).utf8.count == 19)
    }

    @Test("sums and seconds that do not fit are held at the end")
    func saturation() {
        #expect(Timestamp(seconds: .max).microseconds == .max)
        #expect(Timestamp(seconds: .min).microseconds == .min)
        #expect(Timestamp(microseconds: .min).seconds == -9_223_372_036_855)
        #expect(Timestamp(microseconds: .max) + .seconds(1) == Timestamp(microseconds: .max))
        #expect(Timestamp(seconds: 0) + .seconds(Int64.max) == Timestamp(microseconds: .max))
        #expect(Timestamp(seconds: 10) + .milliseconds(-1500) == Timestamp(microseconds: 8_500_000))
        #expect(Timestamp(seconds: 3) - Timestamp(seconds: 5) == .seconds(-2))
    }
}
