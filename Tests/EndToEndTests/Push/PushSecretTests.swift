import ArgusTestSupport
import Testing

@testable import argus_demo

/// Keys, tokens and endpoints appear nowhere: not in output, not in a trace, not in clear in the state.
@Suite("secrets of notify send", .waitsForPrograms)
struct PushSecretTests {
    /// Everything that must not be seen.
    private func secrets(of fixture: NotifySendFixture) -> [String] {
        let services = fixture.services
        let account = services.records(of: "service-account.json").first
        let keys = [
            services.text(of: "AuthKey_DEMOKEY001.p8"), account?["private_key"]?.string ?? "",
        ]
        // A line in the middle of each key; JSON writes its ends as \n.
        let lines = keys.compactMap { $0.split(separator: "\n").dropFirst().first.map(String.init) }
        let addresses = services.records(of: "tokens.ndjson").flatMap { record in
            [record["token"]?.string, record["auth"]?.string].compactMap { $0 }
        }
        let endpoints = services.records(of: "subscriptions.ndjson").compactMap {
            $0["endpoint"]?.string?.split(separator: "/").last.map(String.init)
        }
        // All JSON Web Tokens begin with {"; access tokens of Google with ya29.
        return lines + addresses + endpoints + ["eyJ", "ya29."]
    }

    @Test(
        "no run shows one, whatever the services answer",
        arguments: ["delay=1ms", "status=400,echo", "status=403,body={}", "reset", "html"])
    func nothingIsShown(fault: String) throws {
        let fixture = try NotifySendFixture(faults: [fault])
        let secrets = secrets(of: fixture)
        #expect(secrets.count > 20 && secrets.allSatisfy { $0.count > 2 })
        var shown = ""
        for service in ["apns", "fcm", "webpush"] {
            for more in [
                ["-v", "--trace", "trace.\(service)"], ["--dry-run"], ["--format", "table"],
            ] {
                let ran = try fixture.send(
                    to: fixture.receiver(service), more + ["--retries", "0"])
                shown += ran.text + ran.complaint
            }
            let trace = try #require(fixture.home.text(of: "trace.\(service)"))
            #expect(trace.contains("127.0.0.1"))
            shown += trace
        }
        for secret in secrets { #expect(!shown.contains(secret), "\(secret) is shown") }
        let kept = try fixture.home.bash("cat -- $(find .local .config .cache -type f 2>/dev/null)")
        #expect(kept.output.count > 500)
        for secret in secrets {
            #expect(kept.output.firstRange(of: Array(secret.utf8)) == nil, "\(secret) is kept")
        }
        let open = try fixture.home.bash(
            "find .local .config .cache -type f -perm /077 2>/dev/null")
        #expect(open.text.isEmpty)
    }
}
