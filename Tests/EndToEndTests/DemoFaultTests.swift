import Testing

@testable import argus_demo

/// Failures on purpose.
@Suite(.waitsForPrograms)
struct DemoFaultTests {
    /// Starts a server with faults and hands over connections to it.
    private func withFaults(
        _ specs: [String], _ body: (() throws -> DemoWire) throws -> Void
    ) throws {
        var options = try Options(["--events", "0", "--rate", "0"])
        options.faults = try specs.map { spec throws(UsageError) in try Fault(parsing: spec) }
        let server = try Server(options, port: 0)
        defer { server.stop() }
        try body { try #require(DemoWire(port: server.port)) }
    }

    private func status(_ wire: DemoWire, _ path: String) -> Int? {
        wire.get(path)
        return wire.answer().flatMap { Int($0.head.dropFirst(9).prefix(3)) }
    }

    @Test("a status strikes after some requests and for some, on its route and method")
    func strikesInTurn() throws {
        try withFaults(["route=/health,status=503,after=1,times=2,method=get"]) { connect in
            let wire = try connect()
            #expect(status(wire, "/") == 200)
            let seen = (0..<4).map { _ in status(wire, "/health") }
            #expect(seen == [200, 503, 503, 200])
        }
    }

    @Test("headers, type and body are replaced")
    func replacesParts() throws {
        let spec = "status=429,header=Retry-After: 7,content-type=text/html,body=<p>a,b=c</p>"
        try withFaults([spec]) { connect in
            let wire = try connect()
            wire.get("/")
            let answer = try #require(wire.answer())
            #expect(answer.head.hasPrefix("HTTP/1.1 429 Too Many Requests\r\n"))
            #expect(answer.head.contains("\r\nretry-after: 7\r\n"))
            #expect(answer.head.contains("\r\ncontent-type: text/html\r\n"))
            #expect(!answer.head.contains("application/json"))
            #expect(answer.body == Array("<p>a,b=c</p>".utf8))
        }
    }

    @Test("a page is that of a proxy in front, with any status")
    func page() throws {
        try withFaults(["route=/health,html", "route=/docs,status=403,html"]) { connect in
            for (path, status) in [("/health", "502 Bad Gateway"), ("/docs", "403 Forbidden")] {
                let wire = try connect()
                wire.get(path)
                let answer = try #require(wire.answer())
                #expect(answer.head.hasPrefix("HTTP/1.1 \(status)\r\n"))
                #expect(answer.head.contains("\r\ncontent-type: text/html; charset=utf-8\r\n"))
                #expect(answer.body.first == UInt8(ascii: "<"))
            }
        }
    }

    @Test("a delayed answer comes after its delay, and no other waits for it")
    func delays() throws {
        try withFaults(["route=/docs,delay=600s", "route=/health,delay=200ms"]) { connect in
            let wire = try connect()
            wire.get("/docs")
            let other = try connect()
            let time = ContinuousClock().measure { #expect(status(other, "/health") == 200) }
            #expect(time > .milliseconds(190))
            #expect(wire.isQuiet)
        }
    }

    @Test("a reset, and a server that never answers")
    func resetsAndKeepsSilent() throws {
        try withFaults(["route=/docs,reset", "route=/health,silent"]) { connect in
            let wire = try connect()
            wire.get("/docs")
            #expect(wire.readAll().end == .reset)
            let silent = try connect()
            silent.get("/health")
            // Other connections are answered while this one waits.
            #expect(status(try connect(), "/") == 200)
            #expect(silent.isQuiet)
        }
    }

    @Test("a truncated answer announces more than it sends")
    func truncates() throws {
        try withFaults(["truncate=10"]) { connect in
            let wire = try connect()
            wire.get("/")
            let (bytes, end) = wire.readAll()
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("content-length: 59\r\n"))
            #expect(text.hasSuffix("\r\n\r\n{\"name\":\"A"))
            #expect(end == .closed)
        }
    }

    @Test("garbage is no HTTP")
    func sendsGarbage() throws {
        try withFaults(["garbage"]) { connect in
            let wire = try connect()
            wire.get("/")
            let bytes = wire.readAll().bytes
            #expect(bytes.count == 512)
            #expect(!bytes.starts(with: Array("HTTP".utf8)))
        }
    }

    @Test("a drip comes slowly and whole")
    func drips() throws {
        try withFaults(["drip=200"]) { connect in
            let wire = try connect()
            let time = ContinuousClock().measure {
                wire.get("/")
                #expect(wire.answer()?.body.count == 59)
            }
            // 59 bytes at 20 bytes a tenth of a second.
            #expect(time > .milliseconds(180))
            // The connection goes on.
            wire.get("/")
            #expect(wire.answer()?.body.count == 59)
        }
    }

    @Test("an endless body goes on until the client has had enough")
    func neverEnds() throws {
        try withFaults(["endless,body=abc"]) { connect in
            let wire = try connect()
            wire.get("/")
            let (bytes, end) = wire.readAll(limit: 1 << 20)
            #expect(end == .enough)
            #expect(String(decoding: bytes.prefix(2000), as: UTF8.self).contains("abcabcabc"))
        }
    }

    @Test(
        "a pattern matches whole paths, a plain route their beginnings",
        arguments: [
            ("*/snapshot", "/api/v1/cameras/x/stream/snapshot", true),
            ("*/snapshot", "/api/v1/cameras/x/stream/snapshots", false),
            ("/api/*/events", "/api/v1/events", true), ("/api/*/events", "/api/v1/cameras", false),
            ("/api/v1/events", "/api/v1/events/1", true), ("/health", "/", false),
            ("*", "/anything", true),
        ])
    func matchesPaths(_ route: String, _ path: String, _ isMatch: Bool) throws {
        let fault = try Fault(parsing: "route=\(route),reset")
        #expect(fault.matches(Request(method: .GET, target: path, now: .now)) == isMatch)
    }

    @Test(
        "a fault that makes no sense is refused",
        arguments: [
            "", "zap", "status=99", "status=x", "times=0", "delay=5h", "delay=fast", "reset=1",
            "header=X", "truncate=-1", "drip=0",
        ])
    func refusesNonsense(_ spec: String) {
        #expect(throws: UsageError.self) { try Fault(parsing: spec) }
    }
}
