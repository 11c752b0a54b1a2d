import ArgusTestSupport
import Testing

@testable import argus_demo

/// Deleting, rating and counting events as a person does.
@Suite(.waitsForPrograms)
struct EventChangeTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    private func ids(_ more: String...) throws -> [String] {
        try home.argus(
            ["events", "list", "--all", "--format", "csv", "--fields", "id", "--no-header"] + more
        ).lines
    }

    @Test("more events than a batch holds are deleted by condition, and only those")
    func byCondition() throws {
        try home.signIn(to: try DemoServer("--events", "900"))
        let people = try ids("--type", "person")
        let all = try ids()
        #expect(people.count > 200)
        let asked = try home.argus("events", "delete", "--type", "person")
        #expect(asked.status == 2)
        #expect(asked.complaint.contains("--yes"))
        let ran = try home.argus("events", "delete", "--type", "person", "--yes", "--json")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.json["deleted"]?.int == people.count)
        #expect(try ids() == all.filter { !people.contains($0) })
        let none = try home.argus("events", "delete", "--type", "person", "--yes", "--json")
        #expect(none.json["requested"]?.int == 0)
    }

    @Test("what a failed batch leaves is named, and the same command continues with it")
    func partly() throws {
        let fault = "route=/api/v1/events/bulk,after=1,times=1,status=429,header=Retry-After:7"
        try home.signIn(to: try DemoServer("--events", "250", faults: [fault]))
        let all = try ids()
        let words = ["events", "delete", "--until", "now", "--yes"]
        let ran = try home.argus(words + ["--json"])
        #expect(ran.status == 11, "\(ran.complaint)")
        #expect(ran.json["requested"]?.int == 250)
        #expect(ran.json["deleted"]?.int == 100)
        let error = try #require(ran.error)
        #expect(error["kind"]?.string == "partial")
        #expect(error["retry_after_seconds"]?.int == 7)
        #expect(error["message"]?.string?.hasPrefix("deleted 100 of 250 events, then: ") == true)
        #expect(error["hint"]?.string?.contains("the same command deletes the rest") == true)
        let items = error["items"]?.elements ?? []
        try #require(items.count == 150)
        #expect(items.map { $0["id"]?.string ?? "" } == Array(all[100...]))
        #expect(items.allSatisfy { $0["kind"]?.string == "rate_limited" })
        #expect(items[99]["message"]?.string?.contains("refuses more requests") == true)
        #expect(items[100]["message"]?.string == "not tried")
        #expect(try ids() == Array(all[100...]))
        #expect(try home.argus(words).complaint == "deleted 150 events\n")
    }

    @Test("a failed batch is reported in a few lines")
    func partlyForPeople() throws {
        let fault = "route=/api/v1/events/bulk,after=1,status=503"
        try home.signIn(to: try DemoServer("--events", "250", faults: [fault]))
        let ran = try home.argus(
            "events", "delete", "--until", "now", "--yes", "--retries", "0")
        #expect(ran.status == 11)
        #expect(ran.text.isEmpty)
        let lines = ran.complaint.split(separator: "\n")
        #expect(lines.first?.hasPrefix("argus: deleted 100 of 250 events, then: ") == true)
        #expect(lines.count == 23)
        #expect(lines[21] == "  and 130 more")
        #expect(lines.last == "hint: the same command deletes the rest")
    }

    @Test("named events go once, gone ones are no failure, and a slip deletes nothing")
    func named() throws {
        try home.signIn(to: try DemoServer("--events", "20"))
        let all = try ids()
        let slip = try home.argus("events", "delete", all[0], "nonsense-id", "--yes")
        #expect(slip.status == 3)
        #expect(try ids() == all)
        let ran = try home.argus(
            "events", "delete", all[0], String(all[0].prefix(12)), all[1], "--yes", "--json")
        #expect(ran.json["deleted"]?.int == 2)
        let again = try home.argus("events", "delete", all[0], all[2], "--yes", "--json")
        #expect(again.status == 0)
        #expect(again.json["deleted"]?.int == 1)
        #expect(again.json["already_gone"]?.int == 1)
        #expect(try ids() == Array(all[3...]))
        #expect(try home.argus("events", "delete", "--yes").status == 2)
        #expect(try home.argus("events", "delete", all[3], "--alerts", "--yes").status == 2)
    }

    @Test("a person sees what will go, and anything but yes keeps it")
    func question() throws {
        try home.signIn(to: try DemoServer("--events", "15"))
        for (answer, left) in [("no\n", 15), ("yes\n", 14)] {
            let program = try home.launch(["events", "delete", "latest"]).onTerminal.start()
            try program.wait(for: "Type yes: ")
            program.type(answer)
            let ran = try program.finish()
            #expect(ran.status == (answer == "yes\n" ? 0 : 1))
            #expect(ran.text.contains("for good"))
            #expect(try ids().count == left)
        }
    }

    @Test("feedback is given and changed, and an analysis that fails says why")
    func feedback() throws {
        try home.signIn(to: try DemoServer("--events", "10"))
        let first = try home.argus("events", "feedback", "latest", "helpful", "--json")
        #expect(first.json["rating"]?.string == "helpful")
        let second = try home.argus(
            "events", "feedback", "latest", "not_helpful", "--correction", "A cat", "--json")
        #expect(second.status == 0, "\(second.complaint)")
        #expect(second.json["correction"]?.string == "A cat")
        let shown = try home.argus("events", "show", "latest", "--json")
        #expect(shown.json["feedback"]?["rating"]?.string == "not_helpful")
        #expect(try home.argus("events", "feedback", "latest", "so-so").status == 2)
        let failed = try home.argus("events", "reanalyze", "latest", "--json")
        #expect([7, 10].contains(failed.status))
    }

    @Test(
        "servers without these routes are status 14, and count events all the same",
        arguments: ["mobile", "documented"])
    func unsupported(api: String) throws {
        try home.signIn(to: try DemoServer("--events", "40", api: api))
        for words in [
            ["delete", "latest", "--yes"], ["feedback", "latest", "helpful"],
            ["reanalyze", "latest"], ["frames", "latest"], ["video", "latest"],
            ["delete", "00000000-0000-4000-8000-000000000000", "--yes"],
        ] {
            let ran = try home.argus(["events"] + words)
            #expect(ran.status == 14, "\(words): \(ran.complaint)")
        }
        let rows = try home.argus("events", "stats", "--json").json.list
        #expect(rows.first?["count"]?.int == 40)
    }

    @Test("a terminal gets bars and a strip for each day, a pipe gets numbers")
    func statistics() throws {
        try home.signIn(to: try DemoServer("--events", "300"))
        let drawn = try home.argusOnTerminal(
            "events", "stats", "--since", "3d", "--utc", variables: ["PAGER": "cat"])
        #expect(drawn.text.contains("█"))
        #expect(drawn.text.contains("HOUR"))
        let rows = try home.argus("events", "stats", "--format", "ndjson", "--utc").records
        for group in ["camera", "type", "hour", "day"] {
            let counts = rows.filter { $0["group"]?.string == group }.compactMap {
                $0["count"]?.int
            }
            #expect(counts.reduce(0, +) == 300, "\(group)")
        }
        #expect(rows[0]["group"]?.string == "total")
    }

    @Test("an event named twice has one picture")
    func repeatedThumbnail() throws {
        try home.signIn(to: try DemoServer("--events", "30"))
        let id = try #require(
            try home.argus(
                "events", "list", "--format", "csv", "--fields", "id,has_thumbnail", "--no-header"
            ).lines.first { $0.hasSuffix(",true") }.map { String($0.prefix(36)) })
        let ran = try home.argus(
            "events", "thumbnail", id, String(id.prefix(13)), "-o", "pictures/", "--json")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.json.list.count == 1)
    }
}
