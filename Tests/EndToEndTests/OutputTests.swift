import ArgusTestSupport
import Testing

@testable import argus_demo

/// What scripts and people get to see of the same answers.
@Suite(.waitsForPrograms)
struct OutputTests {
    private let home: TemporaryHome
    private let server: DemoServer

    init() throws {
        home = try TemporaryHome()
        server = try DemoServer("--events", "60")
        try home.signIn(to: server)
    }

    @Test("--fields chooses and orders columns and keys, in every format")
    func fields() throws {
        let words = ["cameras", "list", "--fields", "source,name"]
        #expect(
            try home.argus(words + ["--json"]).json.list.allSatisfy {
                $0.names == ["source", "name"]
            })
        #expect(try home.argus(words).lines[0] == "SOURCE   NAME")
        #expect(
            try home.argus(words + ["--format", "csv"]).lines[..<2] == [
                "source,name", "protect,Front Door",
            ])
        #expect(
            try home.argus(words + ["--format", "tsv", "--no-header"]).lines[0]
                == "protect\tFront Door")
        #expect(try home.argus(words + ["--no-header"]).lines.count == 6)
        let hidden = try home.argus("events", "list", "-n", "1", "--fields", "confidence")
        #expect(hidden.lines[0] == "CONFIDENCE")
        let wrong = try home.argus("events", "list", "--fields", "id,nme")
        #expect(wrong.status == 2)
        #expect(wrong.complaint.contains("has_thumbnail"))
        let one = try home.argus("whoami", "--fields", "role,username", "--json")
        #expect(one.json == ["role": "admin", "username": "demo"])
    }

    @Test("columns line up under wide names")
    func wideNames() throws {
        let lines = try home.argus("cameras", "list").lines
        let header = try #require(lines.first)
        #expect(lines.count == 7)
        let column = try #require(header.firstRange(of: "ENABLED"))
        let start = header.distance(from: header.startIndex, to: column.lowerBound)
        for line in lines.dropFirst() {
            // 前庭 takes four cells in two characters.
            let offset = line.contains("前庭") ? start - 2 : start
            let rest = line.dropFirst(offset)
            #expect(
                rest.hasPrefix("yes") || rest.hasPrefix("no") || rest.hasPrefix("true")
                    || rest.hasPrefix("false"), "\(line)")
        }
    }

    @Test("csv and tsv quote what would break a row, and what a spreadsheet would run")
    func quoting() async throws {
        let event = #"{"id":"evt-1","timestamp":"2026-11-20T10:00:00Z","description":"#
        let cases = [
            (#""a,b""#, #""a,b""#, "a,b"), (#""say \"hi\"""#, #""say ""hi""""#, #"say "hi""#),
            (#""two\nlines""#, "\"two\nlines\"", #"two\nlines"#), ("null", "", ""),
            (#""=1+2""#, "'=1+2", "=1+2"), (#""-x""#, "'-x", "-x"),
            (#""tab\there""#, "tab\there", #"tab\there"#),
            (#""back\\slash""#, #"back\slash"#, #"back\\slash"#), (#""""#, "", ""),
        ]
        for (text, csv, tsv) in cases {
            let page = #"{"events":[\#(event)\#(text)}],"has_more":false}"#
            try await LoopbackServer.serving { _ in
                [.answer(headers: ["Content-Type: application/json"], page)]
            } _: { server in
                let words = [
                    "events", "list", "--fields", "description", "--no-header", "--server",
                    "\(server.origin)", "--format",
                ]
                let token = ["ARGUS_TOKEN": "x.y.z"]
                for (format, expected) in [("csv", csv), ("tsv", tsv)] {
                    let ran = try home.argus(words + [format], variables: token)
                    #expect(ran.text == "\(expected)\n")
                }
            }
        }
    }

    @Test("--raw prints the server's own objects, with its keys, order and numbers")
    func raw() async throws {
        let object =
            #"{"zeta":1.50,"id":"evt-1","a":1e400,"big":123456789012345678901234567890,"timestamp":"2026-11-20T10:00:00Z","text":"\u00e9 \/ é","n":null,"l":[1, 2]}"#
        try await LoopbackServer.serving { _ in
            [
                .answer(
                    headers: ["Content-Type: application/json"],
                    #"{"events":[ \#(object) ],"has_more":false}"#)
            ]
        } _: { server in
            let words = ["events", "list", "--raw", "--server", "\(server.origin)", "--format"]
            let token = ["ARGUS_TOKEN": "x.y.z"]
            let line = try home.argus(words + ["ndjson"], variables: token).text
            for part in [
                #"{"zeta":1.50,"id":"evt-1","a":1e400,"big":123456789012345678901234567890,"#,
                #""text":"\u00e9 \/ é","n":null,"l":[1"#,
            ] {
                #expect(line.contains(part), "\(line)")
            }
            let json = try home.argus(words + ["json"], variables: token).text
            #expect(json.contains("123456789012345678901234567890"))
        }
        let token = String(try home.argus("token").text.dropLast())
        let curl = try home.bash(
            "curl -sS -H @- \"$1/api/v1/events?limit=5\" <<< \"Authorization: Bearer $2\" "
                + "| jq -c '.events[]'", arguments: [server.url, token])
        let ran = try home.argus("events", "list", "-n", "5", "--raw", "--format", "ndjson")
        #expect(ran.lines.count == 5)
        #expect(ran.text == curl.text)
        #expect(try home.argus("events", "list", "--raw").status == 2)
    }

    @Test("times are local in tables, UTC with --utc, and always UTC for programs")
    func times() throws {
        let zone = ["TZ": "Asia/Kathmandu"]
        let words = ["events", "list", "-n", "1", "--fields", "timestamp", "--no-header"]
        let utc = try home.argus(words).text
        #expect(try home.argus(words + ["--utc"], variables: zone).text == utc)
        #expect(try home.argus(words, variables: zone).text != utc)
        let plain = try home.argus(words + ["--format", "csv"]).text
        #expect(try home.argus(words + ["--format", "csv"], variables: zone).text == plain)
        let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\n/
        #expect(plain.wholeMatch(of: form) != nil)
    }

    @Test("--reverse turns the same events around, and filters agree with the whole list")
    func lists() throws {
        func ids(_ words: String...) throws -> [String] {
            try home.argus(["events", "list", "--json"] + words).json.list.compactMap {
                $0["id"]?.string
            }
        }
        let all = try ids("--all")
        #expect(all.count == 60 && Set(all).count == 60)
        #expect(try ids() == Array(all.prefix(20)))
        #expect(try ids("-n", "9000000000") == all)
        #expect(try ids("-n", "7", "--reverse") == all.prefix(7).reversed())
        #expect(try ids("--all", "--reverse") == all.reversed())
        let whole = try home.argus("events", "list", "--all", "--json").json.list
        func matching(_ isWanted: (JSON) -> Bool) -> [String] {
            whole.filter(isWanted).compactMap { $0["id"]?.string }
        }
        #expect(
            try ids("--all", "--camera", "driveway")
                == matching { $0["camera_name"] == "Driveway" })
        #expect(
            try ids("--all", "--min-confidence", "80")
                == matching { ($0["confidence"]?.int ?? 0) >= 80 })
        #expect(try ids("--all", "--alerts") == matching { $0["alert_triggered"] == true })
        #expect(
            try ids("--all", "--type", "vehicle")
                == matching {
                    $0["type"] == "vehicle" || $0["objects"]?.list.contains("vehicle") == true
                })
        let middle = try #require(whole[30]["timestamp"]?.string)
        #expect(
            try ids("--all", "--since", middle)
                == matching { ($0["timestamp"]?.string ?? "") >= middle })
        #expect(
            try ids("--all", "--until", middle)
                == matching { ($0["timestamp"]?.string ?? "") <= middle })
        #expect(try ids("--all", "--since", "1s").isEmpty)
        #expect(try ids("--all", "--search", "no such words anywhere").isEmpty)
    }

    @Test("prefixes find an event and a camera, and an ambiguous one lists the candidates")
    func names() async throws {
        let latest = try home.argus("events", "show", "latest", "--json").json
        let id = try #require(latest["id"]?.string)
        #expect(try home.argus("events", "show", String(id.prefix(8)), "--json").json == latest)
        #expect(try home.argus("events", "show", id.uppercased(), "--json").json == latest)
        #expect(try home.argus("events", "show", String(id.prefix(7))).status == 3)
        #expect(try home.argus("cameras", "show", "FRONT door").status == 0)
        let cameras =
            #"[{"id":"cam-10","name":"Door"},{"id":"cam-11","name":"door"},{"id":"Door-2","name":"x"}]"#
        try await LoopbackServer.serving { _ in
            [.answer(headers: ["Content-Type: application/json"], cameras)]
        } _: { server in
            let token = ["ARGUS_TOKEN": "x.y.z"]
            for name in ["door", "cam-"] {
                let ran = try home.argus(
                    "cameras", "show", name, "--server", "\(server.origin)", "--json",
                    variables: token)
                #expect(ran.status == 2, "\(name)")
                #expect(ran.error?["message"]?.string?.contains("cam-10") == true)
                #expect(ran.error?["message"]?.string?.contains("cam-11") == true)
            }
        }
    }
}
