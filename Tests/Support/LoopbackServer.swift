package import ArgusCore
import Glibc
import Synchronization

/// A small HTTP/1.1 server on 127.0.0.1 that answers as a test scripts it, byte for byte.
///
/// It reads a request, gets the steps from the script and performs them, until the connection ends.
/// Received bytes are recorded, whether they are requests or not.
package final class LoopbackServer: Sendable {
    /// A request as the server read it.
    package struct Request: Sendable {
        /// The number of the connection, counted from 0.
        package var connection: Int
        /// The number of the request on its connection, counted from 0.
        package var number: Int
        /// Request line and header fields, without the blank line.
        package var head: String
        package var body: [UInt8]

        /// Such as `GET /events?limit=1 HTTP/1.1`.
        package var line: String { String(head.split(separator: "\r\n").first ?? "") }

        /// The value of a header field, its name in any case.
        package func header(_ name: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst() {
                let parts = line.split(
                    separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
                return String(parts[1].drop { $0 == " " })
            }
            return nil
        }
    }

    /// An action of the server after a request.
    package enum Step: Sendable {
        case send([UInt8])
        /// Sends the bytes again and again until the client goes away.
        case sendForever([UInt8])
        /// Sends one byte each time the pause has passed.
        case drip([UInt8], every: Duration)
        /// Says nothing more until the client or the test goes away.
        case staySilent
        case close
        /// Closes so that the client meets a reset.
        case reset
    }

    package typealias Script = @Sendable (Request) -> [Step]

    private struct State {
        var connections: [Int32] = []
        var threads: [TestThread] = []
        var requests: [Request] = []
        var bytes: [[UInt8]] = []
        var isStopped = false
    }

    package let port: UInt16
    private let listener: Int32
    private let script: Script
    private let state = Mutex(State())

    /// The origin of the server.
    package var origin: Origin { Origin(scheme: .http, host: "127.0.0.1", port: port) }
    /// Every whole request so far, in the order of their ends.
    package var requests: [Request] { state.withLock { $0.requests } }
    /// Every byte of each connection so far.
    package var receivedBytes: [[UInt8]] { state.withLock { $0.bytes } }

    private init(_ script: @escaping Script) throws {
        self.script = script
        (listener, port) = try makeLoopbackListener()
    }

    /// Serves while `body` runs; afterwards no thread and no socket remains.
    package static func serving<Value>(
        _ script: @escaping Script, _ body: (LoopbackServer) async throws -> Value
    ) async throws -> Value {
        let server = try LoopbackServer(script)
        let accepting = try TestThread { server.acceptConnections() }
        defer {
            server.stop()
            accepting.join()
            close(server.listener)
            // No thread is added once accepting has ended.
            for thread in server.state.withLock({ $0.threads }) { thread.join() }
        }
        return try await body(server)
    }

    private func stop() {
        state.withLock { state in
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for connection in state.connections where connection >= 0 {
                shutdown(connection, Int32(SHUT_RDWR))
            }
        }
    }

    private func acceptConnections() {
        while true {
            let socket = accept(listener, nil, nil)
            guard socket >= 0 else { return }
            let isStopped = state.withLock { state in
                guard !state.isStopped else { return true }
                let index = state.connections.count
                state.connections.append(socket)
                state.bytes.append([])
                if let thread = try? TestThread({ self.serve(socket, index) }) {
                    state.threads.append(thread)
                }
                return false
            }
            if isStopped {
                close(socket)
                return
            }
        }
    }

    private func serve(_ socket: Int32, _ index: Int) {
        defer {
            state.withLock { state in
                state.connections[index] = -1
                close(socket)
            }
        }
        var pending: [UInt8] = []
        var number = 0
        while let request = readRequest(socket, index, number, &pending) {
            state.withLock { $0.requests.append(request) }
            number += 1
            for step in script(request) where !take(step, socket) { return }
        }
    }

    private func readRequest(
        _ socket: Int32, _ index: Int, _ number: Int, _ pending: inout [UInt8]
    ) -> Request? {
        let blankLine: [UInt8] = Array("\r\n\r\n".utf8)
        var end = pending.firstRange(of: blankLine)
        while end == nil {
            guard receive(socket, index, &pending) else { return nil }
            end = pending.firstRange(of: blankLine)
        }
        guard let end else { return nil }
        let head = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
        var request = Request(connection: index, number: number, head: head, body: [])
        let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
        while pending.count < end.upperBound + length {
            guard receive(socket, index, &pending) else { return nil }
        }
        request.body = Array(pending[end.upperBound..<end.upperBound + length])
        pending.removeSubrange(..<(end.upperBound + length))
        return request
    }

    private func receive(_ socket: Int32, _ index: Int, _ pending: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        pending += buffer[..<count]
        state.withLock { $0.bytes[index] += buffer[..<count] }
        return true
    }

    /// Takes one step; false when the connection is over.
    private func take(_ step: Step, _ socket: Int32) -> Bool {
        switch step {
        case .send(let bytes):
            return sendAll(bytes, socket)
        case .sendForever(let bytes):
            while sendAll(bytes, socket) {}
            return false
        case .drip(let bytes, let pause):
            return bytes.allSatisfy { sendAll([$0], socket) && clientStays(socket, for: pause) }
        case .staySilent:
            var byte: UInt8 = 0
            while recv(socket, &byte, 1, 0) > 0 {}
            return false
        case .close:
            return false
        case .reset:
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            return false
        }
    }

    /// Waits for the pause to pass; false when the client or the test goes away before.
    private func clientStays(_ socket: Int32, for pause: Duration) -> Bool {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let milliseconds =
            pause.components.seconds * 1000 + pause.components.attoseconds / 1_000_000_000_000_000
        return poll(&descriptor, 1, Int32(milliseconds)) == 0
    }

    private func sendAll(_ bytes: [UInt8], _ socket: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                Glibc.send(
                    socket, raw.baseAddress.map { $0 + sent }, bytes.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}

/// A listening socket on a port of 127.0.0.1, by default a free one of the kernel's choice.
func makeLoopbackListener(_ port: UInt16 = 0) throws -> (socket: Int32, port: UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw SystemCallFailure(call: "socket") }
    var address = loopbackAddress(port)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
            guard bind(listener, generic, size) == 0, listen(listener, 256) == 0 else {
                return Int32(-1)
            }
            return getsockname(listener, generic, &size)
        }
    }
    guard code == 0 else {
        defer { close(listener) }
        throw SystemCallFailure(call: "bind")
    }
    return (listener, UInt16(bigEndian: address.sin_port))
}

/// 127.0.0.1 with a port.
func loopbackAddress(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
}
