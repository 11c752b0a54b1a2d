import Testing

/// Long output at a terminal.
@Suite(.waitsForPrograms)
struct PagerTests {
    private let home: TemporaryHome
    private let server: DemoServer

    init() throws {
        home = try TemporaryHome()
        server = try DemoServer("--events", "90")
        try home.signIn(to: server)
    }

    private static let marking = "sed s/^/paged:/"

    @Test("a long list goes through the pager, and its count comes after it")
    func longList() throws {
        let shown = try home.argusOnTerminal(
            "events", "list", "-n", "60", variables: ["ARGUS_PAGER": Self.marking])
        #expect(shown.status == 0)
        #expect(shown.lines.count == 63)
        #expect(shown.lines.dropLast(2).allSatisfy { $0.hasPrefix("paged:") })
        #expect(shown.lines.last?.contains("60 of ") == true)
    }

    @Test(
        "a short list, and one whose pager is switched off or missing, goes to the terminal",
        arguments: [
            (["-n", "5"], ["ARGUS_PAGER": marking]), (["--no-pager"], ["ARGUS_PAGER": marking]),
            (["-q"], ["PAGER": marking]), ([], ["PAGER": marking, "TERM": "dumb"]),
            ([], ["PAGER": marking, "ARGUS_PAGER": "cat"]),
            ([], ["PAGER": "argus-no-such-program"]),
        ])
    func unpaged(_ words: [String], _ variables: [String: String]) throws {
        let limit = words.contains("-n") ? [] : ["-n", "60"]
        let shown = try home.launch(["events", "list"] + limit + words, variables).onTerminal
            .start().finish()
        #expect(shown.status == 0)
        #expect(!shown.text.contains("paged:"))
        #expect(shown.lines.count > 5)
    }

    @Test("the counts fit the screen; a chart of days and hours does not")
    func chart() throws {
        let variables = ["ARGUS_PAGER": Self.marking]
        let long = try home.argusOnTerminal(
            "events", "stats", "--by", "day,hour", variables: variables)
        #expect(long.status == 0)
        #expect(long.lines.allSatisfy { $0.hasPrefix("paged:") })
        let short = try home.argusOnTerminal("events", "stats", variables: variables)
        #expect(!short.text.contains("paged:"))
    }

    @Test("a pager that ends early ends argus, with status 0")
    func endedEarly() throws {
        let shown = try home.argusOnTerminal(
            "events", "list", "--all", variables: ["PAGER": "head -n 1"])
        #expect(shown.status == 0)
        #expect(shown.lines.count <= 3)
    }

    @Test("the configuration names a pager, and a pipe has none")
    func configuration() throws {
        try home.write("pager = \"\(Self.marking)\"\n", to: ".config/argus/config.toml")
        let shown = try home.argusOnTerminal(
            "events", "list", "-n", "60", variables: ["PAGER": "cat"])
        #expect(shown.lines.first?.hasPrefix("paged:") == true)
        #expect(!(try home.argus("events", "list", "-n", "60").text.contains("paged:")))
    }

    @Test("long help goes through the pager, which inherits no secret")
    func help() throws {
        let shown = try home.argusOnTerminal(
            "events", "list", "--help",
            variables: ["PAGER": "env; sed s/^/paged:/", "ARGUS_TOKEN": "token-of-this-run"])
        #expect(shown.lines.last?.hasPrefix("paged:") == true)
        #expect(shown.lines.contains("LESS=FRX"))
        #expect(!shown.text.contains("token-of-this-run"))
        let plain = try home.argusOnTerminal(
            "events", "list", "--help", "--no-pager", variables: ["PAGER": Self.marking])
        #expect(!plain.text.contains("paged:"))
    }

    @Test("--web prints the page of an event or camera where there is no browser")
    func webPages() throws {
        let event = try home.argus("events", "show", "latest", "--web").text
        // Port 3000 of this machine may be another program's.
        #expect(event.firstMatch(of: /^http:\/\/127\.0\.0\.1(:3000)?\/events\?highlight=/) != nil)
        let pages = "https://cameras.example/argus"
        #expect(try home.argus("config", "set", "dashboard_url", pages).status == 0)
        let camera = try home.argus("cameras", "show", "Front Door", "--web").text
        #expect(camera.hasPrefix("\(pages)/cameras/"))
        let own = "http://192.168.1.9:3000"
        let list = try home.argus("server", "list", "--fields", "name", "--format", "tsv")
        let name = try #require(list.lines.last)
        #expect(try home.argus("server", "set", name, "--dashboard", own + "/").status == 0)
        let shown = try home.argus("events", "show", "latest", "--web").text
        #expect(shown.hasPrefix("\(own)/events?"))
        let set = try home.argus(
            "server", "show", name, "--fields", "dashboard_url", "--json")
        #expect(set.text.contains("\"\(own)\""), "\(set.text)")
        #expect(try home.argus("server", "set", name, "--dashboard", "").status == 0)
        #expect(try home.argus("events", "show", "latest", "--web").text.hasPrefix(pages))
        #expect(try home.argus("server", "set", name, "--dashboard", "ftp://x").status == 2)
        #expect(try home.argus("cameras", "show", "Porch", "--web", "--json").status == 2)
        #expect(try home.argus("events", "show", "evt-none-of-all", "--web").status == 3)
    }
}
