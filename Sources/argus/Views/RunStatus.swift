import ArgusCore
import ArgusEvents
import ArgusPush

/// The situation of a command that runs for long.
protocol RunStatus: Sendable {
    /// The clauses of a line, the most important one first, safe for a terminal.
    func clauses(in zone: TimeZoneRules, now: Timestamp) -> [String]

    /// True if the command cannot do its work at the moment.
    var isDisturbed: Bool { get }

    /// The first time without a usable answer; nil while the server answers.
    var unreachableSince: Timestamp? { get set }
}

/// The situation of a watch: its connection, what it has handed over, its last event.
struct WatchStatus: RunStatus {
    /// The pause between two requests to a server that announces nothing.
    let pause: Duration
    /// The server announces events.
    var isLive = false
    var unreachableSince: Timestamp?
    /// The server limits requests.
    var isRateLimited = false
    var events = 0
    var gaps = 0
    var last: Event?

    func clauses(in zone: TimeZoneRules, now: Timestamp) -> [String] {
        var counts = events == 0 ? "no events yet" : "\(events) event\(events == 1 ? "" : "s")"
        if gaps > 0 { counts += ", \(gaps) gap\(gaps == 1 ? "" : "s")" }
        var clauses = [connection(in: zone, now: now), counts]
        if let last {
            let time = last.timestamp.map { $0.shortText(in: zone, now: now) + " " } ?? ""
            let camera = last.cameraName ?? last.cameraID ?? "-"
            clauses.append("last \(time)\(camera), \(last.type)")
        }
        return clauses.map(Sanitizer.visible)
    }

    var isDisturbed: Bool { unreachableSince != nil || isRateLimited }

    private func connection(in zone: TimeZoneRules, now: Timestamp) -> String {
        if let unreachableSince {
            return "reconnecting since \(unreachableSince.shortText(in: zone, now: now))"
        }
        if isRateLimited { return "limited by the server" }
        return isLive ? "live" : "every \(DurationText.short(pause))"
    }
}

/// The situation of `push listen`: its address, what has come, its last notification.
struct ListenStatus: RunStatus {
    /// The address at which it listens; nil while it is not subscribed.
    var address: String?
    var unreachableSince: Timestamp?
    var count = 0
    var last: PushNotification?

    func clauses(in zone: TimeZoneRules, now: Timestamp) -> [String] {
        var clauses = [connection(in: zone, now: now)]
        clauses.append(count == 0 ? "no pushes yet" : "\(count) push\(count == 1 ? "" : "es")")
        if let last {
            let time = last.receivedAt.shortText(in: zone, now: now)
            clauses.append("last \(time) \(last.title ?? "-")")
        }
        return clauses.map(Sanitizer.visible)
    }

    var isDisturbed: Bool { unreachableSince != nil }

    private func connection(in zone: TimeZoneRules, now: Timestamp) -> String {
        guard let unreachableSince else {
            return address.map { "listening on \($0)" } ?? "subscribing"
        }
        let since = "unreachable since \(unreachableSince.shortText(in: zone, now: now))"
        return address.map { "listening on \($0), server \(since)" } ?? "server \(since)"
    }
}

extension Timestamp {
    /// The time for a status line; that of the same day has no date.
    func shortText(in zone: TimeZoneRules, now: Timestamp) -> String {
        let (text, today) = (displayText(in: zone), now.displayText(in: zone))
        return String(text.prefix(10) == today.prefix(10) ? text.dropFirst(11) : text[...])
    }
}
