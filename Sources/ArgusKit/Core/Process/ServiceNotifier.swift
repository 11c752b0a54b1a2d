import Glibc

/// The connection of a service to the service manager that started it (sd_notify(3)).
package struct ServiceNotifier: Sendable {
    /// A message to the manager.
    package enum Message: Sendable, Equatable {
        case ready
        case stopping
        /// The service goes on; expected again within `watchdogLimit`.
        case alive
        /// A line that the manager shows for the service.
        case status(String)

        fileprivate var text: String {
            switch self {
            case .ready: "READY=1"
            case .stopping: "STOPPING=1"
            case .alive: "WATCHDOG=1"
            // A line feed would start another message.
            case .status(let text): "STATUS=\(Sanitizer.visible(text))"
            }
        }
    }

    /// The time after which the manager takes a service without `.alive` for hung; nil if it does not
    /// watch this process (sd_watchdog_enabled(3)).
    package let watchdogLimit: Duration?
    /// The path of the manager's socket; an abstract one begins with a zero byte (unix(7)).
    private let path: [UInt8]

    /// How long a manager that reads nothing may delay a message, in seconds.
    private static let timeout = 1
    /// The size of `sun_path` (unix(7)).
    private static let longestPath = 108

    /// Finds the manager by `NOTIFY_SOCKET`; nil if there is none, or none with a local socket.
    package init?(_ environment: Environment) {
        guard let name = environment["NOTIFY_SOCKET"] else { return nil }
        var path = Array(name.utf8)
        switch path[0] {
        case UInt8(ascii: "@"): path[0] = 0
        case UInt8(ascii: "/"): path.append(0)
        default: return nil
        }
        guard path.count <= Self.longestPath else { return nil }
        self.path = path
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        watchdogLimit =
            isMeant
            ? environment["WATCHDOG_USEC"].flatMap { Int64($0) }
                .flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
    }

    /// Sends messages in one datagram.
    /// - Throws: The errno if the manager does not take it.
    package func send(_ messages: Message...) throws(Errno) {
        let number = socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw .current }
        let socket = OwnedDescriptor(owning: number)
        var limit = timeval(tv_sec: Self.timeout, tv_usec: 0)
        setsockopt(
            socket.rawValue, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let text = messages.map(\.text).joined(separator: "\n")
        let family = withUnsafeBytes(of: sa_family_t(AF_UNIX)) { Array($0) }
        let sent = (family + path).withUnsafeBytes { bytes in
            retryingInterrupts {
                sendto(
                    socket.rawValue, text, text.utf8.count, Int32(MSG_NOSIGNAL),
                    bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                    socklen_t(bytes.count))
            }
        }
        guard sent == text.utf8.count else { throw .current }
    }
}
