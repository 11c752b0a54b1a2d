import ArgusTestSupport
import Testing

@testable import argus_demo

/// `argus notify send` to services that break off, hang, or are something else.
@Suite("notify send to broken services", .waitsForPrograms)
struct PushBadServiceTests {
    private static let services = ["apns", "fcm", "webpush"]

    @Test(
        "a connection that is reset once costs a try, not the notification",
        arguments: ["apns", "webpush"])
    func reset(service: String) throws {
        let fixture = try NotifySendFixture(faults: ["provider=\(service),reset,times=1"])
        let ran = try fixture.send(service, "--data", "event_id=e1")
        #expect(ran.status == 0, "\(ran.complaint)")
        let accepted = fixture.received(service).filter { $0["status"] != .null }
        #expect(accepted.count == 1)
    }

    @Test("a connection that ends with GOAWAY costs nothing", arguments: ["apns", "https"])
    func goAway(service: String) throws {
        let kind = service == "https" ? "webpush" : service
        let fixture = try NotifySendFixture(faults: ["provider=\(kind),goaway,times=1"])
        let ran = try fixture.send(service)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(fixture.received(kind).filter { $0["status"] != .null }.count == 1)
    }

    @Test(
        "a connection that ends in the middle of many pushes is replaced by one, and none is lost")
    func goAwayAmongMany() throws {
        let fixture = try NotifySendFixture(
            faults: ["provider=apns,goaway,after=30,times=1", "provider=apns,delay=20ms"],
            ["--tokens", "100"])
        let services = fixture.services
        let phones = services.text(of: "tokens.ndjson").split(separator: "\n")
            .filter { $0.contains("\"apns\"") }.prefix(100)
        try fixture.home.signIn(to: DemoServer(), "--name", "home")
        try fixture.home.write(phones.joined(separator: "\n"), to: "phones.ndjson")
        let imported = try fixture.home.argus("notify", "receivers", "import", "phones.ndjson")
        #expect(imported.status == 0, "\(imported.complaint)")
        let ran = try fixture.home.argus(
            ["notify", "run", "latest", "--max-age", "30d", "--cacert", services.certificate],
            variables: services.environment)
        #expect(ran.status == 0, "\(ran.complaint)")
        let accepted = fixture.received("apns").filter { $0["status"]?.int == 200 }
        #expect(Set(accepted.compactMap { $0["token"]?.string }).count == phones.count)
        #expect(accepted.count <= phones.count + 16)
        let connections = Set(fixture.received("apns").compactMap { $0["connection"]?.int })
        #expect(connections.count == 2)
    }

    @Test(
        "an answer in HTML is neither a success nor anybody's fault, and is not printed",
        arguments: services, [200, 403, 404, 410, 413])
    func html(service: String, status: Int) throws {
        let fixture = try NotifySendFixture(faults: ["provider=\(service),html,status=\(status)"])
        let ran = try fixture.send(service, "--retries", "0")
        #expect(ran.status == 7, "\(ran.complaint)")
        #expect(ran.complaint.contains("did not answer as"), "\(ran.complaint)")
        #expect(!ran.complaint.contains("<") && !ran.text.contains("DOCTYPE"))
    }

    @Test("an answer that never ends is cut off", arguments: ["apns", "webpush"])
    func endless(service: String) throws {
        let fixture = try NotifySendFixture(faults: ["provider=\(service),endless,body=<b>x</b>"])
        let ran = try fixture.send(service)
        #expect(ran.status != 0)
        #expect(!ran.complaint.contains("<b>"))
    }

    @Test("terminal sequences in an answer stay harmless", arguments: services)
    func hostile(service: String) throws {
        let body =
            #"{"reason":"\u001b[2J<x>","error":{"status":"\u001b[2J","message":"\u001b[2J"}}"#
        let fixture = try NotifySendFixture(faults: ["provider=\(service),status=400,body=\(body)"])
        let ran = try fixture.send(service, "--retries", "0")
        #expect(ran.status != 0)
        #expect(!(ran.errors + ran.output).contains(0x1B) && !ran.complaint.contains("[2J"))
    }
}
