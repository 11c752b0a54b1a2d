/// A generation of the ArgusAI API.
enum Generation: String, Sendable, CaseIterable {
    /// Today's server.
    case current
    /// The mobile API file.
    case mobile
    /// The routes of the design documents.
    case documented
}

/// The server's database, which decides if devices can renew tokens.
enum Database: String, Sendable, CaseIterable {
    /// The default, on which the server fails whenever a device renews its tokens.
    case sqlite
    /// Renewal as designed: rotation, and 30 s in which the old token gets another access token.
    case postgres
}

/// The data and the behaviour of the server.
struct Settings: Sendable {
    var api = Generation.current
    var cameras = 6
    /// True if every camera is enabled and reachable.
    var isAllOnline = false
    var events = 240
    /// The number of past events for which the server fails.
    var unreadable = 0
    var seed: UInt64 = 1
    /// The number of people and vehicles that the server recognises.
    var entities = 5
    /// True if only rules set `alert_triggered`, as on the real server.
    var alertsByRulesOnly = false
    /// The lifetime of access tokens in seconds; nil for the generation's default.
    var tokenLifetime: Int64?
    /// The seconds by which the `Date` of answers is ahead of the clock.
    var clockOffset: Int64 = 0
    var limitsRates = true
    var database = Database.sqlite
    /// True if a refresh token that is used twice ends its sign-in, without a grace period.
    var detectsReuse = false
    var usesCookiesOnly = false

    var mishaps = Mishaps()
    var condition = Condition()

    var accessTokenLifetime: Int64 { tokenLifetime ?? (api == .mobile ? 3600 : 86_400) }
}

/// The mishaps of new events before they are listed, each in percent of all events.
struct Mishaps: Sendable {
    /// Stored long after their capture: most by up to an hour, some by up to 25 hours.
    var late = 0
    /// Captured by a clock that is up to a day ahead.
    var future = 0
    /// Not announced to WebSocket clients, as those of RTSP and USB cameras.
    var unannounced = 0
    /// Given `alert_triggered` some seconds after they were stored.
    var flips = 0
}
