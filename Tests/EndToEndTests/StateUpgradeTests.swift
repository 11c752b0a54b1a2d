import ArgusTestSupport
import Testing

@testable import argus_demo

/// Home folders that releases left, in the hands of this build; `scripts/keep-state` makes them.
@Suite("state of other releases", .waitsForPrograms)
struct StateUpgradeTests {
    private static let releases = ["2026-11-22", "2026-11-23", "2026-11-27"]
    private static let states = ".local/state/argus"

    /// A file beside the kept homes.
    private func kept(_ name: String) -> String {
        let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        return "\(folder)/Fixtures/states/\(name)"
    }

    /// The home of a release, with its servers at a port.
    private func home(of release: String, port: UInt16 = 18470) throws -> TemporaryHome {
        let home = try TemporaryHome()
        let ran = try home.bash(
            "tar -xzf \"$1\" && sed -i \"s/127.0.0.1:18470/127.0.0.1:$2/\" \(Self.states)/servers.json",
            arguments: [kept("\(release).tar.gz"), "\(port)"])
        guard ran.status == 0 else { throw NotReady(reason: ran.complaint) }
        return home
    }

    /// The commands that were run when the home was kept, with their output.
    private func transcript(of release: String) -> [(command: String, output: String)] {
        let text = String(decoding: fileBytes(kept("\(release).txt")) ?? [], as: UTF8.self)
        return ("\n" + text).split(separator: "\n$ ").map { part in
            let parts = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            let output = parts.count > 1 ? String(parts[1]) : ""
            let isWhole = output.isEmpty || output.hasSuffix("\n")
            return (String(parts[0]), isWhole ? output : output + "\n")
        }
    }

    @Test("what a release keeps is read", arguments: releases)
    func reads(release: String) throws {
        let home = try home(of: release)
        let commands = transcript(of: release)
        #expect(commands.count > 2)
        for (command, output) in commands {
            let ran = try home.bash(command)
            #expect(ran.status == 0, "\(command): \(ran.complaint)")
            #expect(ran.text == output, "\(command)")
        }
    }

    @Test("a sign-in and a key that a release sealed are used", arguments: releases)
    func signsIn(release: String) async throws {
        try await LoopbackServer.serving { request in
            let answer =
                if request.line.hasPrefix("POST /api/v1/auth/login ") {
                    (200, #"{"access_token":"new","token_type":"bearer"}"#)
                } else if request.header("authorization") == "Bearer new"
                    || request.header("x-api-key") != nil
                {
                    (200, "[]")
                } else {
                    (401, #"{"detail":"Not authenticated"}"#)
                }
            return [
                .send(
                    Array(
                        """
                        HTTP/1.1 \(answer.0) X\r\nContent-Type: application/json\r\n\
                        Content-Length: \(answer.1.utf8.count)\r\n\r\n\(answer.1)
                        """.utf8))
            ]
        } _: { server in
            let home = try home(of: release, port: server.port)
            for name in ["home", "robot"] {
                let ran = try home.argus("cameras", "list", "-s", name, "--format", "csv")
                #expect(ran.status == 0, "\(name): \(ran.complaint)")
            }
            let login = server.requests.last { $0.line.hasPrefix("POST /api/v1/auth/login ") }
            let words = String(decoding: login?.body ?? [], as: UTF8.self)
            #expect(words.contains(DemoServer.password))
            let key = (home.text(of: "key") ?? "").filter { $0 != "\n" }
            #expect(!key.isEmpty)
            #expect(server.requests.contains { $0.header("x-api-key") == key })
        }
    }

    @Test(
        "state of a newer release is refused in one sentence, and kept",
        arguments: [
            ("\(states)/servers.json", "argus server list"),
            ("\(states)/watch/door/watch.json", "argus events watch --state door --limit 1"),
            ("\(states)/watch/hooks/hooks/*.json", "argus queue list"),
            ("\(states)/queue/*/*.json", "argus queue list"),
            ("\(states)/queue/*/*.json", "argus queue run"),
            ("archive/archive.db", "argus archive list --archive ~/archive"),
            ("archive/archive.db", "argus archive verify --repair --archive ~/archive"),
        ])
    func newer(file: String, command: String) throws {
        let home = try home(of: Self.releases.last ?? "")
        let ran = try home.bash(
            """
            raise() {
                case $1 in
                *.db) /usr/bin/sqlite3 "$1" 'PRAGMA user_version = 99' ;;
                *) sed -i 's/"version" *: *1/"version": 2/' "$1" && grep -q '"version": 2' "$1" ;;
                esac
            }
            raise \(file) || exit 99
            before=$(sha256sum \(file)) || exit 98
            \(command) >printed 2>&1
            echo "status $?"
            [[ $before == $(sha256sum \(file)) ]] && echo same
            """)
        let printed = home.text(of: "printed") ?? ""
        #expect(ran.lines.last == "same", "\(ran.text) \(ran.complaint)")
        #expect(printed.contains("written by a newer argus"), "\(printed)")
        #expect(printed.contains(file.hasSuffix(".db") ? "archive.db" : ".json'"), "\(printed)")
        // A list shows what it can; anything else fails.
        #expect(ran.lines.first != "status 0" || command == "argus queue list", "\(ran.text)")
    }
}
