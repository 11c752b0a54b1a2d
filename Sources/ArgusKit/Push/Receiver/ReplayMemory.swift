/// The salts of the pushes that have come, each until its sender's proof expires (RFC 8188, section 2.1:
/// a salt is used once).
struct ReplayMemory {
    /// The most salts, about 5 MB.
    static let capacity = 100_000

    private var expiries: [UInt128: Timestamp] = [:]
    /// The number of salts at which expired ones are looked for.
    private var limit = 1024

    /// Remembers a salt of 16 bytes.
    ///
    /// - Throws: `PushRefusal` for one that is remembered, or if there are too many.
    mutating func insert(
        _ salt: [UInt8], until expiry: Timestamp, at now: Timestamp
    ) throws(PushRefusal) {
        let salt = salt.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        guard expiries[salt] == nil else { throw .replayed }
        if expiries.count >= limit {
            expiries = expiries.filter { $0.value > now }
            limit = min(max(1024, expiries.count * 2), Self.capacity)
            guard expiries.count < Self.capacity else { throw .tooMany }
        }
        expiries[salt] = expiry
    }
}
