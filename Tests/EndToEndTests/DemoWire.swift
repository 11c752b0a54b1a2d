import Glibc

/// A plain TCP client that sends what it is told and shows every byte that comes back.
final class DemoWire {
    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects to a port of this machine; reads wait five seconds at most.
    init?(port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var timeout = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout,
            socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// How a wait for bytes ended.
    enum End: Equatable {
        case enough, closed, reset, timeout
    }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func get(_ path: String, headers: String = "") {
        send("GET \(path) HTTP/1.1\r\nhost: demo\r\n\(headers)\r\n")
    }

    /// Waits for `count` bytes, which it takes off the front.
    func read(_ count: Int) -> (bytes: [UInt8], end: End) {
        while received.count < count {
            let end = receive()
            guard end == .enough else {
                defer { received = [] }
                return (received, end)
            }
        }
        defer { received.removeFirst(count) }
        return (Array(received.prefix(count)), .enough)
    }

    /// Waits for the end, or for more than `limit` bytes.
    func readAll(limit: Int = 1 << 22) -> (bytes: [UInt8], end: End) {
        while received.count < limit {
            let end = receive()
            guard end == .enough else { return (received, end) }
        }
        return (received, .enough)
    }

    /// A status line with its header fields, and the body that they announce.
    func answer() -> (head: String, body: [UInt8])? {
        let mark = Array("\r\n\r\n".utf8)
        var head = ""
        while true {
            let (bytes, end) = read(1)
            guard end == .enough else { return nil }
            head += String(decoding: bytes, as: UTF8.self)
            if head.utf8.suffix(4).elementsEqual(mark) || head.utf8.count > 65_536 { break }
        }
        let length = head.split(separator: "\r\n").compactMap { line in
            line.hasPrefix("content-length: ") ? Int(line.dropFirst(16)) : nil
        }.first
        return (head, read(length ?? 0).bytes)
    }

    /// Whether nothing has come and the connection is still open.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        let count = recv(
            descriptor, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK))
        return count < 0 && errno == EAGAIN && received.isEmpty
    }

    private func receive() -> End {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 {
            received += buffer.prefix(count)
            return .enough
        }
        if count == 0 { return .closed }
        return errno == ECONNRESET ? .reset : .timeout
    }
}
