import ArgusKit

/// What `argus doctor` tells of the way to a server: which is used, why, and what was refused.
struct WayCheck {
    private let newcomer: Newcomer
    private let context: Context
    /// When the way that this network is remembered with was proved, before anything was tried.
    private let rememberedAt: Timestamp?

    init(_ newcomer: Newcomer, in context: Context) {
        self.newcomer = newcomer
        self.context = context
        rememberedAt = newcomer.record.flatMap { record in
            context.memory(of: record)?.entry(at: context.now())?.provedAt
        }
    }

    /// What was tried in a choice that had to be made.
    private var report: WayReport? { context.wayReports.all.last }

    /// What became of each way where none can be used; nil where only one was tried.
    var refused: Finding? {
        guard let report, report.target == nil, report.steps.count > 1 else { return nil }
        return .warning(
            "way", report.summary.joined(separator: "; "),
            "argus server show \(newcomer.name)")
    }

    /// The way in use, and why it is.
    var used: Finding {
        guard let target = newcomer.ways?.current else {
            return .ok("way", "\(newcomer.client.address), the address that was named")
        }
        if let report { return .ok("way", report.summary.joined(separator: "; ")) }
        guard let rememberedAt else { return .ok("way", "\(target), the only one") }
        let moment = rememberedAt.displayText(in: context.timeZone)
        return .ok(
            "way", "\(target), remembered for this network, proved \(moment)\(others(than: target))"
        )
    }

    /// The record's other addresses, which are tried where the one in use fails.
    private func others(than target: WayTarget) -> String {
        let others = (newcomer.record?.ways ?? []).filter { !target.isBy($0) }
            .map { "\($0.kind.rawValue) \($0.address)" }
        return others.isEmpty ? "" : "; not in use: \(others.joined(separator: ", "))"
    }

    /// What a check of the way in use found that holds.
    func passed(_ name: String) -> String {
        let target = newcomer.ways?.current
        let origin = target?.address.origin ?? newcomer.client.address.origin
        let place = target?.proof.endpoint.map { " at \($0.address), port \($0.port)" } ?? ""
        switch name {
        case "name":
            return place.isEmpty ? "\(origin.host) has an address" : "the server was found\(place)"
        case "connection": return "\(origin) can be reached\(place)"
        default:
            let way = newcomer.record?.ways.first { target?.isBy($0) == true }
            return origin.scheme == .http
                ? "plain http, as allowed: nothing is proved"
                : "proved by \((way ?? newcomer.way).proof.text)"
        }
    }
}

extension WayTarget {
    /// Whether it is this way of a record, be it at another place.
    fileprivate func isBy(_ way: ServerWay) -> Bool {
        kind == way.kind && way.leads(to: address.description)
    }
}
