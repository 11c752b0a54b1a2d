import Glibc

/// Which way a server was last reached by, on each network; a file for each server.
///
/// ```json
/// {"version": 1, "networks": {"aa:bb:cc:dd:ee:ff wlan0": {"kind": "local",
///  "address": "https://home.example", "host": "192.168.1.5", "port": 8443,
///  "proved_at_us": 1795262400000000}}}
/// ```
package struct WayMemory: Sendable {
    /// A way as it is remembered; what it must prove stands in the server's record only.
    package struct Entry: Hashable, Sendable {
        package var kind: ServerWay.Kind
        package var address: String
        package var endpoint: Endpoint?
        package var provedAt: Timestamp

        package init(
            kind: ServerWay.Kind, address: String, endpoint: Endpoint?, provedAt: Timestamp
        ) {
            self.kind = kind
            self.address = address
            self.endpoint = endpoint
            self.provedAt = provedAt
        }

        /// Whether a target is the way that is remembered.
        func names(_ target: WayTarget) -> Bool {
            kind == target.kind && address == target.address.description
        }
    }

    /// The most networks that are remembered, the latest ones.
    private static let mostNetworks = 32
    private static let patience: Duration = .seconds(8)

    private let folder: String
    private let server: ServerID
    private let network: @Sendable () -> NetworkIdentity
    private let sleep: FileLock.Sleep

    /// The memory of a server; nil where nothing can be kept.
    ///
    /// `network` is asked when there is something to remember or to look up.
    package init?(
        _ place: Paths.Place, _ server: ServerID,
        on network: @escaping @Sendable () -> NetworkIdentity,
        sleep: @escaping FileLock.Sleep = { try await Task.sleep(for: $0) }
    ) {
        guard case .folder(let folder) = place else { return nil }
        self.folder = folder
        self.server = server
        self.network = network
        self.sleep = sleep
    }

    /// Whether this network can be told from others, by its gateway.
    package var knowsNetwork: Bool { key != nil }

    /// The MAC of the gateway and the interface: `aa:bb:cc:dd:ee:ff wlan0`.
    private var key: String? {
        network().gateways.lazy.compactMap { gateway in
            gateway.mac.map { "\($0) \(gateway.interface)" }
        }.first
    }

    /// What is remembered; a file that makes no sense remembers nothing.
    package var entry: Entry? {
        let entries = read()
        return entries.isEmpty ? nil : key.flatMap { entries[$0] }
    }

    /// Lets one process at a time decide; where no lock can be had, they decide each for itself.
    package func whileAlone<Value>(_ work: () async -> Value) async -> Value {
        let lock: FileLock?
        do throws(FileSystemError) {
            try PrivateFolder.prepare(folder)
            lock = try await FileLock(
                "\(folder)/ways-\(server.text).lock", patience: Self.patience, sleep: sleep)
        } catch {
            lock = nil
        }
        let value = await work()
        _ = consume lock
        return value
    }

    /// Keeps a way for this network; nil forgets it.
    ///
    /// Where nothing can be written, that only costs time.
    package func keep(_ entry: Entry?) {
        guard let key else { return }
        var entries = read()
        guard entries[key] != entry else { return }
        entries[key] = entry
        let latest = entries.sorted { $0.value.provedAt > $1.value.provedAt }
            .prefix(Self.mostNetworks)
        var networks = StateObject()
        for (name, entry) in latest { networks.put(name, entry.state) }
        var object = StateObject()
        object.put("version", .integer(1))
        object.put("networks", networks.value)
        do throws(FileSystemError) {
            try PrivateFolder.prepare(folder)
            try AtomicFile.write(
                object.value.document(.compact), to: path, for: .cache, replacing: true)
        } catch {
            return
        }
    }

    /// Forgets the ways of a server on all networks.
    package func erase() {
        unlink(path)
        unlink("\(folder)/ways-\(server.text).lock")
    }

    private var path: String { "\(folder)/ways-\(server.text).json" }

    private func read() -> [String: Entry] {
        guard let bytes = try? FileContents(path, trust: .state, limit: 1 << 20).bytes,
            let state = StateValue(parsing: bytes), var document = try? StateObject(state),
            let networks = document.take("networks"), case .object(let members) = networks
        else { return [:] }
        return members.compactMapValues { try? Entry(state: $0) }
    }
}

extension WayMemory.Entry {
    fileprivate init(state: StateValue) throws(StateUnreadable) {
        var object = try StateObject(state)
        kind = try ServerWay.Kind(rawValue: object.text("kind").required()).required()
        address = try object.text("address").required()
        provedAt = Timestamp(microseconds: try object.integer("proved_at_us").required())
        if let host = try object.text("host"), let port = try object.integer("port") {
            endpoint = Endpoint(address: host, port: try UInt16(exactly: port).required())
        }
    }

    fileprivate var state: StateValue {
        var object = StateObject()
        object.put("kind", .text(kind.rawValue))
        object.put("address", .text(address))
        object.put("host", endpoint.map { .text($0.address) })
        object.put("port", endpoint.map { .integer(Int64($0.port)) })
        object.put("proved_at_us", .integer(provedAt.microseconds))
        return object.value
    }
}
