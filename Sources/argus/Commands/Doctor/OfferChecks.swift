import ArgusKit

/// Probes the features of a server that does not describe its routes, with one request each.
struct OfferChecks {
    let server: SignedInServer

    func finding() async -> Finding {
        var (offered, absent, unanswered): ([Offer], [Offer], [Offer]) = ([], [], [])
        var reason: APIError?
        func look<Answer>(
            _ offer: Offer, _ ask: @autoclosure () async throws(APIError) -> Answer
        ) async {
            do {
                _ = try await ask()
                offered.append(offer)
            } catch {
                switch error.kind {
                case .unsupported: absent.append(offer)
                // A refusal of an API key does not mean that the feature is absent.
                case .forbidden: offered.append(offer)
                default:
                    unanswered.append(offer)
                    reason = reason ?? error
                }
            }
        }
        let events = server.events.list(EventFilter(), wanted: 1, notify: { _ in })
        await look(.events, try await events.next())
        await look(.cameras, try await server.cameras.plainList())
        await look(.devices, try await server.devices.list())
        await look(.webPush, try await server.subscriber.key())
        await look(.keys, try await server.session.call(APIKeyRoutes.list, false))
        await look(.sessions, try await server.session.call(WebSessionRoutes.list, ()))
        var finding = Self.finding(offered: offered, absent: absent)
        guard let reason else { return finding }
        let failure = await server.failure(reason, doing: "list what it offers")
        finding.state = .warning
        finding.message += "; unknown: \(Self.words(unanswered)): \(failure.message)"
        finding.remedy = failure.hint ?? "try again later"
        return finding
    }

    /// The parts of a server that argus can use, and those that it lacks.
    static func finding(offered: [Offer], absent: [Offer]) -> Finding {
        let offers = offered.isEmpty ? "nothing that argus knows" : words(offered)
        let lack = absent.isEmpty ? "" : "; it lacks \(words(absent))"
        return .ok("offers", "the server offers \(offers)\(lack)")
    }

    private static func words(_ offers: [Offer]) -> String {
        offers.map(\.rawValue).joined(separator: ", ")
    }
}
