import ArgusAccount
import Testing

@testable import argus_demo

/// A server that hands out its tokens in cookies and takes them in no other form.
@Suite("a server that knows cookies only", .waitsForPrograms)
struct CookieTests {
    @Test("everything works there, and no request ever has two credentials")
    func works() throws {
        let (home, server) = (try TemporaryHome(), try DemoServer("--cookie-only"))
        try home.signIn(to: server)
        for words in [
            ["whoami"], ["events", "list"], ["events", "thumbnail", "latest", "-o", "x.jpg"],
            ["cameras", "snapshot", "Driveway", "-o", "y.jpg"], ["logout"],
        ] {
            let ran = try home.argus(words + ["-vvv", "--trace", "trace"])
            #expect(ran.status == 0, "\(words): \(ran.complaint)")
        }
        let requests = server.requests
        #expect(!requests.contains { $0["authorization"] == true && $0["cookie"] == true })
        // Bearer was tried once, after the sign-in; the form is remembered.
        #expect(requests.count { $0["authorization"] == true } == 1)
        #expect(requests.count { $0["cookie"] == true } > 5)
        #expect(
            requests.allSatisfy { $0["target"] != "/api/v1/auth/login" || $0["cookie"] == false })
        #expect(home.text(of: "trace")?.contains("eyJ") == false)
    }

    @Test("tokens are renewed there, once for all processes, and go on being sent as a cookie")
    func renews() async throws {
        let fixture = try RenewalFixture(["--cookie-only"])
        try await fixture.endToken()
        #expect(try fixture.runAtOnce(8) == 8, "\(fixture.output())")
        #expect(try fixture.renewals() == 1)
        let kept = try #require(try await fixture.kept())
        #expect(kept.cookie == "access_token" && kept.refreshToken != nil)
    }

    @Test("the demo takes the option for the generation that sets cookies only")
    func option() throws {
        let home = try TemporaryHome()
        let ran = try home.argus("demo", "--cookie-only", "--api", "mobile")
        #expect(ran.status == 2)
        #expect(ran.complaint.contains("--cookie-only"))
    }
}
