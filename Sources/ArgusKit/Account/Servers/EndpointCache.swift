package import ArgusCore
package import ArgusTransport
import Glibc

/// The endpoint that last worked on each network, in a file for each server.
///
/// A network is identified by interface and MAC of its gateway or, without one (no default route, a
/// tunnel, IPv6 only), by this machine's addresses, for an hour only: many networks share them. A
/// wrong entry costs a connection, never a credential.
///
/// ```json
/// {"version": 1, "networks": {"aa:bb:cc:dd:ee:ff wlan0": {"kind": "local",
///  "address": "https://home.example", "host": "192.168.1.5", "port": 8443,
///  "proved_at_us": 1795262400000000}}}
/// ```
package struct EndpointCache: Sendable {
    /// A remembered endpoint; its proof is only in the server's record.
    package struct Entry: Hashable, Sendable {
        var kind: Endpoint.Kind
        var address: String
        var socketAddress: SocketAddress?
        package var provedAt: Timestamp
    }

    /// The lifetime of an entry that nothing would correct.
    private static let briefLife: Duration = .seconds(3600)

    private let folder: Paths.Folder
    private let file: StateFile<Networks>
    private let server: ServerID
    private let network: @Sendable () -> NetworkIdentity
    private let link: @Sendable () -> LocalLink

    /// Opens the cache of a server; nil if there is no state folder.
    ///
    /// `network` is read only when needed, and `link` only if it has no gateway.
    package init?(
        _ folder: Paths.Folder, _ server: ServerID,
        on network: @escaping @Sendable () -> NetworkIdentity,
        link: @escaping @Sendable () -> LocalLink
    ) {
        guard let path = folder.file("ways-\(server.text).json") else { return nil }
        self.folder = folder
        file = StateFile(path, for: .cache)
        self.server = server
        self.network = network
        self.link = link
    }

    /// The key of this network: `aa:bb:cc:dd:ee:ff wlan0`, or `- tun0 0a080002/24` without a gateway.
    private var here: (key: String, hasGateway: Bool) {
        let gateways = network().gateways.lazy.compactMap { gateway in
            gateway.mac.map { "\($0) \(gateway.interface)" }
        }
        return gateways.first.map { ($0, true) } ?? ("- \(link())", false)
    }

    /// The entry for this network; nil if there is none or the file is damaged.
    ///
    /// A relay is remembered for an hour: it works everywhere, so that no failure would ever bring
    /// the local endpoint back.
    package func entry(at now: Timestamp) -> Entry? {
        guard let entries = file.value?.entries, !entries.isEmpty else { return nil }
        let here = here
        guard let entry = entries[here.key] else { return nil }
        if entry.kind == .local, here.hasGateway { return entry }
        return Duration.zero..<Self.briefLife ~= now - entry.provedAt ? entry : nil
    }

    /// Lets one process at a time select an endpoint; without a lock, each selects for itself.
    package func withSelectionLock<Value>(_ work: () async -> Value) async -> Value {
        await folder.withLock("ways-\(server.text).lock", timeout: .seconds(8), work)
    }

    /// Stores the entry for this network, nil to remove it; ignores a failure, which only costs time.
    package func keep(_ entry: Entry?) {
        let key = here.key
        var networks = file.value ?? Networks()
        guard networks.entries[key] != entry else { return }
        networks.entries[key] = entry
        try? file.write(networks)
    }

    /// Removes the entries of a server for all networks.
    package func erase() {
        unlink(file.path)
        if let path = folder.file("ways-\(server.text).lock") { unlink(path) }
    }
}

/// The latest entries, by network.
private struct Networks: StateDocument {
    private static let limit = 32

    var entries: [String: EndpointCache.Entry] = [:]

    init() {}

    init(state: JSONValue) throws(StateUnreadable) {
        var document = try JSONObject(document: state)
        let networks = try JSONObject(document.take("networks").required())
        entries = networks.rest.compactMapValues { try? EndpointCache.Entry(state: $0) }
    }

    var state: JSONValue {
        let latest = entries.sorted { $0.value.provedAt > $1.value.provedAt }.prefix(Self.limit)
        var networks = JSONObject()
        for (name, entry) in latest { networks.put(name, entry.state) }
        var document = JSONObject.document()
        document.put("networks", networks.value)
        return document.value
    }
}

extension EndpointCache.Entry {
    fileprivate init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        kind = try Endpoint.Kind(rawValue: object.text("kind").required()).required()
        address = try object.text("address").required()
        provedAt = try object.time(microseconds: "proved_at_us").required()
        if let host = try object.text("host"), let port = try object.integer("port") {
            socketAddress = SocketAddress(address: host, port: try UInt16(exactly: port).required())
        }
    }

    fileprivate var state: JSONValue {
        var object = JSONObject()
        object.put("kind", kind.rawValue)
        object.put("address", address)
        object.put("host", socketAddress?.address)
        object.put("port", socketAddress.map { .integer(Int64($0.port)) })
        object.put("proved_at_us", microseconds: provedAt)
        return object.value
    }
}
