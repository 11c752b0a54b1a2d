import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

/// New events of the demo, what happens to them on their way, and its own log of them.
@Suite(.waitsForPrograms)
struct DemoArrivalTests {
    private let now = Moment(seconds: 1_795_200_000)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A server without its sockets, to which so many events came.
    private func service(_ count: Int, _ arguments: String...) throws -> Service {
        let words = ["--events", "0", "--event-log", folder.file("log")] + arguments
        let service = try Service(try Options(words), now: now)
        for _ in 0..<count { service.recordEvent(now: now) }
        return service
    }

    private func log() throws -> [JSON] {
        try folder.text("log").split(separator: "\n").map { try JSONReader.read(Array($0.utf8)) }
    }

    @Test(
        "late events are captured up to an hour before, some up to 25, future ones up to a day after"
    )
    func times() throws {
        let late = try service(400, "--late", "100").withState { $0.events.rows }
        let ages = late.map { now.seconds - $0.time.seconds }
        let possible: ClosedRange<Int64> = 1...90_000
        #expect(ages.allSatisfy { possible.contains($0) })
        let old = ages.filter { $0 > 3600 }.count
        #expect((50...150).contains(old))
        #expect(late.allSatisfy { $0.created == now })
        let future = try service(50, "--future", "100").withState { $0.events.rows }
        let tomorrow = now + 86_401
        #expect(future.allSatisfy { $0.time > now && $0.time < tomorrow })
        let both = try service(400, "--late", "50").withState { $0.events.rows }
        let onTime = both.filter { $0.time == now }.count
        #expect((150...250).contains(onTime))
    }

    @Test("the log has a line for each stored event, posted ones included, with its final alert")
    func logs() throws {
        let service = try service(20, "--flips", "50", "--unannounced", "50", "--late", "50")
        let token = service.withState { state in
            state.accessToken(for: state.accounts.users[0], now: now)
        }
        let posted: JSON = [
            "camera_id": "nope", "timestamp": "2030-11-20T10:00:00Z", "confidence": 1,
            "description": "chosen", "objects_detected": ["person"], "alert_triggered": true,
        ]
        let answer = service.answer(
            Request(
                method: .POST, target: "/api/v1/events",
                headers: [
                    ("content-type", "application/json"), ("authorization", "Bearer \(token)"),
                ], body: posted.bytes(), now: now))
        #expect(answer.status == 201)
        let lines = try log()
        #expect(lines.count == 21)
        #expect(lines.allSatisfy { $0["stored_at"]?.string == now.text })
        #expect(lines.last?["captured_at"] == "2030-11-20T10:00:00Z")
        let announced = lines.filter { $0["announced"] == JSON.bool(true) }.count
        #expect((3...18).contains(announced))
        // A minute later every alert is there.
        service.withState { $0.flip(until: now + 60) }
        let rows = service.withState { $0.events.rows }
        for line in lines {
            let row = try #require(rows.first { $0.id.text == line["id"]?.string })
            #expect(line["captured_at"]?.string == row.time.text)
            #expect(line["alert"] == .bool(row.marks.contains(.alert)))
        }
    }

    @Test("a flip is seen from its time on, not before")
    func flips() throws {
        let fixture = try DemoFixture(events: 0) { $0.mishaps.flips = 100 }
        fixture.service.recordEvent(now: fixture.now)
        let token = fixture.token()
        let alerts: [Bool] = (0..<12).map { _ in
            let answer = fixture.ask(.GET, "/api/v1/events", token: token).json
            return answer["events"]?.list.first?["alert_triggered"] == true
        }
        #expect(alerts.first == false && alerts.last == true)
        #expect(alerts == alerts.sorted { !$0 && $1 })
    }

    @Test("after so many arrivals no more come")
    func ends() throws {
        let rows = try service(9, "--arrivals", "7").withState { $0.events.rows }
        #expect(rows.count == 7)
    }

    @Test(
        "wrong values are usage errors",
        arguments: [
            ["--late", "101"], ["--flips", "x"], ["--arrivals", "-1"], ["--stream-fault", "rain"],
            ["--stream-fault", "drop,often"], ["--stream-fault", "drop,every=0s"],
            ["--stream-fault", "drop,every=x"],
        ])
    func refuses(words: [String]) {
        #expect(throws: UsageError.self) { try Options(words) }
    }

    @Test("stream faults have a kind and a pause")
    func parses() throws {
        let options = try Options(
            ["--stream-fault", "drop", "--stream-fault", "restart,every=200ms"])
        #expect(options.streamFaults.map(\.kind) == [.drop, .restart])
        #expect(options.streamFaults.map(\.pauseMilliseconds) == [10_000, 200])
    }
}
