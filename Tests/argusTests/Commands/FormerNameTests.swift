import ArgusTestSupport
import CommandLineKit
import Testing

@testable import argus

@Suite("former and other names of commands")
struct FormerNameTests {
    private func parsed(_ line: String) throws -> (path: String, notices: [String]) {
        let words = line.split(separator: " ").map(String.init)
        guard case .run(_, _, let path, let notices) = try Tool.commandLine.parse(words) else {
            throw UsageError("the line does not run")
        }
        return (path.joined(separator: " "), notices)
    }

    @Test(
        "what argus delivers is called notify, also by the names of push",
        arguments: [
            ("push tokens", "notify receivers list"),
            ("push tokens add --fcm-token x", "notify receivers add"),
            ("push tokens import f", "notify receivers import"),
            ("push tokens remove x", "notify receivers remove"),
            ("push tokens cleanup", "notify receivers cleanup"),
            ("push send --receiver x", "notify send"), ("push dispatch latest", "notify run"),
            ("push explain latest", "notify why"), ("push vapid", "notify key show"),
            ("push vapid rotate", "notify key rotate"),
        ])
    func notify(former: String, path: String) throws {
        let line = try parsed(former)
        let name = former.split(separator: " ").prefix(2).joined(separator: " ")
        let target = path.split(separator: " ").prefix(2).joined(separator: " ")
        #expect(line.path == path)
        #expect(line.notices == ["'argus \(name)' is now 'argus \(target)'"])
    }

    @Test(
        "singular and plural of a noun are one",
        arguments: [
            ("servers", "server list"), ("servers show", "server show"),
            ("event show latest", "events show"), ("camera list", "cameras list"),
            ("device", "devices list"), ("session", "sessions list"), ("key list", "keys list"),
            ("event picture latest", "events thumbnail"),
            ("push subscription", "push subscriptions"),
            ("notify receiver", "notify receivers list"),
        ])
    func synonyms(other: String, path: String) throws {
        let line = try parsed(other)
        #expect(line.path == path)
        #expect(line.notices == [])
    }

    @Test(
        "a number of things is --limit",
        arguments: [
            "events list", "events wait", "events watch", "push listen", "archive search x",
        ])
    func limit(command: String) throws {
        #expect(try parsed("\(command) -n 3").notices == [])
        #expect(try parsed("\(command) --max 3").notices == ["'--max' is now '--limit'"])
        #expect(try parsed("\(command) --count=3").notices == ["'--count' is now '--limit'"])
    }

    @Test("the notice is on stderr, and -q leaves it out")
    func notice() async throws {
        let test = try TestSystem()
        #expect(await test.run("push", "tokens", "--json") == .done)
        #expect(test.stderr == "'argus push tokens' is now 'argus notify receivers'\n")
        let quiet = try TestSystem()
        #expect(await quiet.run("push", "tokens", "--json", "-q") == .done)
        #expect(quiet.stderr == "")
    }

    @Test("a mistake comes after the notice of the former name, which -q leaves out")
    func mistake() async throws {
        for (words, last) in [
            (["push", "dispatch"], "hint: name events, or use --watch"),
            (["push", "dispatch", "--wrong"], "hint: run 'argus notify run -h'"),
        ] {
            let test = try TestSystem()
            #expect(await test.run(words) == .usage)
            let lines = test.stderr.split(separator: "\n")
            #expect(lines.first == "'argus push dispatch' is now 'argus notify run'")
            #expect(lines.last ?? "" == last)
        }
        let device = try TestSystem()
        #expect(await device.run("devices", "preferences", "-q") == .usage)
        #expect(
            device.stderr == "argus: missing DEVICE\nhint: run 'argus devices preferences -h'\n")
    }

    @Test("'help servers' is the topic, 'help push tokens' the page of its successor")
    func help() async throws {
        let test = try TestSystem()
        #expect(await test.run("help", "servers") == .done)
        #expect(!test.stdout.contains("argus-server-list"))
        let other = try TestSystem()
        #expect(await other.run("help", "push", "tokens", "add") == .done)
        #expect(other.stdout.contains("argus notify receivers add"))
        let all = try TestSystem()
        #expect(await all.run("help", "push") == .done)
        #expect(!all.stdout.contains("dispatch") && !all.stdout.contains("tokens"))
    }
}
