import ArgusCore
import ArgusEvents
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("argus mute")
struct MuteTests {
    private let test: TestSystem

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    @Test("an hour of quiet is listed, and ended by its number")
    func lifetime() async throws {
        #expect(await test.run("mute", "1h", "--reason", "party") == .done)
        #expect(await test.run("mute", "2h", "--type", "Person") == .done)
        #expect(
            await test.run(
                "mute", "list", "--format", "csv", "--no-header", "--fields", "number,type,reason")
                == .done)
        #expect(test.stdout == "1,,party\n2,person,\n")
        #expect(await test.run("mute", "end", "3") == .notFound)
        #expect(await test.run("mute", "end", "1") == .done)
        #expect(await test.run("mute", "end", "1") == .notFound)
        #expect(await test.run("mute", "end") == .done)
        #expect(test.stderr.contains("person is no longer muted"))
        #expect(await test.run("mute", "end") == .done)
        #expect(test.stderr.hasSuffix("nothing is muted\n"))
    }

    @Test("the scope of a cooldown is one word, and needs a cooldown and a command")
    func cooldownWords() async throws {
        for words in [
            ["--cooldown-per", "camera", "--", "true"], ["--cooldown", "10m"],
            ["--cooldown", "10m", "--cooldown-per", "house", "--", "true"],
        ] {
            #expect(await test.run(["events", "watch"] + words) == .usage, "\(words)")
        }
        #expect(try AlarmCooldown.Scope(argument: "type,camera") == .cameraAndType)
    }

    @Test("a camera is muted by its name")
    func camera() async throws {
        test.fake.stub(.get, "/api/v1/cameras", body: #"[{"id":"c1","name":"Front Door"}]"#)
        #expect(
            await test.run(
                "mute", "1h", "--camera", "front door", "--format", "json", "--fields", "camera_id")
                == .done)
        #expect(try test.printed()["camera_id"]?.string == "c1")
    }

    @Test("a month is the most without a question, and an end must be given and lie ahead")
    func ends() async throws {
        #expect(await test.run("mute", "30d") == .done)
        #expect(await test.run("mute", "31d") == .usage)
        #expect(await test.run("mute", "31d", "--yes") == .done)
        for words in [[], ["0s"], ["1h", "--until", "now"], ["--until", "2020-01-01"], ["lst"]] {
            #expect(await test.run(["mute"] + words) == .usage, "\(words)")
        }
    }

    @Test(
        "over a change of summer time a mute ends at the hour that the clock shows, or lasts as long",
        arguments: [
            // Clocks go from 02:00 to 03:00 on 29 March 2026, and back on 25 October.
            ("2026-03-28T22:00:00Z", ["--until", "08:00"], "2026-03-29T06:00:00.000000Z"),
            ("2026-03-28T22:00:00Z", ["10h"], "2026-03-29T08:00:00.000000Z"),
            ("2026-10-24T21:00:00Z", ["--until", "08:00"], "2026-10-25T07:00:00.000000Z"),
            ("2026-10-24T21:00:00Z", ["10h"], "2026-10-25T07:00:00.000000Z"),
        ])
    func summerTime(now: String, words: [String], until: String) async throws {
        test.environment["TZ"] = "Europe/Paris"
        test.time = try #require(Timestamp(serverText: now))
        #expect(
            await test.run(
                ["mute"] + words + ["--format", "json", "--fields", "until"]) == .done)
        #expect(try test.printed()["until"]?.string == until)
    }
}
