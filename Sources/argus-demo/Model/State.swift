/// Everything the server knows; routes change it under one lock.
struct State: Sendable {
    let settings: Settings
    let signer = TokenSigner()
    var accounts: Accounts
    var sessions = Sessions()
    var limiter = RateLimiter()
    var keys = APIKeys()
    var devices = Devices()
    var pairings = Pairings()
    var push = PushRegistrations()
    var cameras: [Camera]
    var events: EventStore
    var feedback: [Identifier: JSON] = [:]
    /// Events that `--churn` has made, a few of which are left at any time.
    var passing: [Identifier] = []
    static let mostPassing = 200
    /// What decides about the events that arrive.
    var chance: SeededGenerator
    /// Texts for everybody on the WebSocket, sent once the state is no longer locked.
    var outbox: [String] = []

    init(_ settings: Settings, now: Moment) {
        self.settings = settings
        var generator = SeededGenerator(seed: settings.seed)
        accounts = Accounts(&generator, now: now)
        cameras = Camera.house(settings, &generator, now: now)
        events = EventStore(cameras: cameras)
        History.fill(&events, with: settings.events, cameras: cameras, &generator, until: now)
        chance = generator
        if settings.api == .documented { pairings.showDashboardCode(now: now) }
    }

    /// Whether a limit lets a call through; everything passes while limits are off.
    mutating func admits(
        _ key: String, limit: Int, seconds: Int64, _ request: Request
    ) -> Bool {
        guard settings.limitsRates else { return true }
        return limiter.admits(key, limit: limit, seconds: seconds, now: request.now)
    }

    /// Removes a device and ends its tokens.
    mutating func removeDevice(at index: Int) {
        let id = devices.all[index].id
        _ = pairings.revoke { $0.deviceID == id }
        devices.remove(at: index)
    }

    /// Makes the answer that hands a paired device its tokens.
    mutating func grant(
        to user: User, on device: Identifier, now: Moment, _ others: JSON = [:]
    ) -> Answer {
        let tokens: JSON = [
            "access_token": .text(accessToken(for: user, now: now)),
            "refresh_token": .text(pairings.issue(to: device, user.id, now: now)),
        ]
        return .json(tokens.merging(others))
    }

    /// Makes a new access token for a user.
    func accessToken(for user: User, now: Moment) -> String {
        signer.sign(
            TokenSigner.Claims(
                subject: user.id.text, username: user.username,
                expires: now + settings.accessTokenLifetime, issued: now))
    }
}
