import ArgusKit

/// What argus can use of a server, as people call it.
enum Offer: String, CaseIterable {
    case events, cameras, devices, pairing
    case webPush = "Web Push"
    case keys = "API keys"
    case sessions

    /// The route that today's server describes for it.
    var path: String {
        switch self {
        case .events: "/api/v1/events"
        case .cameras: "/api/v1/cameras"
        case .devices: "/api/v1/devices"
        case .pairing: "/api/v1/mobile/auth/pair"
        case .webPush: "/api/v1/push/subscribe"
        case .keys: "/api/v1/api-keys"
        case .sessions: "/api/v1/auth/sessions"
        }
    }
}

/// Finds out what a server offers that does not describe its routes, by asking for each thing once.
struct OfferChecks {
    let server: SignedInServer

    private var session: Session { server.session }

    func finding() async -> Finding {
        var (there, absent, untold): ([Offer], [Offer], [Offer]) = ([], [], [])
        var reason: APIError?
        func look(_ offer: Offer, _ ask: () async throws(APIError) -> Void) async {
            do {
                try await ask()
                there.append(offer)
            } catch {
                switch error.kind {
                case .unsupported: absent.append(offer)
                // A key of an API may not see it, which is no sign that it is not there.
                case .forbidden: there.append(offer)
                default:
                    untold.append(offer)
                    reason = reason ?? error
                }
            }
        }
        await look(.events) { () async throws(APIError) in
            _ = try await EventService(session: session)
                .list(EventFilter(), wanted: 1, notify: { _ in }).next()
        }
        await look(.cameras) { () async throws(APIError) in
            _ = try await CameraService(session: session).plainList()
        }
        await look(.devices) { () async throws(APIError) in
            _ = try await DeviceService(session: session).list()
        }
        await look(.webPush) { () async throws(APIError) in
            _ = try await PushSubscriber(session: session).key()
        }
        await look(.keys) { () async throws(APIError) in
            _ = try await session.call(APIKeyRoutes.list, false)
        }
        await look(.sessions) { () async throws(APIError) in
            _ = try await session.call(WebSessionRoutes.list, ())
        }
        var finding = Self.finding(there: there, absent: absent)
        guard let reason else { return finding }
        let failure = await server.failure(reason, doing: "tell what it offers")
        finding.state = .warning
        finding.message += "; it did not tell about \(Self.words(untold)): \(failure.message)"
        finding.remedy = failure.hint ?? "try again later"
        return finding
    }

    /// What argus can use of a server, and what it lacks.
    static func finding(there: [Offer], absent: [Offer]) -> Finding {
        let offers = there.isEmpty ? "nothing that is known" : words(there)
        let lack = absent.isEmpty ? "" : "; it lacks \(words(absent))"
        return .ok("offers", "it offers \(offers)\(lack)")
    }

    private static func words(_ offers: [Offer]) -> String {
        offers.map(\.rawValue).joined(separator: ", ")
    }
}
