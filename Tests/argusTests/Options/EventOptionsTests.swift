import ArgusEvents
import CommandLineKit
import Testing

@testable import argus

@Suite("options of events")
struct EventOptionsTests {
    private func list(_ words: String...) throws -> EventsList.Options {
        try options(of: EventsList.self, words)
    }

    @Test("without words a list has its 20 newest events")
    func defaults() throws {
        #expect(try list() == EventsList.Options())
        #expect(try list().limit == nil)
    }

    @Test(
        "every spelling of the limit",
        arguments: [["-n5"], ["-n", "5"], ["--limit", "5"], ["--limit=5"], ["-n", "9", "-n5"]])
    func limit(words: [String]) throws {
        var expected = EventsList.Options()
        expected.limit = 5
        #expect(try options(of: EventsList.self, words) == expected)
    }

    @Test("cameras are repeated, and each other option is its own")
    func filters() throws {
        var expected = EventsList.Options()
        expected.filter.cameras = try ["Front Door", "c2,c3"].map(CameraList.init(argument:))
        #expect(try list("--camera", "Front Door", "--camera=c2,c3") == expected)
        expected = EventsList.Options()
        expected.filter.search = try SearchArgument(argument: "-a dog")
        #expect(try list("--search", "-a dog") == expected)
        expected = EventsList.Options()
        expected.filter.minConfidence = 100
        #expect(try list("--min-confidence", "100") == expected)
        expected = EventsList.Options()
        expected.filter.isAlertsOnly = true
        #expect(try list("--alerts") == expected)
        expected = EventsList.Options()
        expected.isUnlimited = true
        #expect(try list("--all") == expected)
        expected = EventsList.Options()
        expected.isReversed = true
        #expect(try list("--reverse") == expected)
        expected = EventsList.Options()
        expected.filter.time.since = try TimeArgument(argument: "2h")
        expected.filter.time.until = try TimeArgument(argument: "yesterday")
        #expect(try list("--since=2h", "--until", "yesterday") == expected)
    }

    @Test("types add up, and sources are the contract's words")
    func words() throws {
        let words = try list("--type", "person,licensePlate", "--type=ring").filter.types
        #expect(words.flatMap(\.values) == ["person", "licensePlate", "ring"])
        for source in ["rtsp", "usb", "protect", "other"] {
            #expect(try list("--source", source).filter.source?.rawValue == source)
        }
    }

    @Test(
        "impossible values are refused by the option's name",
        arguments: [
            ["--type", "person,,ring"], ["--type="], ["--source", "hdmi"],
            ["--min-confidence", "101"], ["--min-confidence", "-1"], ["--min-confidence", "x"],
            ["--limit", "0"], ["--limit", "ten"], ["--since", "2"], ["--until", "tomorrowish"],
            ["--search="],
        ])
    func refused(words: [String]) throws {
        let error = try #require(throws: UsageError.self) {
            try options(of: EventsList.self, words)
        }
        let name = try #require(words[0].split(separator: "=").first)
        #expect(error.message.hasPrefix("\(name):"), "\(error.message)")
    }

    @Test("a condition that makes no sense twice is refused")
    func twice() {
        for words in [
            ["--search", "a"], ["--since", "1h"], ["--until", "now"], ["--during", "today"],
            ["--source", "usb"], ["--min-confidence", "50"], ["--sort", "time"],
        ] {
            let error = #expect(throws: UsageError.self) {
                try options(of: EventsList.self, words + words)
            }
            #expect(error?.message == "\(words[0]) is given twice")
        }
    }

    @Test("the keys of a count add up")
    func keys() throws {
        let words = ["--by", "type,day", "--by", "camera"]
        #expect(try options(of: EventsStats.self, words).groups == [.type, .day, .camera])
        #expect(try options(of: EventsStats.self, []).groups == EventStatistics.Group.allCases)
    }

    @Test("a list takes no operands")
    func operands() {
        #expect(refusal(of: EventsList.self, "e1") == "unexpected argument 'e1'")
    }

    @Test("events are shown by one name or more")
    func show() throws {
        #expect(try options(of: EventsShow.self, ["latest", "e1"]).events == ["latest", "e1"])
        #expect(refusal(of: EventsShow.self) == "missing EVENT")
    }

    @Test("thumbnails go where --output says")
    func thumbnail() throws {
        var expected = EventsThumbnail.Options()
        expected.events = ["e1"]
        #expect(try options(of: EventsThumbnail.self, ["e1"]) == expected)
        expected.target.path = "x.jpg"
        for words in [["-o", "x.jpg"], ["-ox.jpg"], ["--output", "x.jpg"], ["--output=x.jpg"]] {
            #expect(try options(of: EventsThumbnail.self, ["e1"] + words) == expected)
        }
        expected.target.mayOverwrite = true
        #expect(
            try options(of: EventsThumbnail.self, ["--force", "-o", "x.jpg", "e1"]) == expected)
        #expect(refusal(of: EventsThumbnail.self, "-o", "x") == "missing EVENT")
    }
}
