import ArgusKit

/// Finds out what a server offers that does not describe its routes, by asking for each thing once.
struct OfferChecks {
    let session: Session

    func finding() async -> Finding {
        var (there, absent, untold): ([String], [String], [String]) = ([], [], [])
        func look(_ name: String, _ ask: () async throws(APIError) -> Void) async {
            do throws(APIError) {
                try await ask()
                there.append(name)
            } catch {
                switch error.kind {
                case .unsupported: absent.append(name)
                // A key of an API may not see it, which is no sign that it is not there.
                case .forbidden: there.append(name)
                default: untold.append(name)
                }
            }
        }
        await look("events") { () async throws(APIError) in
            _ = try await EventService(session: session)
                .list(EventFilter(), wanted: 1, tell: { _ in }).next()
        }
        await look("cameras") { () async throws(APIError) in
            _ = try await CameraService(session: session).plainList()
        }
        await look("devices") { () async throws(APIError) in
            _ = try await DeviceService(session: session).list()
        }
        await look("Web Push") { () async throws(APIError) in
            _ = try await PushSubscriber(session: session).key()
        }
        await look("API keys") { () async throws(APIError) in
            _ = try await session.call(APIKeyRoutes.list, false)
        }
        await look("sessions") { () async throws(APIError) in
            _ = try await session.call(WebSessionRoutes.list, ())
        }
        var finding = Self.finding(there: there, absent: absent)
        guard !untold.isEmpty else { return finding }
        finding.state = .unknown
        finding.message += "; it did not tell about \(untold.joined(separator: ", "))"
        return finding
    }

    /// What argus can use of a server, and what it lacks.
    static func finding(there: [String], absent: [String]) -> Finding {
        let offers = there.isEmpty ? "nothing that is known" : there.joined(separator: ", ")
        let lack = absent.isEmpty ? "" : "; it lacks \(absent.joined(separator: ", "))"
        return .ok("offers", "it offers \(offers)\(lack)")
    }
}
