import ArgusTestSupport
import Testing

@testable import argus_demo

/// The simulated push services, asked by curl and by libraries of others: what they refuse is what the
/// real ones refuse.
@Suite("simulated push services", .waitsForPrograms)
struct PushSimulatorTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    /// Runs a part of the script and gives its number of cases.
    private func cases(_ part: String, _ services: PushServices) throws -> Int {
        let ran = try services.ask([part])
        let wrong = ran.lines.filter { $0.hasPrefix("WRONG") }
        #expect(wrong.isEmpty && ran.status == 0, "\(wrong) \(ran.complaint)")
        return ran.lines.count
    }

    @Test("APNs accepts what Apple documents, and gives Apple's reason for the rest")
    func apns() throws {
        let services = try PushServices(in: home)
        #expect(try cases("apns", services) == 35)
        let received = services.received
        let accepted = received.filter { $0["status"] == 200 }
        try #require(accepted.count == 5)
        #expect(accepted.allSatisfy { $0["protocol"] == "h2" && $0["payload"] != .null })
        #expect(accepted[0]["event_id"] == "e1" && accepted[0]["collapse_id"] == "e1")
        let token = services.tokens(of: "apns")[0]["token"]
        #expect(accepted[0]["token"] == token)
        #expect(accepted[0]["jwt"]?["iat"]?.int != nil)
        #expect(received.allSatisfy { $0["headers"]?["authorization"] == nil })
    }

    @Test("FCM and Google's token service refuse as Google does")
    func fcm() throws {
        let services = try PushServices(in: home)
        #expect(try cases("fcm", services) == 30)
        let accepted = services.received.filter {
            $0["provider"] == "fcm" && $0["status"] == 200
        }
        try #require(accepted.map { $0["protocol"] } == ["h2", "http/1.1", "h2"])
        #expect(accepted[0]["event_id"] == "e1" && accepted[0]["collapse_id"] == "e1")
    }

    @Test("the push service of browsers verifies VAPID, and its receivers decrypt")
    func webPush() throws {
        let services = try PushServices(in: home)
        #expect(try cases("webpush", services) == 22)
        let accepted = services.received.filter { $0["status"] == 201 }
        try #require(
            accepted.map { $0["complaint"]?.string != nil } == [false, false, false, false, true])
        #expect(accepted[0]["event_id"] == "e1")
        #expect(accepted[0]["payload"]?["title"] == "a")
        #expect(accepted[3]["payload"]?.string?.count == 3993)
    }

    /// A fault for each reason, each of which strikes one request.
    private func each(_ reasons: [String], of service: String) -> [String] {
        reasons.enumerated().map {
            "provider=\(service),reason=\($1),after=\($0),times=1,age=3600s"
        }
    }

    @Test("each reason of Apple's table can be asked for")
    func apnsReasons() throws {
        let table = [
            400: [
                "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId",
                "BadPriority", "BadTopic", "DeviceTokenNotForTopic", "DuplicateHeaders",
                "IdleTimeout", "InvalidPushType", "MissingDeviceToken", "MissingTopic",
                "PayloadEmpty", "TopicDisallowed",
            ],
            403: [
                "BadCertificate", "BadCertificateEnvironment", "BadEnvironmentKeyIdInToken",
                "ExpiredProviderToken", "Forbidden", "InvalidProviderToken",
                "MissingProviderToken", "UnrelatedKeyIdInToken",
            ],
            404: ["BadPath"], 405: ["MethodNotAllowed"], 410: ["ExpiredToken", "Unregistered"],
            413: ["PayloadTooLarge"], 429: ["TooManyProviderTokenUpdates", "TooManyRequests"],
            500: ["InternalServerError"], 503: ["ServiceUnavailable", "Shutdown"],
        ]
        let answers = table.flatMap { status, reasons in reasons.map { (status, $0) } }
        let services = try PushServices(in: home, faults: each(answers.map(\.1), of: "apns"))
        let ran = try services.ask(["requests"] + answers.map { _ in "apns" })
        #expect(ran.lines == answers.map { "\($0) \($1)" })
        #expect(services.received.map { $0["reason"] } == answers.map { .text($0.1) })
    }

    @Test("each error of Google's tables can be asked for")
    func googleErrors() throws {
        let errors = [
            ("INVALID_ARGUMENT", "400"), ("BAD_REQUEST", "400"), ("UNREGISTERED", "404"),
            ("SENDER_ID_MISMATCH", "403"), ("QUOTA_EXCEEDED", "429"),
            ("THIRD_PARTY_AUTH_ERROR", "401"), ("UNAVAILABLE", "503"), ("INTERNAL", "500"),
            ("UNAUTHENTICATED", "401"), ("PERMISSION_DENIED", "403"),
        ]
        let services = try PushServices(in: home, faults: each(errors.map(\.0), of: "fcm"))
        let ran = try services.ask(["requests", "oauth"] + errors.map { _ in "fcm" })
        #expect(ran.lines.dropFirst(2).map { String($0.prefix(3)) } == errors.map(\.1))
        let refusing = try PushServices(
            in: home, named: "refusing", faults: ["provider=oauth,reason=invalid_grant"])
        #expect(try refusing.ask(["requests", "oauth"]).text == "(400, 'invalid_grant')\n")
    }

    @Test("clocks that differ by 70 minutes make tokens expire")
    func clock() throws {
        for offset in ["4200", "-4200"] {
            let services = try PushServices(
                in: home, named: "clock\(offset)", ["--clock", offset])
            let ran = try services.ask(["requests", "apns", "oauth"])
            #expect(ran.lines == ["403 ExpiredProviderToken", "(400, 'invalid_grant')"])
        }
    }

    @Test("faults strike in turn, and the log names those that were not answered")
    func faults() throws {
        let services = try PushServices(
            in: home,
            faults: [
                "provider=apns,reset,times=1", "provider=apns,goaway,after=1,times=1",
                "provider=apns,html,after=2,times=1", "provider=apns,delay=10ms",
            ])
        let ran = try services.ask(["requests", "apns", "apns", "apns", "apns"])
        #expect(
            ran.lines == [
                "reset None", "curl 16 None", "502 text/html; charset=utf-8", "200 None",
            ])
        let received = services.received
        #expect(received.map { $0["fault"]?.string } == ["reset", "goaway", "status 502", nil])
        #expect(received.map { $0["status"]?.int } == [nil, nil, 502, 200])
    }

    @Test(
        "a fault that means nothing is refused",
        arguments: [
            "reason=Unregistered", "provider=apns,reason=UNREGISTERED", "provider=gcm", "garbage",
            "provider=webpush,reason=Unregistered", "truncate=5", "goaway=1",
        ])
    func wrongFaults(spec: String) throws {
        var launch = home.launch([])
        launch.words = PushServices.program + [home.file("push"), "--fault", spec]
        #expect(try launch.start().finish().status == 2)
    }
}
