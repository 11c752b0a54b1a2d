import Glibc

/// The socket of a service manager, to which services send their messages (sd_notify(3)).
package final class ServiceManager {
    /// The value of `NOTIFY_SOCKET`.
    package let address: String
    private let descriptor: Int32

    /// Listens at a path, or, if the address begins with `@`, at an abstract one (unix(7)).
    package init(_ address: String) throws {
        self.address = address
        descriptor = socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var path = Array(address.utf8)
        if path.first == UInt8(ascii: "@") { path[0] = 0 } else { path.append(0) }
        let family = withUnsafeBytes(of: sa_family_t(AF_UNIX)) { Array($0) }
        let bound = (family + path).withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            }
        }
        guard bound == 0 else { throw SystemCallFailure(call: "bind \(address)") }
    }

    deinit { close(descriptor) }

    /// The next message, in lines; nil if none comes in a minute, the limit for a hang.
    package func receive() -> [String]? { receive(within: 60_000) }

    /// The messages that have come so far.
    package var waiting: [[String]] {
        var messages: [[String]] = []
        while let message = receive(within: 0) { messages.append(message) }
        return messages
    }

    private func receive(within milliseconds: Int32) -> [String]? {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, milliseconds) == 1 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }

    /// Receives until a line begins with a text, and returns all lines up to that one.
    package func receive(until beginning: String) throws -> [String] {
        var lines: [String] = []
        while !lines.contains(where: { $0.hasPrefix(beginning) }) {
            guard let more = receive() else { throw Silence(awaited: beginning, lines: lines) }
            lines += more
        }
        return lines
    }

    /// A message that did not come.
    package struct Silence: Error, CustomStringConvertible {
        var awaited: String
        var lines: [String]
        package var description: String { "no '\(awaited)' came after \(lines)" }
    }
}
