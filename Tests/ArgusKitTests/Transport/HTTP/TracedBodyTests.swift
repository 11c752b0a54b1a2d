import ArgusTestSupport
import ArgusTransport
import Testing

@Suite("TracedBody")
struct TracedBodyTests {
    private func describe(_ body: String, _ type: String? = "application/json") -> String {
        TracedBody.describe(type, Array(body.utf8))
    }

    @Test(
        "members that may hold a secret are masked at any depth, whatever their value",
        arguments: [
            "password", "access_token", "refresh_token", "key", "api_key", "code", "pairing_code",
            "session_id", "push_token", "endpoint", "p256dh", "auth", "link", "input", "ctx",
            "Password", "passphrase", "device_token", "client_secret",
        ])
    func secrets(name: String) {
        let masked = #"{"a":[{"\#(name)":"<redacted>"}]}"#
        #expect(describe(#"{"a":[{"\#(name)":"hunter2"}]}"#) == masked)
        #expect(describe(#"{"a":[{"\#(name)":{"x":["hunter2"]}}]}"#) == masked)
        #expect(describe(#"{"a":[{"\#(name)":12}]}"#) == masked)
    }

    @Test("a name that is written with escapes is masked all the same")
    func escapedName() {
        #expect(describe(#"{"p\u0061ssword":"hunter2"}"#) == #"{"password":"<redacted>"}"#)
        #expect(describe(#"{"\u0069nput":"hunter2"}"#) == #"{"input":"<redacted>"}"#)
    }

    @Test("everything else is shown as it came")
    func rest() {
        let body = #"{"id":"e1","count":1.50,"ok":true,"none":null,"list":[1,"a"]}"#
        #expect(describe(body) == body)
        #expect(describe(body, "Application/Problem+JSON; charset=utf-8") == body)
    }

    @Test("the traced sign-in of a real server shows the user, not the password")
    func login() throws {
        let text = describe(try Samples.text("login-response"))
        #expect(text.contains(#""username":"admin""#))
        #expect(!text.contains("FAKE"))
        #expect(!text.contains("fake-refresh"))
    }

    @Test("a body that is not JSON is traced by its size only")
    func otherTypes() {
        #expect(describe("hunter2", "text/plain") == "7 bytes of text/plain")
        #expect(describe("hunter2", nil) == "7 bytes of unknown type")
        #expect(
            describe(#"{"password":"hunter2""#) == "21 bytes of application/json",
            "half an object could hide a secret where no name is seen")
    }

    @Test("a long body is truncated, and its size traced")
    func long() {
        let text = describe("[\"" + String(repeating: "x", count: 5000) + "\"]")
        #expect(text.hasPrefix("5004 bytes of application/json: [\"xxx"))
        #expect(text.hasSuffix("x…"))
        #expect(text.utf8.count < 4200)
    }
}
