import ArgusCore
import ArgusTransport

/// The header fields of a server's relays, read from the credential store at first use.
actor StoredRelayHeaders {
    private let record: ServerRecord
    private let store: AvailableStore
    private let leftOut: @Sendable ([String]) -> Void
    private var headers: RelayHeaders?

    /// `leftOut` receives the names of fields that are not sent.
    init(
        of record: ServerRecord, in store: AvailableStore,
        leftOut: @escaping @Sendable ([String]) -> Void
    ) {
        self.record = record
        self.store = store
        self.leftOut = leftOut
    }

    /// The fields for one relay.
    ///
    /// - Throws: `TransportError.unusableFile` if the store cannot be read.
    func fields(for relay: Origin) async throws(TransportError) -> [HTTPHeader] {
        if let headers { return headers[relay] }
        do throws(AccountError) {
            let kept = try await store.relayHeaders(of: record.id)
            let headers = kept.meaning(record.relays)
            // Another call may have read the store meanwhile.
            if self.headers == nil, !kept.leftOut.isEmpty { leftOut(kept.leftOut) }
            self.headers = headers
            return headers[relay]
        } catch {
            throw TransportError(
                .unusableFile, "the relay's header fields cannot be read: \(error)",
                nothingSent: true)
        }
    }
}
