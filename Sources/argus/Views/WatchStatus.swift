import ArgusKit

/// The situation of a watch: its connection, what it has handed over, its last event.
struct WatchStatus: Sendable {
    /// The pause between two requests to a server that announces nothing.
    let pause: Duration
    /// The server announces events.
    var isLive = false
    /// The first time without a usable answer; nil while the server answers.
    var unreachableSince: Timestamp?
    /// The server limits requests.
    var isLimited = false
    var events = 0
    var gaps = 0
    var last: Event?

    /// The clauses of a line, the most important one first; a time of the same day has no date.
    func clauses(in zone: TimeZoneRules, now: Timestamp) -> [String] {
        var counts = events == 0 ? "no events yet" : "\(events) event\(events == 1 ? "" : "s")"
        if gaps > 0 { counts += ", \(gaps) gap\(gaps == 1 ? "" : "s")" }
        var clauses = [connection(in: zone, now: now), counts]
        if let last {
            let time = last.timestamp.map { text(of: $0, in: zone, now: now) + " " } ?? ""
            let camera = last.cameraName ?? last.cameraID ?? "-"
            clauses.append("last \(time)\(camera), \(last.type)")
        }
        return clauses.map(Sanitizer.visible)
    }

    /// True if nothing can be read at the moment.
    var isDisturbed: Bool { unreachableSince != nil || isLimited }

    private func connection(in zone: TimeZoneRules, now: Timestamp) -> String {
        if let unreachableSince {
            return "reconnecting since \(text(of: unreachableSince, in: zone, now: now))"
        }
        if isLimited { return "limited by the server" }
        return isLive ? "live" : "every \(DurationText.short(pause))"
    }

    private func text(of time: Timestamp, in zone: TimeZoneRules, now: Timestamp) -> String {
        let (text, today) = (time.displayText(in: zone), now.displayText(in: zone))
        return String(text.prefix(10) == today.prefix(10) ? text.dropFirst(11) : text[...])
    }
}
