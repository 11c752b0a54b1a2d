/// All data of the server; routes change it under one lock.
struct State: Sendable {
    let settings: Settings
    let startedAt: Moment
    let signer = TokenSigner()
    var accounts: Accounts
    var sessions = Sessions()
    /// The times of the calls that count towards a limit.
    private var calls: [String: [Moment]] = [:]
    /// The API keys; any user sees all of them.
    var keys: [APIKey] = []
    var devices = Devices()
    var pairings = Pairings()
    var push = PushRegistrations()
    var cameras: [Camera]
    var events: EventStore
    var feedback: [Identifier: JSON] = [:]
    /// The remaining events of `--churn`, 200 at most.
    var passing: [Identifier] = []
    /// The random numbers for new events.
    var chance: SeededGenerator
    /// The number of events that arrived by themselves.
    var arrivals = 0
    /// The events whose `alert_triggered` is set later, in the order of storing.
    var flips: [(id: Identifier, at: Moment)] = []
    var traffic: Traffic
    var rules: [AlertRule] = []
    /// What rules do later, in the order of storing.
    var alarms: [Alarm] = []
    var entities: Entities
    /// Webhooks to send, once the state is unlocked.
    var webhooks: [Alarm.Webhook] = []
    /// Messages for all WebSocket clients, sent once the state is unlocked.
    var outbox: [String] = []
    /// Lines of the event log, written once the state is unlocked.
    var journal: [JSON] = []

    init(_ settings: Settings, now: Moment) {
        self.settings = settings
        startedAt = now
        let known = settings.api == .current ? settings.entities : 0
        entities = Entities(known, seed: settings.seed, now: now)
        traffic = Traffic(strangers: settings.condition.askedPaths)
        var generator = SeededGenerator(seed: settings.seed)
        accounts = Accounts(&generator, now: now)
        cameras = Camera.generate(settings, &generator, now: now)
        events = EventStore(cameras: cameras)
        History.fill(&events, with: settings.events, cameras: cameras, &generator, until: now)
        let unreadable = min(settings.unreadable, events.rows.count)
        for number in 0..<unreadable {
            events.mark(at: (2 * number + 1) * events.rows.count / (2 * unreadable), .unreadable)
        }
        chance = generator
        for event in events.rows where known > 0 { entities.recognize(event) }
        if settings.alertsByRulesOnly {
            for index in events.rows.indices {
                events.change(at: index) { $0.marks.remove(.alert) }
            }
        }
        loseDescriptions()
        if settings.api == .documented { pairings.showDashboardCode(now: now) }
    }

    /// Refuses a call beyond the limit; accepts all while limits are off.
    mutating func limit(
        _ key: String, to limit: Int, in seconds: Int64, _ request: Request,
        or refusal: @autoclosure () -> Refusal
    ) throws(Refusal) {
        guard settings.limitsRates else { return }
        let recent = calls[key, default: []].filter { $0 + seconds > request.now }
        guard recent.count < limit else { throw refusal() }
        calls[key] = recent + [request.now]
    }

    mutating func removeDevice(at index: Int) {
        let id = devices.all[index].id
        _ = pairings.revoke { $0.deviceID == id }
        devices.all.remove(at: index)
    }

    /// Removes a confirmed pairing that meets a condition, and pairs its device.
    mutating func redeem(
        _ code: String, now: Moment, where isValid: (Pairing) -> Bool = { _ in true }
    ) -> (user: User, device: Identifier)? {
        guard let index = pairings.index(code: code, now: now),
            isValid(pairings.waiting[index]),
            let owner = pairings.waiting[index].confirmedBy, let user = accounts[id: owner]
        else { return nil }
        let pairing = pairings.waiting.remove(at: index)
        return (user, devices.pair(pairing, user.id, now: now))
    }

    /// Removes a device's valid refresh token and returns its owner.
    mutating func spend(
        _ token: String, of owner: String? = nil, now: Moment
    ) throws(Refusal) -> (user: User, device: Identifier) {
        let index = pairings.tokens.firstIndex {
            $0.token == token && $0.expiresAt > now && owner ?? $0.userID.text == $0.userID.text
        }
        guard let index, let user = accounts[id: pairings.tokens[index].userID] else {
            throw Refusal("Invalid or expired refresh token", status: 401)
        }
        return (user, pairings.tokens.remove(at: index).deviceID)
    }

    /// Makes the answer with the tokens of a paired device.
    mutating func grant(
        to user: User, on device: Identifier, now: Moment, _ others: JSON = [:]
    ) -> Answer {
        let tokens: JSON = [
            "access_token": .text(accessToken(for: user, now: now)),
            "refresh_token": .text(
                pairings.issueRefreshToken(for: device, user: user.id, now: now)),
        ]
        return .json(tokens.merging(others))
    }

    func accessToken(for user: User, now: Moment) -> String {
        signer.sign(
            TokenSigner.Claims(
                subject: user.id.text, username: user.username,
                expires: now + settings.accessTokenLifetime, issued: now))
    }
}
