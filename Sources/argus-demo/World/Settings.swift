/// A generation of the ArgusAI API.
enum Generation: String, Sendable, CaseIterable {
    /// The server that people run today.
    case current
    /// The mobile API file.
    case mobile
    /// The routes of the design documents.
    case documented
}

/// What the world is made from and how it behaves.
struct Settings: Sendable {
    var api = Generation.current
    var cameras = 6
    /// Whether every camera is on and within reach.
    var isAllOnline = false
    var events = 240
    var seed: UInt64 = 1
    /// Seconds that an access token lives; nil for the generation's own time.
    var tokenLifetime: Int64?
    var limitsRates = true

    /// Seconds that an access token lives.
    var accessTokenLifetime: Int64 { tokenLifetime ?? (api == .mobile ? 3600 : 86_400) }
}
