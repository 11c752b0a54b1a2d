/// A generation of the ArgusAI API.
enum Generation: String, Sendable, CaseIterable {
    /// The server in use today.
    case current
    /// The mobile API file.
    case mobile
    /// The routes of the design documents.
    case documented
}

/// What the server keeps its tables in, which decides whether devices can renew (backend-facts 3).
enum Database: String, Sendable {
    /// The default: every renewal of a device fails.
    case sqlite
    /// As designed: rotation, and 30 s in which the old token gets another access token.
    case postgres
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
    var database = Database.sqlite
    /// Whether a refresh token that is used twice ends its sign-in; then there is no grace either.
    var detectsReuse = false
    /// Whether tokens are handed out and taken in cookies only.
    var usesCookiesOnly = false

    /// Seconds that an access token lives.
    var accessTokenLifetime: Int64 { tokenLifetime ?? (api == .mobile ? 3600 : 86_400) }
}
