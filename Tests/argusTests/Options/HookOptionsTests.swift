import Testing

@testable import argus

@Suite("the command of a watch")
struct HookOptionsTests {
    @Test("all words after -- are the command, whatever they look like")
    func command() async throws {
        let world = try TestSystem()
        world.environment["PATH"] = "/usr/bin:/bin"
        // The options are understood: what is missing is a server.
        #expect(
            await world.run("events", "watch", "--limit", "1", "--", "sh", "-c", "--nope", "-h")
                == .notSignedIn)
    }

    @Test(
        "a command without --, a -- without a command and options of none are usage errors",
        arguments: [
            (["sh"], "unexpected argument 'sh'"),
            (["--limit", "1", "sh", "--", "x"], "unexpected"),
            (["--"], "missing COMMAND after --"), (["--thumbnail"], "--thumbnail needs a command"),
            (["--parallel", "2"], "--parallel needs a command"),
            (["--hook-timeout", "2"], "--hook-timeout needs a command"),
            (["--hook-tries", "2"], "--hook-tries needs a command"),
            (["--parallel", "0", "--", "sh"], "is not between 1 and 64"),
            (["--", "nope"], "cannot run 'nope': there is no such program in PATH"),
            (["--", "notify-send hello"], "without quotes: -- notify-send hello"),
            (["--fields", "id", "--", "sh"], "--fields: the command gets all fields"),
        ])
    func mistakes(words: [String], complaint: String) async throws {
        let world = try TestSystem()
        world.environment["PATH"] = "/usr/bin:/bin"
        #expect(await world.run(["events", "watch"] + words) == .usage)
        #expect(world.stderr.contains(complaint), "\(world.stderr)")
    }
}
