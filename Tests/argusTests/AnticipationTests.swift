import Testing

@testable import argus

@Suite("Loading libcurl early")
struct AnticipationTests {
    @Test(
        "a command that asks the server loads libcurl as soon as it is understood",
        arguments: [["events", "list"], ["cameras", "snapshot", "--all"], ["whoami"]])
    func loads(words: [String]) {
        #expect(CommandLineReading(words).asksServer)
    }

    @Test(
        "what never sends a request, and what is not understood, loads nothing",
        arguments: [
            ["--version"], ["events", "list", "-h"], ["help", "times"], ["server", "list"],
            ["server", "use", "home"], ["__complete", "argus", "ev"], ["completion", "bash"],
            ["token"], ["events", "list", "--no-such-flag"], ["cameras", "snapshot"], ["nothing"],
        ])
    func loadsNothing(words: [String]) {
        #expect(!CommandLineReading(words).asksServer)
    }
}
