import ArgusTestSupport
import Glibc
import Synchronization
import Testing

@testable import ArgusCore
@testable import ArgusPush

@Suite("PushListener")
struct PushListenerTests {
    private static let path = "/secret-path"
    private static let created =
        "HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    private static let absent =
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

    private static func post(_ body: String, to path: String = path) -> String {
        "POST \(path) HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// The bodies that a listener has handed over while `talk` ran on a thread of its own.
    private func bodies(
        _ change: (inout PushListener.Limits) -> Void = { _ in },
        _ talk: @escaping @Sendable (UInt16) throws -> Void
    ) async throws -> [String] {
        var limits = PushListener.Limits()
        change(&limits)
        let listener = try await PushListener(
            on: "127.0.0.1", port: 0, path: Self.path, limits)
        async let talked: (any Error)? = onOwnThread {
            defer { listener.close() }
            do { try talk(listener.port) } catch { return error }
            return nil
        }
        var bodies: [String] = []
        await listener.run { request in
            bodies.append(String(decoding: request.body, as: UTF8.self))
            return 201
        }
        if let error = await talked { throw error }
        return bodies
    }

    @Test("a request for the path gets the status of its handler, every other 404")
    func answers() async throws {
        let bodies = try await bodies { port in
            for (text, answer) in [
                (Self.post("first"), Self.created), (Self.post("x", to: "/"), Self.absent),
                (Self.post("x", to: "/secret-pat"), Self.absent),
                ("\u{16}\u{3}\r\n\r\n", Self.absent),
                ("GET /secret-pat% HTTP/1.1\r\n\r\n", Self.absent),
                (Self.post("last"), Self.created),
            ] {
                let connection = try RawConnection(port: port)
                connection.send(text)
                #expect(connection.receiveAll() == answer)
            }
        }
        #expect(bodies == ["first", "last"])
    }

    @Test("a request may come in parts, in chunks, or after a permission")
    func forms() async throws {
        let line = "POST \(Self.path) HTTP/1.1\r\n"
        let bodies = try await bodies { port in
            let chunked =
                line + "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;name=value\r\nllo\r\n"
                + "0\r\nTrailer: x\r\n\r\n"
            for text in [Self.post("hello"), chunked] {
                let connection = try RawConnection(port: port)
                for byte in text.utf8 { connection.send([byte]) }
                #expect(connection.receiveAll() == Self.created)
            }
            let waiting = try RawConnection(port: port)
            waiting.send(line + "Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n")
            waiting.send("ok")
            #expect(waiting.receiveAll() == "HTTP/1.1 100 Continue\r\n\r\n" + Self.created)
            let tooLong = try RawConnection(port: port)
            tooLong.send(line + "Expect: 100-Continue\r\nContent-Length: 4097\r\n\r\n")
            #expect(tooLong.receiveAll() == Self.absent)
        }
        #expect(bodies == ["hello", "hello", "ok"])
    }

    @Test("a sender that closes its half after a request still gets the answer")
    func halfClosed() async throws {
        let bodies = try await bodies { port in
            for (text, answer) in [
                (Self.post("whole"), Self.created), ("POST /secret", Self.absent),
            ] {
                let connection = try RawConnection(port: port)
                connection.send(text)
                connection.closeSending()
                #expect(connection.receiveAll() == answer)
            }
        }
        #expect(bodies == ["whole"])
    }

    @Test("only the path itself is served, and no malformed request")
    func refusals() async throws {
        let line = "POST \(Self.path) HTTP/1.1\r\n"
        let targets = [
            "/", "/secret-pathh", "/secret-path/", "/secret-path?x", "/%73ecret-path",
            "/SECRET-PATH", "http://x/secret-path", "*",
        ]
        let malformed = [
            "x\r\n\r\n", "PO(ST \(Self.path) HTTP/1.1\r\n\r\n", line + "no colon\r\n\r\n",
            line + ": empty\r\n\r\n", line + "a b: c\r\n\r\n", line + "a: \u{0}\r\n\r\n",
            line + "Content-Length: -1\r\n\r\n", line + "Content-Length: 0x10\r\n\r\n",
            line + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
            line + "Content-Length: 99999999999999999999\r\n\r\n",
            line + "Content-Length: 4097\r\n\r\n",
            line + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            line + "Transfer-Encoding: chunked\r\n\r\nx\r\n",
            line + "Transfer-Encoding: chunked\r\n\r\n-1\r\n",
            line + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
            line + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
        ]
        let bodies = try await bodies { port in
            for text in targets.map({ Self.post("x", to: $0) }) + malformed {
                let connection = try RawConnection(port: port)
                connection.send(text)
                #expect(connection.receiveAll() == Self.absent, "\(text.debugDescription)")
            }
        }
        #expect(bodies.isEmpty)
    }

    @Test("of a head or a body that is too long nothing but the beginning is read")
    func longBodies() async throws {
        let bodies = try await bodies { port in
            let block = [UInt8](repeating: UInt8(ascii: "7"), count: 1 << 20)
            for head in ["Content-Length: 104857600", "Transfer-Encoding: chunked", nil] {
                let connection = try RawConnection(port: port)
                let fields = head.map { $0 + "\r\n\r\n" } ?? "a: "
                connection.send("POST \(Self.path) HTTP/1.1\r\n\(fields)")
                var sent = 0
                while sent < 100, connection.send(block) { sent += 1 }
                #expect(sent < 100)
                let answer = connection.receiveAll() ?? "none"
                #expect(["", Self.absent].contains(answer))
            }
        }
        #expect(bodies.isEmpty)
    }

    @Test("senders that take too long are cut, and those behind them served")
    func slowSenders() async throws {
        let bodies = try await bodies {
            ($0.connections, $0.time, $0.readTimeout) = (2, .milliseconds(20), .seconds(3600))
        } _: { port in
            let slow = try (0..<10).map { _ in try RawConnection(port: port) }
            for connection in slow { connection.send("POST \(Self.path) HTT") }
            let good = try RawConnection(port: port)
            good.send(Self.post("good"))
            #expect(good.receiveAll() == Self.created)
            for connection in slow { #expect(connection.receiveAll() == "") }
        }
        #expect(bodies == ["good"])
    }

    @Test("connections that are held and say nothing, or not enough, make room for others")
    func crowd() async throws {
        let bodies = try await bodies {
            ($0.time, $0.readTimeout) = (.seconds(3600), .zero)
        } _: { port in
            let held = try (0..<200).map { _ in try RawConnection(port: port) }
            for connection in held[100...] { connection.send("POST \(Self.path) HTT") }
            let good = try RawConnection(port: port)
            good.send(Self.post("good"))
            #expect(good.receiveAll() == Self.created)
            withExtendedLifetime(held) {}
        }
        #expect(bodies == ["good"])
    }

    @Test("senders that are answered and stay make room at once, and those in time for none")
    func room() async throws {
        let bodies = try await bodies {
            ($0.connections, $0.time) = (2, .seconds(3600))
            $0.readTimeout = .seconds(3600)
        } _: { port in
            var stayed: [RawConnection] = []
            for _ in 0..<10 {
                let connection = try RawConnection(port: port)
                connection.send("garbage\r\n\r\n")
                stayed.append(connection)
            }
            let first = try RawConnection(port: port)
            first.send(Self.post("first"))
            #expect(first.receiveAll() == Self.created)
            let slow = try (0..<2).map { _ in try RawConnection(port: port) }
            let later = try RawConnection(port: port)
            later.send(Self.post("later"))
            for connection in slow {
                connection.send(Self.post("slow"))
                #expect(connection.receiveAll() == Self.created)
            }
            #expect(later.receiveAll() == Self.created)
            withExtendedLifetime(stayed) {}
        }
        #expect(bodies.sorted() == ["first", "later", "slow", "slow"])
    }

    @Test("a request is handed over even if its sender has left")
    func leftSender() async throws {
        let listener = try await PushListener(on: "127.0.0.1", port: 0, path: Self.path)
        let bodies = Collected<String>()
        async let last: String? = onOwnThread {
            for text in ["first", "second"] {
                (try? RawConnection(port: listener.port))?.send(Self.post(text))
            }
            let connection = try? RawConnection(port: listener.port)
            connection?.send(Self.post("last"))
            return connection?.receiveAll()
        }
        await listener.run { request in
            bodies.add(String(decoding: request.body, as: UTF8.self))
            if bodies.all.count == 3 { listener.close() }
            return 201
        }
        #expect(await last == Self.created)
        #expect(bodies.all == ["first", "second", "last"])
    }

    @Test(
        "a port that is taken, an address of others and a name are refused; after the end it is free"
    )
    func places() async throws {
        let first = try await PushListener(on: "127.0.0.1", port: 0, path: Self.path)
        #expect(first.origin.description == "http://127.0.0.1:\(first.port)")
        let place = "127.0.0.1:\(first.port)"
        await #expect(throws: ListenerError(place: place, reason: "address already in use")) {
            try await PushListener(on: "127.0.0.1", port: first.port, path: Self.path)
        }
        let foreign = ListenerError(
            place: "192.0.2.1:0", reason: "cannot assign requested address")
        await #expect(throws: foreign) {
            try await PushListener(on: "192.0.2.1", port: 0, path: Self.path)
        }
        let name = ListenerError(place: "localhost:0", reason: "it is not an address")
        await #expect(throws: name) {
            try await PushListener(on: "localhost", port: 0, path: Self.path)
        }
        first.close()
        await first.run { _ in 201 }
        // A child that another test starts right now holds its sockets until it runs its program.
        var again: PushListener?
        for _ in 0..<1000 where again == nil {
            again = try? await PushListener(on: "127.0.0.1", port: first.port, path: Self.path)
        }
        #expect(again != nil)
    }

    @Test("an answer under way is sent before the end, and later requests get none")
    func end() async throws {
        let listener = try await PushListener(on: "127.0.0.1", port: 0, path: Self.path)
        async let answer: String? = onOwnThread {
            let connection = try? RawConnection(port: listener.port)
            connection?.send(Self.post("last"))
            return connection?.receiveAll()
        }
        await listener.run { _ in
            listener.close()
            return 201
        }
        #expect(await answer == Self.created)
        #expect(throws: SystemCallFailure.self) { try RawConnection(port: listener.port) }
    }
}
