package import ArgusCore
import ArgusTransport
import Glibc

/// The endpoint at which a server last proved its identity, in a file for each server.
///
/// A wrong entry costs a failed connection, never a credential.
///
/// ```json
/// {"version": 1, "kind": "local", "address": "https://home.example", "host": "192.168.1.5",
///  "port": 8443, "proved_at_us": 1795262400000000}
/// ```
package struct EndpointCache: Sendable {
    /// A remembered endpoint; its proof is only in the server's record.
    package struct Entry: Hashable, Sendable {
        var kind: Endpoint.Kind
        var address: String
        var socketAddress: SocketAddress?
        package var provedAt: Timestamp
    }

    /// The lifetime of a relay's entry.
    private static let relayLifetime: Duration = .seconds(600)

    private let folder: Paths.Folder
    private let file: StateFile<Entry>
    private let server: ServerID

    /// Opens the cache of a server; nil if there is no state folder.
    package init?(_ folder: Paths.Folder, _ server: ServerID) {
        guard let path = folder.file("ways-\(server.text).json") else { return nil }
        self.folder = folder
        file = StateFile(path, for: .cache)
        self.server = server
    }

    /// The entry; nil if there is none or the file is damaged.
    package func entry(at now: Timestamp) -> Entry? {
        guard let entry = file.value else { return nil }
        switch entry.kind {
        case .local: return entry
        // A relay works everywhere, so that no failure would ever bring the local endpoint back.
        case .relay:
            return Duration.zero..<Self.relayLifetime ~= now - entry.provedAt ? entry : nil
        }
    }

    /// Lets one process at a time select an endpoint; without a lock, each selects for itself.
    package func withSelectionLock<Value>(_ work: () async -> Value) async -> Value {
        await folder.withLock("ways-\(server.text).lock", timeout: .seconds(8), work)
    }

    /// Replaces the entry; ignores a failure, which only costs time.
    package func keep(_ entry: Entry) {
        if file.value != entry { try? file.write(entry) }
    }

    /// Removes the entry.
    package func forget() { unlink(file.path) }

    /// Removes all files of the cache.
    package func erase() {
        forget()
        if let path = folder.file("ways-\(server.text).lock") { unlink(path) }
    }
}

extension EndpointCache.Entry: StateDocument {
    package init(state: JSONValue) throws(StateUnreadable) {
        var document = try JSONObject(document: state)
        kind = try Endpoint.Kind(rawValue: document.text("kind").required()).required()
        address = try document.text("address").required()
        provedAt = try document.time(microseconds: "proved_at_us").required()
        if let host = try document.text("host"), let port = try document.integer("port") {
            socketAddress = SocketAddress(address: host, port: try UInt16(exactly: port).required())
        }
    }

    package var state: JSONValue {
        var document = JSONObject.document()
        document.put("kind", kind.rawValue)
        document.put("address", address)
        document.put("host", socketAddress?.address)
        document.put("port", socketAddress.map { .integer(Int64($0.port)) })
        document.put("proved_at_us", microseconds: provedAt)
        return document.value
    }
}
