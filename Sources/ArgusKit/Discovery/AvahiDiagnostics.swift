import Glibc

/// Finds out why the daemon is unreachable, which libavahi does not report.
enum AvahiDiagnostics {
    private static let busSocket = "/run/dbus/system_bus_socket"
    private static let processFile = "/run/avahi-daemon/pid"

    /// The reason, judged by the files of bus and daemon.
    static var reason: DiscoveryError {
        guard access(busSocket, F_OK) == 0 else { return .noBus("no \(busSocket)") }
        return isRunning ? .denied("it runs, but D-Bus does not lead to it") : .noDaemon
    }

    private static var isRunning: Bool {
        guard let number = text(of: processFile).flatMap({ Int($0) }) else { return false }
        return text(of: "/proc/\(number)/comm") == "avahi-daemon"
    }

    private static func text(of path: String) -> String? {
        guard let contents = try? FileContents(path, trust: .named, limit: 64) else { return nil }
        return String(decoding: contents.bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    }
}
