import ArgusKit

/// The checks of `argus doctor` about pushes: what the server offers, and whether it still has what
/// was registered from here.
struct PushChecks {
    let server: SignedInServer
    let context: Context

    private static let name = "push"

    func findings() async -> [Finding] {
        let offer = await offer
        do {
            let kept = try await context.storedPush(of: server)
            guard !kept.isEmpty else {
                return [
                    offer,
                    .ok(
                        Self.name,
                        "nothing is registered from here; 'argus push register' or 'subscribe' does"
                    ),
                ]
            }
            return [offer] + (await registrations(kept)) + (await subscriptions(kept))
        } catch {
            return [offer, .failure(Self.name, error)]
        }
    }

    /// Whether the server has a key that receivers can subscribe with.
    private var offer: Finding {
        get async {
            let key: String
            do {
                key = try await PushSubscriber(session: server.session).key().key
            } catch {
                if case .unsupported = error.kind {
                    return .ok(Self.name, "the server offers no Web Push: it has no key for it")
                }
                return .failure(
                    Self.name, await server.failure(error, doing: "tell its key for Web Push"))
            }
            // The half that is not looked at may be anything of the right length.
            let filler = "AAAAAAAAAAAAAAAAAAAAAA"
            do {
                _ = try PushKeys(p256dh: key, auth: filler)
                return .ok(Self.name, "the server offers Web Push, with a key (VAPID)")
            } catch {
                return .warning(
                    Self.name,
                    "no receiver can subscribe: the server's key (VAPID) \(error.reason)",
                    "have its administrator make a new one")
            }
        }
    }

    private func registrations(_ kept: StoredPush) async -> [Finding] {
        guard !kept.registrations.isEmpty else { return [] }
        let listed: [Device]
        do {
            listed = try await DeviceService(session: server.session).list().values
        } catch {
            let count = kept.registrations.count
            return [
                await unlisted(
                    count == 1 ? "a device was" : "\(count) devices were", "registered", error)
            ]
        }
        return kept.registrations.map { registration in
            let device = registration.device
            let words = "the device \(device.id) is registered with \(device.service.rawValue)"
            return listed.contains { $0.hasID(device.id) }
                ? .ok(Self.name, words)
                : .warning(
                    Self.name, "the server no longer has the device \(device.id)",
                    "argus push register")
        }
    }

    private func subscriptions(_ kept: StoredPush) async -> [Finding] {
        guard !kept.subscriptions.isEmpty else { return [] }
        let listed: [PushSubscription]
        do {
            listed = try await PushSubscriber(session: server.session).list().values
        } catch {
            let count = kept.subscriptions.count
            return [
                await unlisted(
                    count == 1 ? "a subscription was" : "\(count) subscriptions were", "made", error
                )
            ]
        }
        return kept.subscriptions.map { subscription in
            let shown = subscription.endpoint.shown
            return listed.contains { subscription.isSame(as: $0) }
                ? .ok(Self.name, "\(shown) is subscribed")
                : .warning(
                    Self.name, "the server no longer has the subscription of \(shown)",
                    "argus push subscribe")
        }
    }

    /// What is kept here, where the server tells no list to compare it with.
    private func unlisted(
        _ what: String, _ verb: String, _ error: APIError
    ) async -> Finding {
        let words = "\(what) \(verb) from here; whether it still stands the server"
        // A server of a generation without such lists has nothing wrong with it.
        if case .unsupported = error.kind { return .ok(Self.name, "\(words) lists none") }
        let failure = await server.failure(error, doing: "list what is \(verb)")
        return .warning(
            Self.name, "\(words) did not tell: \(failure.message)",
            failure.hint ?? "try again later")
    }
}
