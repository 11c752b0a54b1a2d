import ArgusCore
import Glibc

/// The reason why the network could not be searched.
package enum DiscoveryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libavahi-client is not installed, or is too old.
    case libraryMissing(String)
    /// There is no D-Bus system bus.
    case noBus(String)
    case noDaemon
    /// The bus or the daemon accepts the query and does not answer.
    case noAnswer
    /// The bus or the daemon denies this user the query.
    case denied(String)
    /// The daemon stopped during the search and did not return in time.
    case daemonLost
    /// Any other error of libavahi.
    case failed(String)

    /// The failure, worded for an error message.
    package var description: String {
        switch self {
        case .libraryMissing(let reason): "cannot search the network: \(reason)"
        case .noBus(let reason):
            "cannot search the network: there is no D-Bus system bus (\(reason))"
        case .noDaemon: "cannot search the network: the avahi-daemon does not run"
        case .noAnswer: "cannot search the network: the avahi-daemon does not answer"
        case .denied(let reason):
            "cannot search the network: no access to the avahi-daemon (\(reason))"
        case .daemonLost: "the avahi-daemon stopped while the network was searched"
        case .failed(let reason): "cannot search the network: \(reason)"
        }
    }

    /// Advice to the user; nil if the failure says what to do.
    package var remedy: String? {
        switch self {
        case .libraryMissing: nil
        case .noBus: "start D-Bus and the avahi-daemon (Debian: packages dbus and avahi-daemon)"
        case .noDaemon, .daemonLost:
            "start it: systemctl start avahi-daemon (Debian: package avahi-daemon)"
        case .noAnswer: "restart it: systemctl restart avahi-daemon"
        case .denied:
            "allow this user in the D-Bus policy of org.freedesktop.Avahi, and enable-dbus in "
                + "avahi-daemon.conf"
        case .failed: "'avahi-browse -r _argusai._tcp' may show more"
        }
    }
}

extension DiscoveryError {
    /// The reason why the daemon is unreachable, judged by the files of bus and daemon, since libavahi
    /// does not report it.
    static var unreachableDaemon: DiscoveryError {
        func word(in path: String) -> Substring { FileContents.text(of: path).prefix { $0 > " " } }
        let bus = "/run/dbus/system_bus_socket"
        guard access(bus, F_OK) == 0 else { return .noBus("no \(bus)") }
        guard let number = Int(word(in: "/run/avahi-daemon/pid")),
            word(in: "/proc/\(number)/comm") == "avahi-daemon"
        else { return .noDaemon }
        return .denied("it runs, but D-Bus does not lead to it")
    }
}
