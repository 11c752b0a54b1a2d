import ArgusAccount
import ArgusEvents
import ArgusPush
import ArgusTransport

/// The checks about pushes: the server's key, and the registrations of this machine.
struct PushChecks {
    let server: SignedInServer
    let context: Context

    private static let name = "push"

    func findings() async -> [Finding] {
        let offer = await offer()
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
        globals.timeout = max(globals.timeout ?? .zero, ListenTest.usualLimit)
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
    private func offer() async -> Finding {
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
        do {
            _ = try PushKeys(p256dh: key, auth: "AAAAAAAAAAAAAAAAAAAAAA")
            return .ok(Self.name, "the server offers Web Push")
        } catch {
            return .warning(
                Self.name,
                "receivers cannot subscribe: the server's VAPID key \(error.reason)",
                "ask the administrator to make a new one")
        }
    }

    private func registrations(_ stored: StoredPush) async -> [Finding] {
        await compare(stored.registrations.count, "device", "registered") {
            () throws(APIError) in
            let listed = try await server.devices.list().values
            return stored.registrations.map(\.device).map { device in
                listed.contains { $0.hasID(device.id) }
                    ? .ok(
                        Self.name,
                        "device \(device.id) is registered with \(device.service.rawValue)")
                    : .warning(
                        Self.name, "the server no longer has device \(device.id)",
                        "run 'argus push register'")
            }
        }
    }

    private func subscriptions(_ stored: StoredPush) async -> [Finding] {
        await compare(stored.subscriptions.count, "subscription", "made") {
            () throws(APIError) in
            let listed = try await server.subscriber.list().values
            return stored.subscriptions.map { subscription in
                let shown = subscription.endpoint.shown
                return listed.contains { subscription.isSame(as: $0) }
                    ? .ok(Self.name, "\(shown) is subscribed")
                    : .warning(
                        Self.name, "the server no longer has the subscription of \(shown)",
                        "run 'argus push subscribe'")
            }
        }
    }

    /// Compares the registrations of this machine with the server's list, which `findings` reads.
    private func compare(
        _ count: Int, _ noun: String, _ verb: String,
        _ findings: () async throws(APIError) -> [Finding]
    ) async -> [Finding] {
        guard count > 0 else { return [] }
        do {
            return try await findings()
        } catch {
            let what = count == 1 ? "a \(noun) was" : "\(count) \(noun)s were"
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
