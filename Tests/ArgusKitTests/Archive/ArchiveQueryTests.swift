import ArgusTestSupport
import Testing

@testable import ArgusArchive
@testable import ArgusCore
@testable import ArgusEvents

@Suite("archive: conditions")
struct ArchiveQueryTests {
    private static let types = ["person", "Vehicle", "package", "animal", "weird|word"]
    private static let texts = [
        "A person in a red coat", "Red van at the front-door", "門の前の荷物", "\u{1F69A} delivery",
    ]

    /// Events of all kinds, with and without each member.
    private static func rows(_ count: Int) -> [EventServer.Row] {
        var random = FixedRandom(state: 7)
        func member(_ name: String, _ values: [String]) -> String {
            let index = Int.random(in: 0...values.count, using: &random)
            return index == values.count ? "" : #","\#(name)":\#(values[index])"#
        }
        return ArchiveFixture.rows(count) { _ in
            member("camera_id", [#""c1""#, #""c2""#, #""c3""#])
                + member("smart_detection_type", types.map { "\"\($0)\"" })
                + member("objects_detected", ["[]", #"["person","Vehicle"]"#, #"["animal"]"#])
                + member("confidence", ["0", "50", "99"])
                + member("alert_triggered", ["true", "false"])
                + member("is_doorbell_ring", ["true", "false"])
                + member("source_type", [#""RTSP""#, #""protect""#])
                + member("description", texts.map { "\"\($0)\"" })
        }
    }

    private static func filters() -> [EventFilter] {
        func made(_ change: (inout EventFilter) -> Void) -> EventFilter {
            var filter = EventFilter()
            change(&filter)
            return filter
        }
        let words = ["person", "vehicle", "motion", "ring", "package", "weird|word", "nothing"]
        return words.map { word in made { $0.types = [word] } } + [
            made { $0.types = ["person", "ring"] }, made { $0.cameraIDs = ["c1"] },
            made { $0.cameraIDs = ["c3", "c1"] }, made { $0.minConfidence = 50 },
            made { $0.alertsOnly = true }, made { $0.source = "rtsp" },
            made { $0.since = Timestamp(seconds: 1_900_000 - 6000) },
            made { $0.until = Timestamp(seconds: 1_900_000 - 6000) },
            made {
                $0.since = Timestamp(seconds: 1_900_000 - 9000)
                $0.until = Timestamp(seconds: 1_900_000 - 3000)
                $0.types = ["vehicle"]
                $0.cameraIDs = ["c2"]
            },
            made { $0.search = "red" }, made { $0.search = "front door" },
            made { $0.search = "RED V" }, made { $0.search = "前の荷" },
            made { $0.search = "\u{1F69A}" }, made { $0.search = "a \"red" },
        ]
    }

    @Test("SQL finds what the filter of a list finds, in its order")
    func equal() async throws {
        let test = try ArchiveFixture()
        let rows = Self.rows(400)
        try await test.sync(rows)
        let all = try Archive(reading: test.folder)
        let whole = try ArchiveRows(ArchiveQuery(EventFilter()), in: all)
        var events: [Event] = []
        while let batch = try whole.next() { events += batch.map(\.event) }
        #expect(events.count == 400)
        for filter in Self.filters() {
            let search = filter.search.map(EventSearch.init)
            let wanted = events.filter {
                filter.matches($0) && search?.matches($0.description ?? "") ?? true
            }.map(\.id)
            #expect(try test.ids(filter) == wanted, "\(filter)")
            if filter.types != ["nothing"] { #expect(!wanted.isEmpty, "\(filter)") }
        }
    }

    @Test(
        "words, phrases and beginnings of words are found, whatever else the text has",
        arguments: [
            ("red", ["e1", "e2"]), ("van red", ["e2"]), ("\"red van\"", ["e2"]),
            ("\"van red\"", []), ("coa*", ["e1"]), ("cafe", ["e3"]), ("red -van", ["e2"]),
            ("NEAR(red", []), ("red OR cafe", []), ("\"red", ["e1", "e2"]),
            ("* red", ["e1", "e2"]), ("前の荷", ["e4"]), ("荷物 門", ["e4"]), ("荷物 red", []),
            ("nguoi mot", ["e5"]), ("NGƯỜI", ["e5"]),
        ])
    func words(text: String, ids: [String]) async throws {
        let test = try ArchiveFixture()
        let texts = ["A red coat", "A red van", "At the Café", "門の前の荷物", "Một người đến"]
        try await test.sync(
            ArchiveFixture.rows(5) { #","description":"\#(texts[$0 - 1])""# })
        let found = try test.ids { $0.words = ArchiveWords(text) }
        #expect(found == ids)
        let ranked = try test.ids {
            $0.words = ArchiveWords(text)
            $0.order = .rank
        }
        #expect(ranked.sorted() == ids)
        #expect(ArchiveWords(" - \"\" *") == nil)
    }

    @Test("words that most descriptions have are found in the same order, with all conditions")
    func frequent() async throws {
        let test = try ArchiveFixture()
        try await test.sync(
            ArchiveFixture.rows(1500) {
                let (word, camera) = ($0 % 5 == 0 ? "heron" : "van", $0 % 2)
                return #","description":"A red \#(word)","camera_id":"c\#(camera)""#
            })
        func first(_ words: String, _ change: (inout ArchiveQuery) -> Void) throws -> [String] {
            try test.ids {
                ($0.words, $0.wanted) = (ArchiveWords(words), 2)
                change(&$0)
            }
        }
        // 1500 have "red", 1200 "van" and 300 "heron"; more than 1000 are frequent.
        #expect(try first("red") { _ in } == ["e1", "e2"])
        #expect(try first("red van") { $0.filter.cameraIDs = ["c0"] } == ["e2", "e4"])
        #expect(try first("van") { $0.order = .oldestFirst } == ["e1499", "e1498"])
        #expect(try first("heron") { _ in } == ["e5", "e10"])
        #expect(try first("red") { $0.wanted = 1400 }.count == 1400)
    }

    @Test("an event is found by its id and the beginning of one, in any case")
    func names() async throws {
        let test = try ArchiveFixture()
        let ids = ["8f85eda1-0001", "8F85EDA2-0001", "EVT-123456"]
        try await test.sync(
            ids.enumerated().map { index, id in
                EventServer.Row(id, at: 1_900_000 - Int64(index), #","has_thumbnail":false"#)
            })
        let archive = try Archive(reading: test.folder)
        for id in ids {
            for name in [id, String(id.prefix(8))] {
                for name in [name, name.lowercased(), name.uppercased()] {
                    let found = try archive.find(name, latestOf: ArchiveQuery(EventFilter()))
                    #expect(found.detail.event.id == id, "\(name)")
                }
            }
        }
    }

    @Test("a limit ends the walk, and later rows are not read")
    func limit() async throws {
        let test = try ArchiveFixture()
        try await test.sync(ArchiveFixture.rows(700))
        #expect(try test.ids { $0.wanted = 3 } == ["e1", "e2", "e3"])
        #expect(try test.ids { $0.wanted = 600 }.count == 600)
    }
}
