import ArgusCore
import Testing

@testable import ArgusPush
@testable import ArgusTransport

/// The tables of answers, one row each.
@Suite("AnswerTables")
struct AnswerTableTests {
    // Web Push.

    @Test(
        "Web Push", arguments: AnswerRows.webPushRows)
    func webPush(row: AnswerRow) {
        let step = WebPushAnswers.step(
            after: row.answer, of: "push.example", now: PushSamples.now)
        #expect(ExpectedStep(step) == row.expected)
    }

    @Test("without an answer no token is at fault, since this machine's network may be")
    func webPushTransport() {
        func step(_ kind: TransportError.Kind) -> ExpectedStep {
            ExpectedStep(
                DeliveryStep(TransportError(kind, "words"), of: "push.example", AnswerRows.second))
        }
        let unreachable = DeliveryAnswer.Verdict.providerFailure(.unreachable)
        for kind: TransportError.Kind in [.notConnected, .timedOut(.firstByte), .unresolvedHost] {
            #expect(step(kind) == .again(AnswerRows.second, unreachable))
        }
        #expect(step(.identityRefused) == .provider(.identity))
        #expect(step(.handshakeFailed) == .provider(.unreachable))
        #expect(step(.cancelled) == .service)
    }

    // APNs.

    @Test(
        "APNs", arguments: AnswerRows.apnsRows)
    func apns(row: AnswerRow) {
        let receiver = APNsAnswers.Receiver(
            origin: APNsProvider.Hosts().production, isSandbox: false, bundleID: "com.example.app",
            updatedAt: PushSamples.now + .seconds(-86_400))
        let step = APNsAnswers.step(after: row.answer, for: receiver, now: PushSamples.now)
        #expect(ExpectedStep(step) == row.expected)
    }

    @Test("a wrong environment names the one that was used, a wrong clock by how much")
    func words() throws {
        func words(
            _ status: Int, _ reason: String, isSandbox: Bool = false,
            headers: [(name: String, value: String)] = []
        ) throws -> String {
            let row = AnswerRow(status, AnswerRows.apns(reason), headers: headers, .accepted)
            let receiver = APNsAnswers.Receiver(
                origin: APNsProvider.Hosts().production, isSandbox: isSandbox,
                bundleID: "com.example.app",
                updatedAt: PushSamples.now)
            switch APNsAnswers.step(after: row.answer, for: receiver, now: PushSamples.now) {
            case .end(_, let words?), .renew(_, let words), .again(_, _, let words): return words
            default: throw TransportError(.cancelled, "another step")
            }
        }
        #expect(try words(400, "BadDeviceToken", isSandbox: true).contains("sandbox environment"))
        #expect(try words(400, "BadDeviceToken").contains("production environment"))
        #expect(try words(400, "DeviceTokenNotForTopic").contains("'com.example.app'"))
        #expect(
            try words(
                403, "ExpiredProviderToken",
                headers: [("Date", "Fri, 20 Nov 2026 20:50:00 GMT")]
            ).contains("clock is 1 h 10 min ahead"))
        #expect(try words(403, "ExpiredProviderToken").contains("clock right?"))
        // A reason that is not a word is not printed.
        #expect(try !words(400, "\\u001b[31mx").contains("31m"))
    }

    // FCM.

    @Test(
        "FCM", arguments: AnswerRows.fcmRows)
    func fcm(row: AnswerRow) {
        let step = FCMAnswers.step(
            after: row.answer, project: "argus-12345", account: "sender@example", othersPass: false,
            now: PushSamples.now)
        #expect(ExpectedStep(step) == row.expected)
    }

    @Test("a foreign token counts only once others pass, since else the account is wrong")
    func foreignToken() {
        let row = AnswerRow(
            403, AnswerRows.fcm("PERMISSION_DENIED", "SENDER_ID_MISMATCH"), .tokenFailure)
        let step = FCMAnswers.step(
            after: row.answer, project: "argus-12345", account: "sender@example", othersPass: true,
            now: PushSamples.now)
        #expect(ExpectedStep(step) == row.expected)
    }
}

/// The expected step, without its words.
enum ExpectedStep: Hashable, Sendable {
    case accepted, gone, tokenFailure, credentials, service
    case again(DeliveryWait, DeliveryAnswer.Verdict)
    case provider(DeliveryAnswer.Fault)
    case renew, shorten

    init(_ step: DeliveryStep) {
        switch step {
        case .end(.accepted, _): self = .accepted
        case .end(.gone, _): self = .gone
        case .end(.tokenFailure, _): self = .tokenFailure
        case .end(.providerFailure(.credentials), _): self = .credentials
        case .end(.providerFailure(.service), _): self = .service
        case .end(.providerFailure(let fault), _): self = .provider(fault)
        case .again(let wait, let verdict, _): self = .again(wait, verdict)
        case .renew: self = .renew
        case .shorten: self = .shorten
        }
    }
}

struct AnswerRow: Sendable, CustomTestStringConvertible {
    var status: Int
    var body = ""
    var headers: [(name: String, value: String)] = []
    var expected: ExpectedStep

    var testDescription: String { "\(status) \(body)" }

    init(
        _ status: Int, _ body: String,
        headers: [(name: String, value: String)] = [], _ expected: ExpectedStep
    ) {
        (self.status, self.body, self.headers, self.expected) = (
            status, body, headers, expected
        )
    }

    init(
        _ status: Int, headers: [(name: String, value: String)] = [], _ expected: ExpectedStep
    ) {
        self.init(status, "", headers: headers, expected)
    }

    var answer: HTTPResponse {
        HTTPResponse(status: status, headers: HTTPHeaders(headers), body: Array(body.utf8))
    }
}

/// The rows of the tables.
enum AnswerRows {
    static let second = DeliveryWait.backoff(.seconds(1))

    static let failed = DeliveryAnswer.Verdict.providerFailure(.service)

    static let limited = DeliveryAnswer.Verdict.providerFailure(.rateLimited)

    static func apns(_ reason: String, _ more: String = "") -> String {
        #"{"reason":"\#(reason)"\#(more)}"#
    }

    static let later = (PushSamples.now + .seconds(-3600)).microseconds / 1000

    static let earlier = (PushSamples.now + .seconds(-90_000)).microseconds / 1000

    static func fcm(
        _ status: String, _ code: String? = nil, field: String? = nil
    ) -> String {
        let prefix = "type.googleapis.com/google"
        let details = [
            code.map { #"{"@type":"\#(prefix).firebase.fcm.v1.FcmError","errorCode":"\#($0)"}"# },
            field.map {
                #"{"@type":"\#(prefix).rpc.BadRequest","fieldViolations":[{"field":"\#($0)"}]}"#
            },
        ].compactMap(\.self).joined(separator: ",")
        return #"{"error":{"code":1,"status":"\#(status)","details":[\#(details)]}}"#
    }

    static let minute = DeliveryWait.exactly(.seconds(60))

    static let ten = DeliveryWait.atLeast(.seconds(10))

    static let webPushRows: [AnswerRow] =
        [
            AnswerRow(200, .accepted), AnswerRow(201, .accepted), AnswerRow(202, .accepted),
            AnswerRow(404, .gone),
            AnswerRow(410, .gone), AnswerRow(401, .renew), AnswerRow(403, .renew),
            AnswerRow(413, .shorten),
            AnswerRow(
                429, headers: [("Retry-After", "7")], .again(.exactly(.seconds(7)), limited)),
            AnswerRow(429, .again(second, limited)),
            AnswerRow(500, .again(second, .tokenFailure)),
            AnswerRow(502, .again(second, .tokenFailure)),
            AnswerRow(503, .again(second, .tokenFailure)),
            AnswerRow(400, .service), AnswerRow(301, .tokenFailure), AnswerRow(307, .tokenFailure),
            AnswerRow(204, .tokenFailure), AnswerRow(405, .tokenFailure),
            AnswerRow(200, #"{"id":"x","event":"message"}"#, .accepted),
            AnswerRow(202, "OK", .accepted),
            AnswerRow(410, "push subscription has unsubscribed or expired.\n", .gone),
            AnswerRow(410, #"{"code":410,"errno":106,"error":"Gone"}"#, .gone),
            AnswerRow(410, #"{"reason":"Unregistered"}"#, .gone),
            AnswerRow(
                403, "the credentials do not correspond to those of the subscriptions", .renew),
            AnswerRow(
                403,
                "the key in the authorization header does not correspond to the sender ID used to "
                    + "subscribe this user.", .renew),
            AnswerRow(403, "invalid JWT provided", .renew),
            AnswerRow(401, "authorization header must be specified.", .renew),
            AnswerRow(429, "<html>", .again(second, limited)),
        ]
        // A proxy or a web server in place of the push service.
        + [200, 201, 400, 403, 404, 410, 413, 500, 502].map {
            AnswerRow($0, " <html>", .again(second, failed))
        }
        + [403, 404, 410, 502].flatMap { status in
            ["404 page not found", #"{"message":"no Route matched"}"#, #"{"detail":"Not Found"}"#]
                .map { AnswerRow(status, $0, .again(second, failed)) }
        }

    static let apnsRows: [AnswerRow] =
        [
            AnswerRow(200, .accepted),
            AnswerRow(410, apns("Unregistered", ",\"timestamp\":\(later)"), .gone),
            AnswerRow(410, apns("ExpiredToken", ",\"timestamp\":\(later)"), .gone),
            AnswerRow(410, apns("Unregistered", ",\"timestamp\":\(earlier)"), .tokenFailure),
            AnswerRow(410, apns("Unregistered"), .tokenFailure),
            AnswerRow(
                410, apns("Unregistered", ",\"timestamp\":9000000000000000000"), .tokenFailure),
            AnswerRow(400, apns("BadDeviceToken"), .tokenFailure),
            AnswerRow(400, apns("DeviceTokenNotForTopic"), .service),
            AnswerRow(400, apns("BadTopic"), .service),
            AnswerRow(400, apns("PayloadEmpty"), .service),
            AnswerRow(403, apns("ExpiredProviderToken"), .renew),
            AnswerRow(403, apns("InvalidProviderToken"), .credentials),
            AnswerRow(403, apns("MissingProviderToken"), .credentials),
            AnswerRow(403, apns("BadEnvironmentKeyIdInToken"), .credentials),
            AnswerRow(404, apns("BadPath"), .service),
            AnswerRow(405, apns("MethodNotAllowed"), .service),
            AnswerRow(413, apns("PayloadTooLarge"), .service),
            AnswerRow(429, apns("TooManyProviderTokenUpdates"), .provider(.rateLimited)),
            AnswerRow(429, apns("TooManyRequests"), .provider(.rateLimited)),
            AnswerRow(500, apns("InternalServerError"), .again(second, failed)),
            AnswerRow(503, apns("ServiceUnavailable"), .again(second, failed)),
            AnswerRow(503, apns("Shutdown"), .again(second, failed)),
        ]
        // A proxy or a captive portal in place of Apple.
        + [200, 302, 400, 403, 404, 410, 413, 429, 502].flatMap { status in
            ["<html>", "no", #"{"message":"no"}"#].map {
                AnswerRow(status, $0, .again(second, failed))
            }
        }

    static let fcmRows: [AnswerRow] =
        [
            AnswerRow(200, #"{"name":"projects/argus-12345/messages/1"}"#, .accepted),
            AnswerRow(404, fcm("NOT_FOUND", "UNREGISTERED"), .gone),
            AnswerRow(404, fcm("NOT_FOUND"), .service),
            AnswerRow(400, fcm("INVALID_ARGUMENT", "INVALID_ARGUMENT"), .tokenFailure),
            AnswerRow(
                400, fcm("INVALID_ARGUMENT", "INVALID_ARGUMENT", field: "message.token"),
                .tokenFailure),
            AnswerRow(400, fcm("INVALID_ARGUMENT", field: "message.data"), .service),
            AnswerRow(
                400, fcm("INVALID_ARGUMENT", "INVALID_ARGUMENT", field: "message.data"), .service),
            AnswerRow(403, fcm("PERMISSION_DENIED", "SENDER_ID_MISMATCH"), .credentials),
            AnswerRow(403, fcm("PERMISSION_DENIED"), .credentials),
            AnswerRow(401, fcm("UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"), .credentials),
            AnswerRow(401, fcm("UNAUTHENTICATED"), .renew),
            AnswerRow(429, fcm("RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"), .again(minute, limited)),
            AnswerRow(
                429, fcm("RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"), headers: [("Retry-After", "9")],
                .again(.exactly(.seconds(9)), limited)),
            AnswerRow(500, fcm("INTERNAL", "INTERNAL"), .again(ten, failed)),
            AnswerRow(503, fcm("UNAVAILABLE", "UNAVAILABLE"), .again(ten, failed)),
            AnswerRow(
                503, fcm("UNAVAILABLE"), headers: [("Retry-After", "3")], .again(ten, failed)),
            AnswerRow(
                503, fcm("UNAVAILABLE"), headers: [("Retry-After", "10")],
                .again(.exactly(.seconds(10)), failed)),
            AnswerRow(
                503, fcm("UNAVAILABLE"), headers: [("Retry-After", "30")],
                .again(.exactly(.seconds(30)), failed)),
        ]
        // A proxy or a captive portal in place of Google.
        + [200, 302, 400, 401, 403, 404, 410, 429, 502].flatMap { status in
            ["", "<html>", "no", #"{"error":"no"}"#].map {
                AnswerRow(status, $0, .again(ten, failed))
            }
        }
}
