import ArgusEvents
import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

/// An event on its way from the server to receivers, with simulated push services that count.
@Suite("notify run", .waitsForPrograms)
struct NotifyRunTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    /// A sign-in to a demo, and services of which FCM knows no token any more.
    private func start(_ faults: [String] = []) throws -> PushServices {
        let services = try PushServices(
            in: home, faults: ["provider=fcm,reason=UNREGISTERED"] + faults)
        try home.signIn(to: DemoServer(), "--name", "home")
        let settings = try home.argus(
            "config", "set", "push.vapid_subject", "mailto:ann@example.org")
        #expect(settings.status == 0, "\(settings.complaint)")
        #expect(try home.argus("notify", "key", "show").status == 0)
        return services
    }

    /// Five receivers: it is quiet for one, one wants another camera, one wants no sound, one is
    /// dead, one is as it should be.
    private func addReceivers(of services: PushServices) throws {
        let wanted = ["apns 1", "fcm 1", "apns 2", "fcm 2", "webpush 1"]
        let lines = services.text(of: "tokens.ndjson").split(separator: "\n")
        let chosen = lines.filter { line in wanted.contains { line.contains("\"\($0)\"") } }
        try home.write(chosen.joined(separator: "\n"), to: "chosen.ndjson")
        let ran = try home.bash(
            """
            argus notify receivers import chosen.ndjson >/dev/null 2>&1 || exit 1
            argus push prefs set --receiver 'apns 1' --quiet-hours 00:00-23:59 || exit 1
            argus push prefs set --receiver 'fcm 1' --cameras Garage || exit 1
            argus push prefs set --receiver 'apns 2' --sound off || exit 1
            argus notify receivers list --format csv --no-header --fields device_name
            """)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(Set(ran.lines) == Set(wanted))
    }

    /// Stores an event of the front door now, and returns its id.
    private func store() throws -> String {
        let ran = try home.bash(
            """
            camera=$(argus cameras list --format ndjson | jq -r 'select(.name=="Front Door").id')
            jq -n --arg camera "$camera" --arg now "$(date -u +%FT%TZ)" '{camera_id: $camera,
              timestamp: $now, description: "A person rings.", confidence: 90,
              objects_detected: ["person"]}' > event.json
            argus api POST events --input event.json | jq -r .id
            """)
        #expect(ran.status == 0, "\(ran.complaint)")
        return String(ran.text.dropLast())
    }

    private func launch(
        _ words: [String], _ services: PushServices, _ more: [String: String] = [:]
    ) -> Launch {
        home.launch(
            words + ["--cacert", services.certificate],
            services.environment.merging(more) { $1 })
    }

    @Test("of five receivers two get the event, and each of the five has its reason")
    func five() throws {
        let services = try start()
        try addReceivers(of: services)
        let watch = try launch(
            ["notify", "run", "--watch", "--state", "push", "--format", "ndjson", "-v"], services
        ).start()
        try watch.wait(for: "announces events")
        let id = try store()
        try watch.wait { $0.split(separator: "\n").count { $0.contains("\"outcome\"") } == 5 }
        watch.send(SIGTERM)
        let ran = try watch.finish()
        #expect(ran.status == 0, "\(ran.complaint)")
        let accepted = services.received.filter { (200..<300).contains($0["status"]?.int ?? 0) }
        let pushes = accepted.filter { ["apns", "webpush"].contains($0["provider"]?.string ?? "") }
        #expect(Set(pushes.compactMap { $0["provider"]?.string }) == ["apns", "webpush"])
        #expect(pushes.count == 2 && pushes.allSatisfy { $0["event_id"]?.string == id })
        let explained = try home.bash(
            """
            argus notify why "$1" --format ndjson |
              jq -r 'select(.source=="recorded") | "\\(.device_name) \\(.outcome) \\(.reason)"' | sort
            argus notify receivers list --format csv --no-header --fields device_name | sort | tr '\\n' ,
            """, arguments: [id])
        #expect(explained.status == 0, "\(explained.complaint)")
        let lines = explained.lines
        #expect(
            lines.prefix(3) == [
                "apns 1 skipped quiet_hours", "apns 2 silent null", "fcm 1 skipped camera",
            ], "\(lines)")
        #expect(lines.dropFirst(3).first?.hasPrefix("fcm 2 removed ") == true, "\(lines)")
        #expect(lines.dropFirst(4).first == "webpush 1 sent null", "\(lines)")
        #expect(lines.last == "apns 1,apns 2,fcm 1,webpush 1,", "\(lines)")
        // A second service, as after a restart, has nothing to do.
        let again = try launch(["notify", "run", id, "--format", "ndjson"], services).start()
            .finish()
        #expect(again.lines.count { $0.contains("already_dispatched") } == 4, "\(again.text)")
        #expect(services.received.count { $0["event_id"]?.string == id } == 3)
    }

    @Test("what happened while the service was down for days is recorded, and never pushed")
    func stale() throws {
        let services = try start()
        try addReceivers(of: services)
        let first = try launch(["notify", "run", "--watch", "--state", "push", "-v"], services)
            .start()
        // What is stored after the first pass is new to the next watch.
        let ledger = LedgerFile(home.file(".local/state/argus/watch/push/ledger"))
        while try ledger.read().lastPass == nil { poll(nil, 0, 20) }
        first.send(SIGTERM)
        #expect(try first.finish().status == 0)
        // Events that were captured long before they become known.
        let old = try home.bash(
            """
            camera=$(argus cameras list --format ndjson | jq -r 'select(.name=="Front Door").id')
            for minutes in 16 30 60; do
              time=$(date -u -d "-$minutes minutes" +%FT%TZ)
              jq -n --arg camera "$camera" --arg time "$time" '{camera_id: $camera, timestamp: $time,
                description: "Old.", confidence: 90, objects_detected: ["person"]}' > old.json
              argus api POST events --input old.json | jq -r .id
            done
            """)
        #expect(old.status == 0, "\(old.complaint)")
        let watch = try launch(
            ["notify", "run", "--watch", "--state", "push", "--format", "ndjson"], services
        ).start()
        try watch.wait { text in
            old.lines.allSatisfy { id in
                text.split(separator: "\n").count { $0.contains(id) && $0.contains("too_old") } == 5
            }
        }
        watch.send(SIGTERM)
        #expect(try watch.finish().status == 0)
        #expect(!services.received.contains { $0["event_id"]?.string != nil })
    }

    @Test("no secret is printed, traced or stored in clear")
    func secrets() throws {
        let services = try start()
        try addReceivers(of: services)
        let id = try store()
        let ran = try launch(
            ["notify", "run", id, "-vvv", "--trace", home.file("trace")], services
        ).start().finish()
        #expect(ran.status == 11, "\(ran.complaint)")
        let secrets = services.records(of: "tokens.ndjson").flatMap { token in
            ["token", "p256dh", "auth"].compactMap { token[$0]?.string }
                + [(token["endpoint"]?.string).map { String($0.suffix(43)) }].compactMap(\.self)
        }
        #expect(secrets.count > 10)
        let state = try home.bash(
            "cat trace; find . -path ./push -prune -o -type f -path '*argus*' -print | xargs cat"
        )
        for text in [ran.text, ran.complaint, state.text] {
            for secret in secrets where secret.count > 20 && text.contains(secret) {
                // The public half of a subscription's keys is no secret.
                let isPublic = services.records(of: "tokens.ndjson").contains {
                    $0["p256dh"]?.string == secret
                }
                if !isPublic { Issue.record("\(secret) is shown") }
            }
        }
    }
}
