import Testing

@testable import CommandLineKit
@testable import argus

@Suite("Loading libcurl early")
struct NetworkPredictionTests {
    @Test(
        "words that make a request load libcurl before they are understood",
        arguments: [
            ["events", "list"], ["cameras", "snapshot", "--all"], ["whoami"],
            ["-s", "home", "events"], ["--json", "cameras", "list"],
        ])
    func loads(words: [String]) {
        #expect(withArguments(["argus"] + words, NetworkPrediction.expectsRequest))
    }

    @Test(
        "what never sends a request loads nothing",
        arguments: [
            [], ["--version"], ["events", "list", "-h"], ["help", "events"], ["server", "list"],
            ["server", "use", "events"], ["__complete", "events"], ["completion", "bash"],
            ["token"], ["config", "set", "alias.x", "events"], ["--json", "version"], ["nothing"],
        ])
    func loadsNothing(words: [String]) {
        #expect(!withArguments(["argus"] + words, NetworkPrediction.expectsRequest))
    }

    @Test("the commands that are expected to ask exist")
    func names() {
        let names = Root.commands.map(\.about.name)
        #expect(NetworkPrediction.commands.map(\.description).filter { !names.contains($0) } == [])
    }
}
