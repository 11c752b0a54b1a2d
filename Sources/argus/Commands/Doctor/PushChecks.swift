import ArgusKit

/// The checks of `argus doctor` about pushes: the server's key, and the registrations of this
/// machine.
struct PushChecks {
    let server: SignedInServer
    let context: Context

    private static let name = "push"

    func findings() async -> [Finding] {
        let offer = await offer
        do {
            let stored = try await attempt(awaiting: await context.secrets.storedPush(of: server))
            guard stored.isEmpty else {
                return [offer] + (await registrations(stored)) + (await subscriptions(stored))
            }
            return [offer, .ok(Self.name, "this machine has registered no receiver of pushes")]
        } catch {
            return [offer, .failure(Self.name, error)]
        }
    }

    /// The check that a test push of the server comes to this machine.
    func test() async -> Finding {
        // The server may need longer than other checks do.
        var globals = context.globals
        let limit = max(globals.timeout ?? .zero, ListenTest.usualLimit)
        globals.timeout = limit
        let context = Context(globals: globals, system: context.system, toleratesFaults: true)
        do {
            let server = try await context.server()
            let bindAddress = PushReceiver.BindAddress(address: nil, port: 0)
            let row = try await ListenTest(
                server: server, bindAddress: bindAddress, context: context
            )
            .run(within: ListenTest.usualLimit)
            return .ok(
                Self.name,
                "a test push of the server came to \(row.address) after \(row.milliseconds) ms")
        } catch {
            return .failure(Self.name, error)
        }
    }

    /// The check that the server has a key that receivers can subscribe with.
    private var offer: Finding {
        get async {
            let key: String
            do {
                key = try await server.subscriber.key().key
            } catch {
                if error.isUnsupported {
                    return .ok(Self.name, "the server does not offer Web Push: it has no key")
                }
                return .failure(
                    Self.name, await server.failure(error, doing: "read the key for Web Push"))
            }
            // The receiver's other half of the keys may be anything of the right length.
            let filler = "AAAAAAAAAAAAAAAAAAAAAA"
            do {
                _ = try PushKeys(p256dh: key, auth: filler)
                return .ok(Self.name, "the server offers Web Push")
            } catch {
                return .warning(
                    Self.name,
                    "receivers cannot subscribe: the server's VAPID key \(error.reason)",
                    "ask the administrator to make a new one")
            }
        }
    }

    private func registrations(_ stored: StoredPush) async -> [Finding] {
        await compare(
            stored.registrations, "device", "registered",
            with: try await server.devices.list().values
        ) {
            $1.hasID($0.device.id)
        } finding: { registration, isListed in
            let (id, service) = (registration.device.id, registration.device.service.rawValue)
            return isListed
                ? .ok(Self.name, "device \(id) is registered with \(service)")
                : .warning(
                    Self.name, "the server no longer has device \(id)", "run 'argus push register'")
        }
    }

    private func subscriptions(_ stored: StoredPush) async -> [Finding] {
        await compare(
            stored.subscriptions, "subscription", "made",
            with: try await server.subscriber.list().values
        ) {
            $0.isSame(as: $1)
        } finding: { subscription, isListed in
            let shown = subscription.endpoint.shown
            return isListed
                ? .ok(Self.name, "\(shown) is subscribed")
                : .warning(
                    Self.name, "the server no longer has the subscription of \(shown)",
                    "run 'argus push subscribe'")
        }
    }

    /// Compares the registrations of this machine with the server's list.
    private func compare<Stored, Row>(
        _ stored: [Stored], _ noun: String, _ verb: String,
        with list: @autoclosure () async throws(APIError) -> [Row],
        isSame: (Stored, Row) -> Bool, finding: (Stored, Bool) -> Finding
    ) async -> [Finding] {
        guard !stored.isEmpty else { return [] }
        do {
            let rows = try await list()
            return stored.map { stored in finding(stored, rows.contains { isSame(stored, $0) }) }
        } catch {
            let what = stored.count == 1 ? "a \(noun) was" : "\(stored.count) \(noun)s were"
            let words = "\(what) \(verb) on this machine, but the server"
            // A server of a generation without such lists has nothing wrong with it.
            if error.isUnsupported {
                return [.ok(Self.name, "\(words) has no list to compare with")]
            }
            let failure = await server.failure(error, doing: "list what is \(verb)")
            return [
                .warning(
                    Self.name, "\(words) did not return its list: \(failure.message)",
                    failure.hint ?? "try again later")
            ]
        }
    }
}
