internal import Synchronization

/// Makes the provider of each push service from the settings.
package final class PushProviders: Sendable {
    /// Makes one provider.
    package typealias Factory =
        @Sendable (DeliveryService) throws(DeliveryError) -> any PushProvider

    private let make: Factory
    private let made = Mutex<[DeliveryService: any PushProvider]>([:])

    /// Uses a function, which makes each provider when it is first asked for.
    package init(_ make: @escaping Factory) { self.make = make }

    /// Makes providers from the settings; `vapidKey` reads the key of Web Push.
    package convenience init(
        _ settings: PushSettings, store: ProviderTokenStore,
        vapidKey: @escaping @Sendable () async throws(DeliveryError) -> VAPIDKey,
        _ environment: PushEnvironment
    ) {
        self.init { service throws(DeliveryError) in
            switch service {
            case .apns:
                return APNsProvider(
                    try settings.apnsKey(), bundleID: settings.apnsBundleID,
                    usesSandbox: settings.apnsUsesSandbox,
                    hosts: settings.apnsSimulator.map { .init(production: $0, sandbox: $0) }
                        ?? APNsProvider.Hosts(),
                    store: store, environment)
            case .fcm:
                return try FCMProvider(
                    try settings.serviceAccount(), projectID: settings.fcmProjectID,
                    withNotification: settings.fcmWithNotification,
                    origin: settings.fcmSimulator ?? FCMProvider.host, store: store, environment)
            case .webPush:
                return WebPushProvider(
                    key: vapidKey, subject: try settings.subject(), environment)
            }
        }
    }

    /// The provider of a service.
    /// - Throws: `DeliveryError` for missing settings or credentials.
    package func provider(
        for service: DeliveryService
    ) throws(DeliveryError) -> any PushProvider {
        if let known = made.withLock({ $0[service] }) { return known }
        // Not under the lock: a key file that hangs holds up no other service.
        let new = try make(service)
        return made.withLock { made in
            let provider = made[service] ?? new
            made[service] = provider
            return provider
        }
    }
}
