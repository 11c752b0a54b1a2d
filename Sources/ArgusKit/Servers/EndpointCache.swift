import Glibc

/// Which way a server was last reached by, on each network; a file for each server.
///
/// A network is known by the MAC of its gateway and the interface. Where there is no such gateway
/// (no default route, a tunnel, IPv6 only), this machine's own addresses stand in, for an hour:
/// they are the same in many networks. A wrong guess costs a connection, never a credential.
///
/// ```json
/// {"version": 1, "networks": {"aa:bb:cc:dd:ee:ff wlan0": {"kind": "local",
///  "address": "https://home.example", "host": "192.168.1.5", "port": 8443,
///  "proved_at_us": 1795262400000000}}}
/// ```
package struct EndpointCache: Sendable {
    /// A way as it is remembered; what it must prove stands in the server's record only.
    package struct Entry: Hashable, Sendable {
        package var kind: Endpoint.Kind
        package var address: String
        package var socketAddress: SocketAddress?
        package var provedAt: Timestamp

        package init(
            kind: Endpoint.Kind, address: String, socketAddress: SocketAddress?, provedAt: Timestamp
        ) {
            self.kind = kind
            self.address = address
            self.socketAddress = socketAddress
            self.provedAt = provedAt
        }

        /// Whether a target is the way that is remembered.
        func names(_ target: EndpointTarget) -> Bool {
            kind == target.kind && address == target.address.description
        }
    }

    private static let timeout: Duration = .seconds(8)
    /// How long a memory lasts that nothing would correct.
    private static let briefLife: Duration = .seconds(3600)

    private let place: Paths.Place
    private let file: StateFile<Networks>
    private let server: ServerID
    private let network: @Sendable () -> NetworkIdentity
    private let link: @Sendable () -> LocalLink
    private let sleep: FileLock.Sleep

    /// The memory of a server; nil where nothing can be kept.
    ///
    /// `network` is asked when there is something to remember or to look up, and `link` where that
    /// names no gateway.
    package init?(
        _ place: Paths.Place, _ server: ServerID,
        on network: @escaping @Sendable () -> NetworkIdentity,
        link: @escaping @Sendable () -> LocalLink,
        sleep: @escaping FileLock.Sleep = { try await Task.sleep(for: $0) }
    ) {
        guard let path = place.file("ways-\(server.text).json") else { return nil }
        self.place = place
        file = StateFile(path, for: .cache)
        self.server = server
        self.network = network
        self.link = link
        self.sleep = sleep
    }

    /// What this network is remembered by.
    private struct Network {
        /// `aa:bb:cc:dd:ee:ff wlan0`, or `- tun0 10.8.0.2/24` where there is no gateway to know.
        var key: String
        var hasGateway: Bool
    }

    private var here: Network {
        let gateways = network().gateways.lazy.compactMap { gateway in
            gateway.mac.map { "\($0) \(gateway.interface)" }
        }
        if let key = gateways.first { return Network(key: key, hasGateway: true) }
        return Network(key: "- \(link())", hasGateway: false)
    }

    /// What is remembered for this network at a moment; a file that makes no sense remembers nothing.
    ///
    /// A relay is remembered for an hour: it works everywhere, so nothing else would ever tell that
    /// the way at home is back.
    package func entry(at now: Timestamp) -> Entry? {
        guard let entries = file.value?.entries, !entries.isEmpty else { return nil }
        let here = here
        guard let entry = entries[here.key] else { return nil }
        if entry.kind == .local, here.hasGateway { return entry }
        return Duration.zero..<Self.briefLife ~= now - entry.provedAt ? entry : nil
    }

    /// Lets one process at a time decide; where no lock can be had, they decide each for itself.
    package func whileAlone<Value>(_ work: () async -> Value) async -> Value {
        await place.withLock(
            "ways-\(server.text).lock", timeout: Self.timeout, sleep: sleep, work)
    }

    /// Keeps a way for this network; nil forgets it.
    ///
    /// Where nothing can be written, that only costs time.
    package func keep(_ entry: Entry?) {
        let key = here.key
        var networks = file.value ?? Networks()
        guard networks.entries[key] != entry else { return }
        networks.entries[key] = entry
        try? file.write(networks)
    }

    /// Forgets the ways of a server on all networks.
    package func erase() {
        unlink(file.path)
        if let path = place.file("ways-\(server.text).lock") { unlink(path) }
    }
}

/// The document of the file: the latest entries, by network.
private struct Networks: StateDocument {
    /// The most networks that are remembered.
    private static let limit = 32

    var entries: [String: EndpointCache.Entry] = [:]

    init() {}

    init(state: JSONValue) throws(StateUnreadable) {
        var document = try JSONObject(state)
        let networks = try JSONObject(document.take("networks").required())
        entries = networks.rest.compactMapValues { try? EndpointCache.Entry(state: $0) }
    }

    var state: JSONValue {
        let latest = entries.sorted { $0.value.provedAt > $1.value.provedAt }.prefix(Self.limit)
        var networks = JSONObject()
        for (name, entry) in latest { networks.put(name, entry.state) }
        var document = JSONObject()
        document.put("version", .integer(1))
        document.put("networks", networks.value)
        return document.value
    }
}

extension EndpointCache.Entry {
    fileprivate init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        kind = try Endpoint.Kind(rawValue: object.text("kind").required()).required()
        address = try object.text("address").required()
        provedAt = Timestamp(microseconds: try object.integer("proved_at_us").required())
        if let host = try object.text("host"), let port = try object.integer("port") {
            socketAddress = SocketAddress(address: host, port: try UInt16(exactly: port).required())
        }
    }

    fileprivate var state: JSONValue {
        var object = JSONObject()
        object.put("kind", .text(kind.rawValue))
        object.put("address", .text(address))
        object.put("host", socketAddress.map { .text($0.address) })
        object.put("port", socketAddress.map { .integer(Int64($0.port)) })
        object.put("proved_at_us", .integer(provedAt.microseconds))
        return object.value
    }
}
