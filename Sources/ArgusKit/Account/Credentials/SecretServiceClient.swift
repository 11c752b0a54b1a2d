import ArgusCore
import CSecret
import Glibc

/// The blocking calls to a keyring; the cancellation ends every call.
///
/// Nothing here unlocks, prompts or starts anything: each call checks first whether the next one
/// would.
struct SecretServiceClient {
    /// The reason why the keyring gave no answer.
    enum Problem: Error {
        case locked
        case failed(String)
        /// No answer came before the time limit.
        case silent
    }

    private typealias Failing = UnsafeMutablePointer<UnsafeMutablePointer<argus_gerror>?>

    private let library: SecretLibrary
    private let cancellation: SecretCancellation

    // Constants of libsecret and GIO (SecretSearchFlags, GBusType).
    private static let searchesAll: Int32 = 1 << 1
    private static let loadsSecrets: Int32 = 1 << 3
    private static let sessionBus: Int32 = 2

    init(_ library: SecretLibrary, _ cancellation: SecretCancellation) {
        self.library = library
        self.cancellation = cancellation
    }

    func read(_ key: CredentialKey) throws(Problem) -> Redacted<[UInt8]>? {
        let service = try service()
        defer { library.releaseObject(service) }
        let attributes = SecretAttributes(of: key, library)
        let items = try search(service, attributes, Self.loadsSecrets)
        defer { items.forEach { library.releaseObject($0) } }
        guard let item = items.first else {
            // A locked keyring may hide its items, so an empty result proves no absence.
            try checkLock(of: try defaultKeyring(service))
            return nil
        }
        guard library.isItemLocked(item) == 0 else { throw .locked }
        guard let value = library.secretOfItem(item) else {
            throw .failed("it returned no secret")
        }
        defer { library.releaseValue(value) }
        var count = 0
        guard let start = library.bytesOfValue(value, &count) else { return Redacted([]) }
        return Redacted(Array(UnsafeRawBufferPointer(start: start, count: count)))
    }

    func write(_ value: Redacted<[UInt8]>, for key: CredentialKey) throws(Problem) {
        let service = try service()
        defer { library.releaseObject(service) }
        // Storing would prompt the user to create or unlock a keyring.
        guard let keyring = try defaultKeyring(service) else {
            throw .failed("it has no default keyring; make one on the desktop")
        }
        try checkLock(of: keyring)
        let attributes = SecretAttributes(of: key, library)
        let secret = value.reveal().withUnsafeBytes { bytes in
            library.newValue(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, "text/plain")
        }
        guard let secret else { throw .failed("it does not accept the secret") }
        defer { library.releaseValue(secret) }
        let isStored = try checking { error in
            library.store(
                service, nil, attributes.table, "default",
                "argus: \(key.item.rawValue) of server \(key.server.text)", secret,
                cancellation.handle, error)
        }
        guard isStored != 0 else { throw .failed("it did not store the secret") }
    }

    func erase(_ key: CredentialKey) throws(Problem) {
        let service = try service()
        defer { library.releaseObject(service) }
        let attributes = SecretAttributes(of: key, library)
        let items = try search(service, attributes, Self.searchesAll)
        defer { items.forEach { library.releaseObject($0) } }
        guard !items.isEmpty else { return try checkLock(of: try defaultKeyring(service)) }
        // Clearing silently skips locked items.
        guard items.allSatisfy({ library.isItemLocked($0) == 0 }) else { throw .locked }
        _ = try checking { error in
            library.clear(service, nil, attributes.table, cancellation.handle, error)
        }
    }

    /// The running service; one that would have to be started counts as absent.
    private func service() throws(Problem) -> UnsafeMutableRawPointer {
        guard
            let bus = try checking({ library.bus(Self.sessionBus, cancellation.handle, $0) })
        else { throw .failed("there is no session bus") }
        defer { library.releaseObject(bus) }
        // By default GIO ends the process with the bus.
        library.setExitOnClose(bus, 0)
        guard try hasOwner("org.freedesktop.secrets", on: bus),
            let service = try checking({ library.service(0, cancellation.handle, $0) })
        else { throw .failed("no keyring runs on the session bus") }
        return service
    }

    /// True if a name on the bus has an owner (D-Bus specification, NameHasOwner).
    private func hasOwner(
        _ name: String, on bus: UnsafeMutableRawPointer
    ) throws(Problem) -> Bool {
        var parameters = library.newString(name)
        let tuple = library.newTuple(&parameters, 1)
        let answer = try checking { error in
            library.call(
                bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                "NameHasOwner", tuple, nil, 0, -1, cancellation.handle, error)
        }
        guard let answer else { return false }
        defer { library.releaseVariant(answer) }
        guard let value = library.child(answer, 0) else { return false }
        defer { library.releaseVariant(value) }
        return library.boolean(value) != 0
    }

    private func search(
        _ service: UnsafeMutableRawPointer, _ attributes: SecretAttributes, _ flags: Int32
    ) throws(Problem) -> [UnsafeMutableRawPointer] {
        let list = try checking { error in
            library.search(service, nil, attributes.table, flags, cancellation.handle, error)
        }
        var items: [UnsafeMutableRawPointer] = []
        var next = list
        while let entry = next {
            if let item = entry.pointee.data { items.append(item) }
            next = entry.pointee.next
        }
        library.freeList(list)
        return items
    }

    /// The keyring for new secrets; nil if there is none.
    private func defaultKeyring(
        _ service: UnsafeMutableRawPointer
    ) throws(Problem) -> UnsafeMutableRawPointer? {
        try checking { library.collection(service, "default", 0, cancellation.handle, $0) }
    }

    /// Releases a keyring, and throws if it is locked.
    private func checkLock(of keyring: UnsafeMutableRawPointer?) throws(Problem) {
        guard let keyring else { return }
        defer { library.releaseObject(keyring) }
        guard library.isCollectionLocked(keyring) == 0 else { throw .locked }
    }

    /// Makes a call that reports its failure through a GError.
    private func checking<Value>(_ call: (Failing) -> Value) throws(Problem) -> Value {
        var error: UnsafeMutablePointer<argus_gerror>?
        let value = call(&error)
        guard let error else { return value }
        defer { library.freeError(error) }
        throw .failed(error.pointee.message.map { String(cString: $0) } ?? "no reason given")
    }
}

/// Cancels the calls of a client from another thread.
final class SecretCancellation: @unchecked Sendable {
    // Unchecked because of the pointer: a GCancellable is thread-safe (GIO's documentation) and
    // lives as long as this object, which every user of it holds.
    let handle: UnsafeMutableRawPointer?
    private let library: SecretLibrary

    init(_ library: SecretLibrary) {
        self.library = library
        handle = library.newCancellable()
    }

    deinit { if let handle { library.releaseObject(handle) } }

    func cancel() { if let handle { library.cancel(handle) } }
}

/// The search attributes of a secret, as a table of C strings that it owns.
private final class SecretAttributes {
    let table: UnsafeMutableRawPointer?
    private let words: [UnsafeMutablePointer<CChar>?]
    private let library: SecretLibrary

    init(of key: CredentialKey, _ library: SecretLibrary) {
        self.library = library
        table = library.newTable(library.stringHash, library.stringEqual)
        let pairs = [
            ("application", "argus"), ("server", key.server.text), ("item", key.item.rawValue),
        ]
        words = pairs.flatMap { [strdup($0.0), strdup($0.1)] }
        for index in stride(from: 0, to: words.count, by: 2) {
            _ = library.insert(table, words[index], words[index + 1])
        }
    }

    deinit {
        library.releaseTable(table)
        for word in words { free(word) }
    }
}
