import ArgusKit
import ArgusTestSupport
import Synchronization
import Testing

@testable import argus

@Suite("Loading libcurl early")
struct AnticipationTests {
    @Test(
        "a command that asks the server readies the transport as soon as it is understood",
        arguments: [["events", "list"], ["cameras", "snapshot", "--all"], ["whoami"]])
    func readies(words: [String]) throws {
        #expect(try anticipations(of: words) == 1)
    }

    @Test(
        "what never sends a request, and what is not understood, loads nothing",
        arguments: [
            ["--version"], ["events", "list", "-h"], ["help", "times"], ["server", "list"],
            ["server", "use", "home"], ["__complete", "argus", "ev"], ["completion", "bash"],
            ["token"], ["events", "list", "--no-such-flag"], ["cameras", "snapshot"],
        ])
    func loadsNothing(words: [String]) throws {
        #expect(try anticipations(of: words) == 0)
    }

    private func anticipations(of words: [String]) throws -> Int {
        let count = Counter()
        var world = try TestWorld().world
        world.anticipateRequest = { count.add() }
        _ = Run(words: words, world: world).plan()
        return count.value
    }
}

private final class Counter: Sendable {
    private let counted = Mutex(0)
    var value: Int { counted.withLock { $0 } }
    func add() { counted.withLock { $0 += 1 } }
}
