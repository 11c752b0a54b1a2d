import ArgusAccount
import ArgusCore
import ArgusPush
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

/// What the generations of servers keep of a native push registration, and what argus makes of it.
@Suite("push registrations on each generation")
struct PushGenerationTests {
    private let test: TestSystem
    private static let absent = #"{"detail":"Not Found"}"#
    private static let devices = PushTests.devices
    private static let device = PushTests.device
    private static let tokens = "/api/v1/push/mobile/tokens/"
    private static let mobile = "/api/v1/mobile/push/register"
    private static let ending = "/api/v1/mobile/push/unregister"

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private func register(_ more: String..., token: String = PushTests.apns) async -> ExitKind {
        await test.run(
            [
                "push", "register", "--push-token", token, "--device-id", Self.device,
                "--format", "ndjson",
            ] + more)
    }

    /// The last line of the output.
    private func answer() throws -> JSONView {
        try JSONView.parse(Array(try #require(test.stdout.split(separator: "\n").last).utf8))
    }

    private func kept() async throws -> [PushService] {
        let record = try #require(try test.known().servers.first)
        return try await test.storedPush(of: record).registrations.map(\.device.service)
    }

    private func stubAbsent(_ method: HTTPRequest.Method, _ targets: String...) {
        for target in targets { test.fake.stub(method, target, status: 404, body: Self.absent) }
    }

    @Test("where nothing was registered from here, ending all of the account is asked about")
    func unregisterAllPath() async throws {
        stubAbsent(.get, Self.devices)
        stubAbsent(.delete, Self.tokens + "0")
        test.fake.stub(.get, Self.ending, status: 405, body: #"{"detail":"Method Not Allowed"}"#)
        #expect(await test.run("push", "unregister") == .usage)
        #expect(test.stderr.contains("--yes"))
        stubAbsent(.get, Self.devices)
        stubAbsent(.delete, Self.tokens + "0")
        test.fake.stub(.delete, Self.ending, status: 204)
        #expect(await test.run("push", "unregister", "--yes") == .done)
        #expect(
            test.stderr.hasSuffix(
                "'home' ended the push registrations of all devices of this account\n"))
    }

    @Test("an unsupported request is an error before any prompt")
    func cannotEnd() async throws {
        stubAbsent(.get, Self.devices, Self.ending)
        stubAbsent(.delete, Self.tokens + "0")
        #expect(await test.run("push", "unregister") == .unsupported)
        #expect(test.stderr.contains("'home' does not offer removing the push token"))
        #expect(test.fake.requests.filter { $0.method == .delete }.count == 1)
        // What an answer leaves open is asked about.
        stubAbsent(.get, Self.devices)
        stubAbsent(.delete, Self.tokens + "0")
        test.fake.stub(.get, Self.ending, status: 404, body: #"{"detail":"No token"}"#)
        #expect(await test.run("push", "unregister") == .usage)
    }

    @Test("the mobile API keeps token and id: the rest is reported, and null in the answer")
    func mobileKeepsLittle() async throws {
        stubAbsent(.get, Self.devices)
        stubAbsent(.post, PushTests.documented)
        test.fake.stub(
            .post, Self.mobile, status: 201,
            body: #"{"id":"r","registered_at":"2026-11-21T10:00:00Z"}"#)
        #expect(
            await register(
                "--platform", "ios", "--device-name", "Ann's", "--model", "iPhone15,3") == .done)
        #expect(test.stderr == "'home' does not keep the name, the platform, the model\n")
        for name in ["platform", "service", "token_type", "model"] {
            #expect(try answer()[name]?.isNull == true, "\(name)")
        }
        // What was registered from here is ended without a question, and all of it is forgotten.
        stubAbsent(.get, Self.devices)
        stubAbsent(.delete, Self.tokens + Self.device)
        test.fake.stub(.delete, Self.ending, status: 204)
        #expect(await test.run("push", "unregister") == .done)
        #expect(try await kept().isEmpty)
    }

    @Test("signing out asks for no end of all but where something was registered from here")
    func signOut() async throws {
        test.fake.stub(.post, "/api/v1/auth/logout", body: "{}")
        #expect(await test.run("logout") == .done)
        let other = try TestSystem()
        try await other.know()
        other.fake.stub(.get, Self.devices, status: 404, body: Self.absent)
        other.fake.stub(.post, PushTests.documented, status: 404, body: Self.absent)
        other.fake.stub(.post, Self.mobile, status: 201, body: #"{"id":"r"}"#)
        #expect(
            await other.run(
                "push", "register", "--push-token", PushTests.apns, "--device-id", Self.device,
                "--platform", "ios") == .done)
        other.fake.stub(.get, Self.devices, status: 404, body: Self.absent)
        other.fake.stub(.delete, Self.tokens + Self.device, status: 404, body: Self.absent)
        other.fake.stub(.delete, Self.ending, status: 204)
        other.fake.stub(.post, "/api/v1/auth/logout", body: "{}")
        #expect(await other.run("logout") == .done)
        #expect(other.stderr.contains("'home' ended the push registrations of all devices"))
    }

    @Test("today's server has one token for each device, whatever the push service")
    func oneToken() async throws {
        let row = #"{"devices":[{"id":"row","device_id":"\#(Self.device.uppercased())"}]}"#
        for (service, token) in [("apns", PushTests.apns), ("fcm", PushTests.fcm)] {
            test.fake.stub(.get, Self.devices, body: row)
            // Later the route is known.
            if service == "apns" { stubAbsent(.post, PushTests.documented, Self.mobile) }
            test.fake.stub(
                .post, Self.devices, status: 201,
                body: #"{"id":"row","platform":"ios","is_new":false}"#)
            #expect(
                await register(
                    "--platform", "ios", "--service", service, "--os-version", "18", "--yes",
                    token: token) == .done)
            for name in ["service", "token_type", "os_version"] {
                #expect(try answer()[name]?.isNull == true, "\(name)")
            }
            #expect(try answer()["platform"]?.string == "ios")
        }
        #expect(try await kept() == [.fcm])
        // The id is sent as the server has it, for it is compared letter by letter.
        test.fake.stub(.get, Self.devices, body: row)
        stubAbsent(.put, Self.tokens + Self.device.uppercased())
        test.fake.stub(
            .put, Self.devices + "/\(Self.device.uppercased())/token", body: #"{"success":true}"#)
        #expect(await test.run("push", "update", "--push-token", PushTests.fcm + "y") == .done)
        test.fake.stub(.get, Self.devices, body: row)
        test.fake.stub(
            .put, Self.devices + "/\(Self.device.uppercased())/token", body: #"{"success":true}"#)
        #expect(
            await test.run("push", "update", "--service", "apns", "--push-token", PushTests.apns)
                == .done)
        #expect(try await kept() == [.apns])
    }

    @Test("a server of the documents keeps the former platform and no name, which is reported")
    func keptPlatform() async throws {
        test.fake.stub(.get, Self.devices, body: "[]")
        test.fake.stub(
            .post, PushTests.documented, status: 201,
            body: #"{"id":"r1","platform":"ipados","preferences_created":false}"#)
        #expect(await register("--platform", "ios", "--device-name", "Ann's") == .done)
        #expect(
            test.stderr == """
                'home' kept the platform 'ipados' of the registration, and did not take 'ios'
                'home' does not keep the name

                """)
    }

    @Test("revoking a device forgets what was registered of it from here")
    func revoked() async throws {
        let row = #"{"devices":[{"id":"row","device_id":"\#(Self.device)","name":"attic"}]}"#
        test.fake.stub(.get, Self.devices, body: "[]")
        test.fake.stub(.post, PushTests.documented, status: 201, body: "{}")
        #expect(await register("--platform", "ios") == .done)
        #expect(try await kept() == [.apns])
        test.fake.stub(.get, Self.devices, body: row)
        test.fake.stub(.delete, Self.devices + "/\(Self.device)", status: 204)
        #expect(await test.run("devices", "revoke", "attic") == .done)
        #expect(try await kept().isEmpty)
    }
}
