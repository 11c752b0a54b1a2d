import Glibc
import Testing

@testable import argus_demo

/// The demo on real sockets.
@Suite(.waitsForPrograms)
struct DemoServerTests {
    /// Starts a server, which ends with the test.
    private func withServer(
        _ arguments: [String] = [], _ change: (inout Options) -> Void = { _ in },
        _ body: (Server) throws -> Void
    ) throws {
        var options = try Options(["--events", "20", "--rate", "0"] + arguments)
        change(&options)
        let server = try Server(options, port: 0)
        defer { server.stop() }
        try body(server)
    }

    private func wire(_ server: Server) throws -> DemoWire {
        try #require(DemoWire(port: server.port))
    }

    @Test("a connection serves requests in turn, even when they come at once")
    func keepsAlive() throws {
        try withServer { server in
            let wire = try wire(server)
            wire.get("/")
            let first = try #require(wire.answer())
            #expect(first.head.hasPrefix("HTTP/1.1 200 OK\r\ndate: "))
            #expect(first.head.contains(" GMT\r\nserver: uvicorn\r\ncontent-length: 59\r\n"))
            wire.get("/")
            wire.get("/health")
            #expect(wire.answer()?.body == first.body)
            #expect(wire.answer()?.body.count ?? 0 > 59)
        }
    }

    @Test("the Date of answers can be ahead of the clock, or behind")
    func clockOffset() throws {
        for (offset, isAhead) in [("315360000", true), ("-315360000", false)] {
            try withServer(["--clock-offset", offset]) { server in
                let wire = try wire(server)
                wire.get("/")
                let head = try #require(wire.answer()).head
                let year = head.firstMatch(of: #/date: ..., .. ... (\d{4}) /#)?.output.1
                let now = Int(Moment.now.text.prefix(4)) ?? 0
                let distance = (year.flatMap { Int($0) } ?? now) - now
                #expect(isAhead ? distance >= 9 : distance <= -9, "\(head)")
            }
        }
    }

    @Test("HEAD is a 405 without a body, and the connection goes on")
    func headHasNoBody() throws {
        try withServer { server in
            let wire = try wire(server)
            wire.send("HEAD / HTTP/1.1\r\nhost: demo\r\n\r\n")
            wire.get("/", headers: "connection: close\r\n")
            let text = String(decoding: wire.readAll().bytes, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
            #expect(text.contains("allow: GET\r\n"))
            #expect(text.contains("\r\n\r\nHTTP/1.1 200 OK\r\n"))
            #expect(text.hasSuffix("\"running\"}"))
        }
    }

    @Test("an idle connection is closed")
    func closesIdle() throws {
        try withServer([], { $0.idleMilliseconds = 50 }) { server in
            let wire = try wire(server)
            wire.get("/")
            #expect(wire.answer() != nil)
            #expect(wire.read(1).end == .closed)
            #expect(try self.wire(server).read(1).end == .closed)
        }
    }

    @Test("a request that is not HTTP is answered and dropped")
    func refusesGarbage() throws {
        try withServer { server in
            let wire = try wire(server)
            wire.send("nonsense\r\n\r\n")
            let (bytes, end) = wire.readAll()
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(text.hasSuffix("Invalid HTTP request received."))
            #expect(end == .closed)
        }
    }

    @Test("an unhandled error drops the connection without saying so")
    func crashDrops() throws {
        try withServer(["--rate-limits", "off"]) { server in
            let body = "{\"username\":\"demo\",\"password\":\"argus-demo-1\"}"
            let login =
                "POST /api/v1/auth/login HTTP/1.1\r\nhost: demo\r\n"
                + "content-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n\r\n"
                + body
            // Two of them fall into one second, however busy the machine is.
            let wire = try wire(server)
            wire.send(String(repeating: login, count: 20))
            let (bytes, end) = wire.readAll()
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.hasSuffix("\r\n\r\nInternal Server Error"))
            #expect(!text.contains("connection: close"))
            #expect(end == .closed)
        }
    }

    @Test("an export comes in chunks")
    func exportIsChunked() throws {
        try withServer { server in
            let token = server.service.withState { state in
                state.accessToken(for: state.accounts.users[0], now: .now)
            }
            let wire = try wire(server)
            wire.get(
                "/api/v1/events/export?format=csv",
                headers: "authorization: Bearer \(token)\r\nconnection: close\r\n")
            let text = String(decoding: wire.readAll().bytes, as: UTF8.self)
            #expect(text.contains("transfer-encoding: chunked\r\n"))
            #expect(!text.contains("content-length"))
            #expect(text.hasSuffix("\r\n0\r\n\r\n"))
        }
    }

    @Test("a taken port is one clear error")
    func takenPort() throws {
        try withServer { server in
            let options = try Options(["--events", "0", "--rate", "0"])
            let error = #expect(throws: SystemFailure.self) {
                try Server(options, port: server.port)
            }
            #expect(
                error?.message
                    == "cannot listen on 127.0.0.1:\(server.port): Address already in use")
        }
    }

    @Test("the log names the kinds of credentials that were sent, and none of their values")
    func logsRequests() throws {
        let path = "/tmp/argus-demo-log-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        defer { unlink(path) }
        try withServer(["--log", path]) { server in
            let wire = try wire(server)
            wire.get("/api/v1/events?limit=1", headers: "Authorization: Bearer s3cret\r\n")
            #expect(wire.answer() != nil)
        }
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = fread(&buffer, 1, buffer.count, file)
        let text = String(decoding: buffer.prefix(count), as: UTF8.self)
        let line = try JSONReader.read(Array(text.utf8))
        #expect(line["method"] == "GET")
        #expect(line["target"] == "/api/v1/events?limit=1")
        #expect(line["headers"] == ["host", "authorization"])
        #expect(line["authorization"] == true)
        #expect(line["cookie"] == false)
        #expect(!text.contains("s3cret"))
    }
}
