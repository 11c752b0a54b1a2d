import ArgusAccount
import ArgusCore
import ArgusTransport

/// Everything outside the process that a command may touch; tests replace it.
struct SystemEnvironment: Sendable {
    var environment: Environment
    var paths: Paths
    var streams: Streams
    var now: @Sendable () -> Timestamp
    /// Waits; throws if the task is cancelled meanwhile.
    var sleep: @Sendable (Duration) async throws -> Void
    /// The time since the machine was started, asleep or not.
    var monotonic: @Sendable () -> Duration = { .sinceBoot() }
    var makeTransport: @Sendable (ProxySettings, TransferObservation?) -> any Transport
    /// The network that the machine is on now.
    var network: @Sendable () -> NetworkIdentity
    /// The same, after a lookup of gateways that the kernel does not know at the moment.
    var lookedUpNetwork: @Sendable () async -> NetworkIdentity
    /// The networks that this machine's interfaces are on.
    var link: @Sendable () -> LocalLink = { LocalLink.current() }
    /// The search for servers on these networks.
    var browser: any ServerBrowser = AvahiBrowser()
    /// The desktop's keyring, found through the environment.
    var keyring: @Sendable (Environment) -> any CredentialStore = { SecretServiceStore($0) }
    /// The identity of the machine and user in requests.
    var device: @Sendable () -> DeviceIdentity
    /// The id of the machine, to which sealed files are bound; nil if it has none.
    var machineID: @Sendable () throws(FileSystemError) -> Redacted<String>?
    /// What the user's terminal reports of itself about pictures, on request also about sixels.
    var graphics: @Sendable (_ asksForSixels: Bool) -> TerminalGraphics = {
        TerminalGraphics.current(asksForSixels: $0)
    }
    /// The absolute path of the working directory; nil if it was deleted.
    var workingFolder: @Sendable () -> String?

    /// Waits, or returns early when the task is cancelled.
    var pause: @Sendable (Duration) async -> Void {
        { duration in try? await sleep(duration) }
    }

    var clock: RunClock { RunClock(now: now, monotonic: monotonic, sleep: sleep) }

    /// The local time zone.
    var localZone: LocalZone { LocalZone.find(environment: environment.variables) }

    var connections: ConnectionEnvironment {
        ConnectionEnvironment(
            state: paths.state, makeTransport: makeTransport, network: network,
            lookedUpNetwork: lookedUpNetwork, link: link, browser: browser, now: now, sleep: sleep)
    }

    /// The real machine, with requests sent on the given thread.
    static func real(_ thread: CurlThread) -> SystemEnvironment {
        let environment = Environment.process
        return SystemEnvironment(
            environment: environment, paths: Paths(environment),
            streams: Streams(
                out: ByteSink(descriptor: 1), err: ByteSink(descriptor: 2),
                terminal: .detect(environment: environment.variables)),
            now: { Timestamp.current() },
            sleep: { duration in try await Task.sleep(for: duration) },
            makeTransport: { CurlTransport(on: thread, proxies: $0, observation: $1) },
            network: { NetworkIdentity.current() },
            lookedUpNetwork: { await NetworkIdentity.lookedUp() },
            device: { DeviceIdentity.current() },
            machineID: { () throws(FileSystemError) in try MachineID.read() },
            workingFolder: { WorkingFolder.path() })
    }
}
