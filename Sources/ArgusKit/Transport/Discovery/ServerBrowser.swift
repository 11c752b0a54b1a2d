/// The object of a search on the local network.
package enum DiscoveryTarget: Hashable, Sendable {
    /// The servers of ArgusAI, whose service type is `_argusai._tcp`.
    case servers
    /// The addresses of a host, such as `home.local`; the port is 0 and there is no TXT record.
    case host(String)
}

/// Browses the networks that this machine is on.
package protocol ServerBrowser: Sendable {
    /// Passes each answer to `take` once, as it comes.
    ///
    /// Ends when the time is up, `take` returns false, or the task is cancelled.
    /// - Throws: `DiscoveryError`: at once for most failures, but when the time is up if the daemon
    ///   does not answer or return. `take` has received every earlier answer.
    func browse(
        _ target: DiscoveryTarget, for duration: Duration,
        _ take: (DiscoveredServer) async -> Bool
    ) async throws(DiscoveryError)
}

/// The browser of the system's avahi-daemon.
package struct AvahiBrowser: ServerBrowser {
    package init() {}

    package func browse(
        _ target: DiscoveryTarget, for duration: Duration,
        _ take: (DiscoveredServer) async -> Bool
    ) async throws(DiscoveryError) {
        let run = AvahiRun()
        // A separate timer: a daemon that hangs blocks its thread, but not the caller.
        let failure = await withTaskGroup(of: Void.self) { group -> DiscoveryError? in
            group.addTask {
                try? await Task.sleep(for: duration)
                run.stop()
            }
            defer {
                run.stop()
                group.cancelAll()
            }
            startAvahiThread(run, target)
            var seen: Set<DiscoveredServer> = []
            for await event in run.events {
                switch event {
                case .found(let server):
                    guard seen.insert(server).inserted else { continue }
                    if await !take(server) { return nil }
                case .failed(let error): return error
                }
            }
            return switch run.daemon {
            case .answering: nil
            case .lost: .daemonLost
            case .unknown: .noAnswer
            }
        }
        if let failure { throw failure }
    }
}
