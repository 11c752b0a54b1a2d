import Glibc

/// A connection to a server on 127.0.0.1, for bytes that no HTTP library would send.
package final class RawConnection: Sendable {
    private let descriptor: Int32

    /// Connects; what blocks for a minute counts as hung.
    package init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(
                descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map {
                connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), size)
            }
        }
        guard connected == 0 else { throw SystemCallFailure(call: "connect \(port)") }
    }

    deinit { close(descriptor) }

    /// Sends bytes; false once the server has closed the connection.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends a text as `send(_:)` does.
    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Ends what this side sends; it can still receive.
    package func closeSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Receives until the server closes or resets the connection; nil if it does neither.
    package func receiveAll() -> String? {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                all += buffer[..<count]
            } else if count < 0, errno == EAGAIN {
                return nil
            } else {
                return String(decoding: all, as: UTF8.self)
            }
        }
    }
}
