import ArgusKit

/// The situation of `push listen`: its address, what has come, its last notification.
struct ListenStatus: RunStatus {
    /// The address at which it listens; nil while it is not subscribed.
    var address: String?
    var unreachableSince: Timestamp?
    var count = 0
    var last: PushNotification?

    func clauses(in zone: TimeZoneRules, now: Timestamp) -> [String] {
        var clauses = [place(in: zone, now: now)]
        clauses.append(count == 0 ? "no pushes yet" : "\(count) push\(count == 1 ? "" : "es")")
        if let last {
            let time = last.receivedAt.shortText(in: zone, now: now)
            clauses.append("last \(time) \(last.title ?? "-")")
        }
        return clauses.map(Sanitizer.visible)
    }

    var isDisturbed: Bool { unreachableSince != nil }

    private func place(in zone: TimeZoneRules, now: Timestamp) -> String {
        guard let unreachableSince else {
            return address.map { "listening on \($0)" } ?? "subscribing"
        }
        let since = "unreachable since \(unreachableSince.shortText(in: zone, now: now))"
        return address.map { "listening on \($0), server \(since)" } ?? "server \(since)"
    }
}
