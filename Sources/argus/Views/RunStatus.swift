import ArgusCore
import ArgusEvents
import ArgusPush

/// The situation of a command that runs for long.
protocol RunStatus: Sendable {
    /// True if the command cannot do its work at the moment.
    var isDisturbed: Bool { get }

    /// True if what happens is known at once.
    var isLive: Bool { get }

    /// The connection to the server, or why there is none.
    func connection(in zone: TimeZoneRules, now: Timestamp) -> String

    /// What has come; `start` is the words for the time since when.
    func counts(since start: String?) -> String

    /// The last thing that came; nil while there is none.
    func last(in zone: TimeZoneRules, now: Timestamp) -> String?
}

extension RunStatus {
    /// The clauses for the service manager, the most important one first, safe for a terminal.
    func clauses(in zone: TimeZoneRules, now: Timestamp) -> [String] {
        [connection(in: zone, now: now), counts(since: nil), last(in: zone, now: now)]
            .compactMap(\.self).map(Sanitizer.visible)
    }

    /// The line on a terminal, and shorter ones for narrow terminals, safe for them.
    func lines(
        of server: String, since start: Timestamp, in zone: TimeZoneRules, now: Timestamp
    ) -> [String] {
        let connection = connection(in: zone, now: now)
        let counts = counts(since: start.briefText(in: zone, now: now))
        return [
            [connection, server, counts, "Ctrl-C ends"], [connection, server, counts],
            [connection, counts], [connection],
        ].map { Sanitizer.visible($0.joined(separator: " · ")) }
    }
}

/// The situation of a watch: its connections, what it has handed over, its last event.
struct WatchStatus: RunStatus {
    /// The situation of the watch on one server.
    struct Server {
        let name: String
        /// The pause between two requests to a server that announces nothing.
        let pause: Duration
        /// The events before the start of the watch are being read.
        var isCatchingUp = true
        /// The server announces events.
        var isAnnounced = false
        /// The first time without a usable answer; nil while the server answers.
        var unreachableSince: Timestamp?
        /// The server limits requests.
        var isRateLimited = false
        /// The server refuses for good.
        var hasEnded = false
        var gaps = 0

        var isDisturbed: Bool { unreachableSince != nil || isRateLimited || hasEnded }

        var isLive: Bool { isAnnounced && !isCatchingUp && !isDisturbed }

        func connection(in zone: TimeZoneRules, now: Timestamp) -> String {
            if hasEnded { return "not watched" }
            if let unreachableSince {
                return "reconnecting since \(unreachableSince.briefText(in: zone, now: now))"
            }
            if isRateLimited { return "limited by the server" }
            if isCatchingUp { return "catching up" }
            return isAnnounced ? "live" : "polling every \(DurationText.short(pause))"
        }
    }

    var servers: [Server]
    var events = 0
    /// The events that set off no alarm.
    var held: [AlarmHold.Reason: Int] = [:]
    private var last: (event: Event, server: String)?

    /// Makes the situation at the start of a watch on servers with these names.
    init(of names: [String], pause: Duration) {
        servers = names.map { Server(name: $0, pause: pause) }
    }

    /// Counts an event of the server at `index`.
    mutating func add(_ event: Event, of index: Int) {
        events += 1
        last = (event, servers[index].name)
    }

    var isDisturbed: Bool { servers.contains(where: \.isDisturbed) }

    var isLive: Bool { servers.allSatisfy(\.isLive) }

    /// The connection of all servers if it is the same, else those that are not live.
    func connection(in zone: TimeZoneRules, now: Timestamp) -> String {
        let texts = servers.map { (server: $0, text: $0.connection(in: zone, now: now)) }
        if let first = texts.first?.text, texts.allSatisfy({ $0.text == first }) { return first }
        return texts.filter { !$0.server.isLive }.map { "\($0.server.name): \($0.text)" }
            .joined(separator: ", ")
    }

    func counts(since start: String?) -> String {
        let since = start.map { " since \($0)" } ?? ""
        var counts =
            events == 0 ? "no events yet" : "\(events) event\(events == 1 ? "" : "s")\(since)"
        let gaps = servers.reduce(0) { $0 + $1.gaps }
        if gaps > 0 { counts += ", \(gaps) gap\(gaps == 1 ? "" : "s")" }
        if let muted = held[.muted] { counts += ", \(muted) muted" }
        if let others = held[.cooldown] { counts += ", \(others) in cooldown" }
        return counts
    }

    func last(in zone: TimeZoneRules, now: Timestamp) -> String? {
        guard let (event, server) = last else { return nil }
        let time = event.timestamp.map { $0.shortText(in: zone, now: now) + " " } ?? ""
        let place = servers.count > 1 ? "\(server), " : ""
        let camera = event.cameraName ?? event.cameraID ?? "-"
        return "last \(time)\(place)\(camera), \(event.type)"
    }
}

/// The situation of `push listen`: its address, what has come, its last notification.
struct ListenStatus: RunStatus {
    /// The address at which it listens; nil while it is not subscribed.
    var address: String?
    var unreachableSince: Timestamp?
    var count = 0
    var lastNotification: PushNotification?

    var isDisturbed: Bool { unreachableSince != nil }

    var isLive: Bool { address != nil && !isDisturbed }

    func connection(in zone: TimeZoneRules, now: Timestamp) -> String {
        guard let unreachableSince else {
            return address.map { "listening on \($0)" } ?? "subscribing"
        }
        let since = "unreachable since \(unreachableSince.briefText(in: zone, now: now))"
        return address.map { "listening on \($0), server \(since)" } ?? "server \(since)"
    }

    func counts(since start: String?) -> String {
        let since = start.map { " since \($0)" } ?? ""
        return count == 0 ? "no pushes yet" : "\(count) push\(count == 1 ? "" : "es")\(since)"
    }

    func last(in zone: TimeZoneRules, now: Timestamp) -> String? {
        guard let lastNotification else { return nil }
        let time = lastNotification.receivedAt.shortText(in: zone, now: now)
        return "last \(time) \(lastNotification.title ?? "-")"
    }
}

extension Timestamp {
    /// The time for a status line; that of the same day has no date.
    func shortText(in zone: TimeZoneRules, now: Timestamp) -> String {
        let (text, today) = (displayText(in: zone), now.displayText(in: zone))
        return String(text.prefix(10) == today.prefix(10) ? text.dropFirst(11) : text[...])
    }

    /// The time without seconds; that of the same day has no date.
    fileprivate func briefText(in zone: TimeZoneRules, now: Timestamp) -> String {
        String(shortText(in: zone, now: now).dropLast(3))
    }
}
