import ArgusTestSupport
import ArgusTransport
import Synchronization

/// A server that answers as real ones did, but damaged in a way that its seed decides.
final class DamagedServer: WholeAnswerTransport {
    /// More than any command needs: one that asks on is in a loop.
    static let mostRequests = 3000

    private struct State {
        /// Nil for a server that damages nothing.
        var chance: Chance?
        var count = 0
    }

    private let state: Mutex<State>
    private let refusesAfter: Int

    /// Makes a server that refuses everything for good after so many requests.
    init(seed: UInt64?, refusesAfter: Int = .max) {
        self.refusesAfter = refusesAfter
        state = Mutex(State(chance: seed.map { Chance(state: $0 &* 0x9E37_79B9_7F4A_7C15 &+ 1) }))
    }

    var requestCount: Int { state.withLock { $0.count } }

    func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard request.purpose == .answer else {
            throw TransportError(.handshakeFailed, "no certificate", nothingSent: true)
        }
        let answer = try respond(to: request)
        guard answer.body.count <= request.limits.body else {
            throw TransportError(.tooLarge, "the body is too large")
        }
        return answer
    }

    private func respond(to request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        let sample = Self.sample(for: request)
        return try state.withLock { (state: inout State) throws(TransportError) in
            state.count += 1
            guard state.count < Self.mostRequests else {
                throw TransportError(.notConnected, "too many requests", nothingSent: true)
            }
            guard state.count <= refusesAfter else { return Self.refusal }
            var answer = sample
            // Some answers stay whole, so that later requests of a command are reached.
            guard var chance = state.chance else { return answer }
            if chance.next(3) > 0 { Damage.damage(&answer, &chance) }
            state.chance = chance
            return answer
        }
    }

    /// A good answer, as real servers gave it.
    static func sample(for request: HTTPRequest) -> HTTPResponse {
        let path = request.target.prefix { $0 != "?" }.split(separator: "/").dropFirst(2)
        let words = path.map { $0.contains("-") && $0.count == 36 ? "ID" : String($0) }
        let name: String
        switch words.joined(separator: "/") {
        case "events": name = "events-page"
        case "events/ID", "events/ID/reanalyze": name = "event-detail"
        case "events/ID/frames": name = "event-frames"
        case "events/ID/feedback": name = "feedback"
        case "events/export":
            return json(
                (0..<9).map { #"{"id":"e\#($0)","timestamp":"2026-11-20T22:00:00Z"}"# }
                    .joined(separator: "\n") + "\n")
        case "events/bulk": return json(#"{"deleted_count":3,"not_found_count":1}"#)
        case "cameras": name = "cameras-list"
        case "cameras/ID": name = "camera-detail-connected"
        case "cameras/health": name = "cameras-health"
        case "cameras/ID/stream/info": name = "camera-stream-info"
        case "cameras/ID/stream/snapshot": name = "camera-stream-snapshot"
        case "cameras/ID/preview": name = "camera-preview"
        case "cameras/ID/disable-capture", "cameras/ID/reconnect": name = "camera-disable-capture"
        case "alert-rules":
            name = request.method == .get ? "alert-rules-list-webhook" : "alert-rule-created"
        case "alert-rules/ID": name = "alert-rule-updated"
        case "alert-rules/ID/test": name = "alert-rule-test"
        case "context/entities": name = "entities-list"
        case "context/entities/ID":
            name = request.method == .get ? "entity-detail" : "entity-updated"
        case "context/entities/merge":
            return json(
                #"{"success":true,"merged_entity_id":"a","deleted_entity_id":"b","events_moved":1}"#
            )
        case "auth/me": name = "auth-me"
        case "auth/setup-status": name = "setup-status"
        case "auth/login": name = "login-response"
        case "auth/refresh": name = "refresh-response"
        case "auth/logout": name = "logout-response"
        case "mobile/auth/pair": name = "mobile-pair"
        case "mobile/auth/status/376529": name = "mobile-status-confirmed"
        case "mobile/auth/exchange": name = "mobile-exchange"
        case "mobile/auth/confirm": name = "mobile-confirm"
        case "mobile/auth/pending": name = "mobile-pending"
        case "devices": name = request.method == .get ? "devices-list" : "device-registered"
        case "devices/ID", "devices/ID/preferences": name = "device-renamed"
        case "devices/ID/token": name = "device-token-updated"
        case "auth/sessions": name = "auth-sessions"
        case "api-keys": name = request.method == .get ? "api-keys-list" : "api-key-created"
        case "api-keys/ID": name = "api-key-revoked"
        case "push/vapid-public-key": name = "push-vapid-public-key"
        case "push/subscriptions": name = "push-subscriptions"
        case "push/subscribe": name = "push-subscribe"
        case "push/preferences": name = "push-preferences"
        case "push/test": name = "push-test-result"
        case "push/mobile/register", "push/mobile/preferences", "mobile/push/register":
            var absent = json(#"{"detail":"Not Found"}"#)
            absent.status = 404
            return absent
        case "" where request.target == "/openapi.json":
            return json(##"{"paths":{"/api/v1/events":{"get":{"summary":"List events"}}}}"##)
        default:
            guard
                path.contains("frames") || path.contains("thumbnails") || path.contains("video")
                    || path.contains("thumbnail")
            else { return json("{}") }
            let picture = (try? Samples.bytes("thumbnail.jpg")) ?? []
            return HTTPResponse(
                status: 200, headers: HTTPHeaders([("content-type", "image/jpeg")]), body: picture)
        }
        return json((try? Samples.text(name)) ?? "{}")
    }

    /// An answer that no retry changes.
    static var refusal: HTTPResponse {
        var answer = json(#"{"detail":"enough"}"#)
        answer.status = 403
        return answer
    }

    private static func json(_ text: String) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: HTTPHeaders([("content-type", "application/json")]),
            body: Array(text.utf8))
    }
}

/// Numbers that look random and are the same for the same seed (SplitMix64).
struct Chance {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ (value >> 31)) % UInt64(max(bound, 1)))
    }
}

/// The ways in which an answer may be damaged.
enum Damage {
    private static let statuses = [
        100, 200, 201, 204, 206, 301, 304, 400, 401, 403, 404, 405, 408, 409, 410, 416, 418, 422,
        425, 429, 500, 502, 503, 599, 999,
    ]
    /// The numbers at the ends of what programs can hold, and beyond them.
    static let numbers = [
        "\(Int64.min)", "\(Int64.max)", "-0", "1e400", "-1e400", "106751991167301",
        "9007199254740993", String(repeating: "9", count: 1000),
    ]
    private static let values =
        numbers + [
            "null", "true", "-1", "0", "-0.0", String(repeating: "1", count: 1_000_000), "\"\"",
            "\"x\"", "[]", "{}", "[null]", "\"\\ud800\"", "\"\\u0000\\u001b[2J\"",
            "\"9999-12-31T23:59:59Z\"", "\"0000-00-00T00:00:00Z\"", "{\"id\":7}",
        ]

    private static let dates = [
        "never", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
        "Fri, 20 Nov 2026 12:00:00 GMT",
    ]

    static func damage(_ answer: inout HTTPResponse, _ chance: inout Chance) {
        switch chance.next(9) {
        case 0: answer.body.removeLast(chance.next(answer.body.count + 1))
        case 1: answer.status = statuses[chance.next(statuses.count)]
        case 2:
            // Bytes that are no UTF-8, anywhere.
            for _ in 0...chance.next(4) where !answer.body.isEmpty {
                answer.body[chance.next(answer.body.count)] = UInt8(0x80 + chance.next(0x80))
            }
        case 3:
            let deep = Array(
                String(repeating: chance.next(2) == 0 ? "[" : "{\"a\":", count: 20_000).utf8)
            answer.body.insert(contentsOf: deep, at: place(in: answer.body, &chance))
        case 4: answer.body = Array(values[chance.next(values.count)].utf8)
        case 5:
            // A piece twice: members with the same name, rows with the same id.
            let start = place(in: answer.body, &chance)
            let end = min(answer.body.count, start + chance.next(2000))
            answer.body.insert(contentsOf: Array(answer.body[start..<end]), at: end)
        case 6:
            answer.headers = HTTPHeaders([
                ("content-type", "text/html"), ("content-range", "bytes 7-3/x"),
                ("retry-after", "-9"), ("date", dates[chance.next(dates.count)]),
                ("age", "99999999999999"),
            ])
        default: for _ in 0...chance.next(3) { replaceValue(in: &answer.body, &chance) }
        }
    }

    private static func place(in body: [UInt8], _ chance: inout Chance) -> Int {
        chance.next(body.count + 1)
    }

    /// Puts a value of another kind behind some colon.
    private static func replaceValue(in body: inout [UInt8], _ chance: inout Chance) {
        let colons = body.indices.filter { body[$0] == UInt8(ascii: ":") }
        guard !colons.isEmpty else { return }
        let start = colons[chance.next(colons.count)] + 1
        let ends: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")]
        let end = body[start...].firstIndex { ends.contains($0) } ?? body.endIndex
        body.replaceSubrange(start..<end, with: values[chance.next(values.count)].utf8)
    }
}
