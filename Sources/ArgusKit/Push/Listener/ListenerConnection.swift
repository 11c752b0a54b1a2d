import ArgusCore
import Glibc

/// A connection of a listener: reads a request, writes its answer, and ends.
final class ListenerConnection {
    enum Phase {
        case reading
        /// The request is being handled, even if its sender leaves: it may be the only copy.
        case handling
        case writing
        /// The answer is sent; what still comes is discarded, since a reset could overtake the answer
        /// (RFC 9112, section 9.6).
        case draining
        case over
    }

    /// The deadline of a connection whose request is being handled.
    static let never = Duration.seconds(Int64.max)
    /// The time for which the rest of a refused request is discarded.
    private static let drainTime = Duration.seconds(1)
    /// The most bytes of it.
    private static let drainSize = 256 << 10

    let number: Int
    /// The time from which it may lose its place to another while its request is incomplete.
    let readDeadline: Duration
    private(set) var deadline: Duration
    private let socket: OwnedDescriptor
    private var parser: RequestParser
    private(set) var phase = Phase.reading
    private var output: ArraySlice<UInt8> = []
    private var drained = 0

    init(
        _ number: Int, _ socket: consuming OwnedDescriptor, _ parser: RequestParser,
        readDeadline: Duration, deadline: Duration
    ) {
        (self.number, self.parser) = (number, parser)
        (self.readDeadline, self.deadline) = (readDeadline, deadline)
        self.socket = socket
    }

    var descriptor: Int32 { socket.rawValue }

    /// The events to wait for (poll(2)).
    var events: Int16 {
        switch phase {
        case .reading: output.isEmpty ? Int16(POLLIN) : Int16(POLLIN | POLLOUT)
        case .draining: Int16(POLLIN)
        case .writing: Int16(POLLOUT)
        case .handling, .over: 0
        }
    }

    func end() { phase = .over }

    /// Starts to send the answer to the request, which must be sent by `deadline`.
    func answer(_ status: Int, until deadline: Duration) {
        guard phase == .handling else { return }
        respond(status, until: deadline)
    }

    /// Does what is possible after poll(2) has found these events, and returns a request that is complete.
    func advance(_ found: Int16, _ now: Duration, _ time: Duration) -> ListenerRequest? {
        if found & Int16(POLLERR | POLLNVAL) != 0 {
            end()
            return nil
        }
        switch phase {
        case .reading:
            if !output.isEmpty { write() }
            return found & Int16(POLLIN | POLLHUP) != 0 ? read(now, time) : nil
        case .writing: write()
        case .draining:
            drained += receive()?.count ?? 0
            if drained > Self.drainSize { end() }
        case .handling, .over: break
        }
        return nil
    }

    private func read(_ now: Duration, _ time: Duration) -> ListenerRequest? {
        guard let bytes = receive() else { return nil }
        switch parser.read(bytes) {
        case .incomplete: break
        case .awaitsPermission: output = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...]
        case .refused: respond(404, until: now + time)
        case .complete(let request):
            (phase, deadline) = (.handling, Self.never)
            return request
        }
        return nil
    }

    private func respond(_ status: Int, until deadline: Duration) {
        let reason = [201: "Created", 404: "Not Found", 503: "Service Unavailable"][status] ?? ""
        let head = "HTTP/1.1 \(status) \(reason)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        output += Array(head.utf8)
        (phase, self.deadline) = (.writing, deadline)
        write()
    }

    private func write() {
        let count = output.withUnsafeBytes {
            send(socket.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count >= 0 else {
            if errno != EAGAIN, errno != EINTR { end() }
            return
        }
        output = output.dropFirst(count)
        guard output.isEmpty, phase == .writing else { return }
        shutdown(socket.rawValue, Int32(SHUT_WR))
        (phase, deadline) = (.draining, .sinceBoot() + Self.drainTime)
    }

    /// Receives what has come, at most 4 KiB; nil if that is nothing, after which the connection may be
    /// over.
    private func receive() -> [UInt8]? {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            result = recv(socket.rawValue, buffer.baseAddress, buffer.count, 0)
            count = max(result, 0)
        }
        if result == 0 || result < 0 && errno != EAGAIN && errno != EINTR { end() }
        return bytes.isEmpty ? nil : bytes
    }
}
