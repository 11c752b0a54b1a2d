import ArgusAccount
import ArgusCore
import ArgusTransport

/// The check `way` of `argus doctor`: the endpoint in use, and those that were refused.
struct EndpointCheck {
    private let unverified: UnverifiedServer
    private let context: Context
    /// The time of the last proof of the remembered endpoint, as of the start.
    private let rememberedAt: Timestamp?

    init(_ unverified: UnverifiedServer, in context: Context) {
        self.unverified = unverified
        self.context = context
        rememberedAt = unverified.record.flatMap { record in
            context.system.connections.cache(of: record)?.entry(at: context.now())?.provedAt
        }
    }

    /// The endpoints that were tried in a selection that had to be made.
    private var report: EndpointReport? { context.endpointReports.all.last }

    /// The result of each endpoint if none can be used; nil if only one was tried.
    var refused: Finding? {
        guard let report, report.target == nil, report.steps.count > 1 else { return nil }
        return .warning(
            "way", report.summary.joined(separator: "; "),
            "run 'argus server show \(unverified.name)'")
    }

    /// The endpoint in use and the reason for its selection.
    var used: Finding {
        guard let target = unverified.endpoints?.current else {
            return .ok("way", "\(unverified.client.address), as given")
        }
        if let report { return .ok("way", report.summary.joined(separator: "; ")) }
        guard let rememberedAt else { return .ok("way", "\(target), the only address") }
        let moment = rememberedAt.displayText(in: context.timeZone)
        // These are tried if the one in use fails.
        let others = (unverified.record?.endpoints ?? []).filter { !target.matches($0) }
            .map { "\($0.kind.rawValue) \($0.address)" }.joined(separator: ", ")
        let rest = others.isEmpty ? "" : "; not in use: \(others)"
        return .ok("way", "\(target), remembered, proved \(moment)\(rest)")
    }

    /// The message of a check that passed.
    func passed(_ name: String) -> String {
        let target = unverified.endpoints?.current
        let origin = target?.address.origin ?? unverified.client.address.origin
        let place = target?.proof.socketAddress.map { " at \($0.address), port \($0.port)" } ?? ""
        switch name {
        case "name":
            return place.isEmpty ? "\(origin.host) resolves" : "the search found the server\(place)"
        case "connection": return "connected to \(origin)\(place)"
        default:
            let endpoint = unverified.record?.endpoints.first { target?.matches($0) == true }
            return origin.scheme == .http
                ? "plain http, as allowed: the server's identity is not verified"
                : "verified by \((endpoint ?? unverified.endpoint).proof.text)"
        }
    }
}

extension EndpointTarget {
    /// True if it is this endpoint of a record, perhaps found at another address.
    func matches(_ endpoint: Endpoint) -> Bool {
        kind == endpoint.kind && endpoint.hasAddress(address.description)
    }
}
