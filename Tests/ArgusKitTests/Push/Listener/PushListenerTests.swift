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
        let listener = try PushListener(on: "127.0.0.1", port: 0, limits)
        async let talked: (any Error)? = onOwnThread {
            defer { listener.close() }
            do { try talk(listener.port) } catch { return error }
            return nil
        }
        var bodies: [String] = []
        await listener.run(path: Self.path) { request in
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

    @Test("of a body that is too long nothing but the beginning is read")
    func longBodies() async throws {
        let bodies = try await bodies { port in
            let block = [UInt8](repeating: 7, count: 1 << 20)
            for head in ["Content-Length: 104857600", "Transfer-Encoding: chunked"] {
                let connection = try RawConnection(port: port)
                connection.send("POST \(Self.path) HTTP/1.1\r\n\(head)\r\n\r\n")
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
        let listener = try PushListener(on: "127.0.0.1", port: 0)
        let bodies = Collected<String>()
        async let last: String? = onOwnThread {
            for text in ["first", "second"] {
                (try? RawConnection(port: listener.port))?.send(Self.post(text))
            }
            let connection = try? RawConnection(port: listener.port)
            connection?.send(Self.post("last"))
            return connection?.receiveAll()
        }
        await listener.run(path: Self.path) { request in
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
        let first = try PushListener(on: "127.0.0.1", port: 0)
        #expect(first.origin.description == "http://127.0.0.1:\(first.port)")
        let place = "127.0.0.1:\(first.port)"
        #expect(throws: ListenerError(place: place, reason: "address already in use")) {
            try PushListener(on: "127.0.0.1", port: first.port)
        }
        let foreign = ListenerError(
            place: "192.0.2.1:0", reason: "cannot assign requested address")
        #expect(throws: foreign) {
            try PushListener(on: "192.0.2.1", port: 0)
        }
        #expect(throws: ListenerError(place: "localhost:0", reason: "it is not an address")) {
            try PushListener(on: "localhost", port: 0)
        }
        first.close()
        await first.run(path: "/") { _ in 201 }
        _ = try PushListener(on: "127.0.0.1", port: first.port)
    }

    @Test("an answer under way is sent before the end, and later requests get none")
    func end() async throws {
        let listener = try PushListener(on: "127.0.0.1", port: 0)
        async let answer: String? = onOwnThread {
            let connection = try? RawConnection(port: listener.port)
            connection?.send(Self.post("last"))
            return connection?.receiveAll()
        }
        await listener.run(path: Self.path) { _ in
            listener.close()
            return 201
        }
        #expect(await answer == Self.created)
        #expect(throws: SystemCallFailure.self) { try RawConnection(port: listener.port) }
    }
}
