internal import Synchronization

/// Makes the provider of each push service from the settings.
package struct PushProviders: Sendable {
    /// Makes one provider.
    package typealias Factory =
        @Sendable (DeliveryService) throws(DeliveryError) -> any PushProvider

    private let make: Factory

    /// Uses a function that returns the same provider each time it is asked for a service.
    package init(_ make: @escaping Factory) { self.make = make }

    /// Makes providers from the settings, each when it is first asked for.
    ///
    /// `vapidKey` reads the key of Web Push.
    package init(
        _ settings: PushSettings, store: ProviderTokenStore,
        vapidKey: @escaping @Sendable () async throws(DeliveryError) -> VAPIDKey,
        _ environment: PushEnvironment
    ) {
        let made = MadeProviders()
        self.init { service throws(DeliveryError) in
            if let provider = made[service] { return provider }
            let provider: any PushProvider
            switch service {
            case .apns:
                provider = APNsProvider(
                    try settings.apnsKey(), bundleID: settings.apnsBundleID,
                    usesSandbox: settings.apnsUsesSandbox,
                    hosts: settings.apnsSimulator.map(APNsProvider.Hosts.init)
                        ?? APNsProvider.Hosts(),
                    store: store, environment)
            case .fcm:
                provider = try FCMProvider(
                    try settings.serviceAccount(), projectID: settings.fcmProjectID,
                    withNotification: settings.fcmWithNotification,
                    origin: settings.fcmSimulator ?? FCMProvider.host, store: store, environment)
            case .webPush:
                provider = WebPushProvider(
                    key: vapidKey, subject: try settings.subject(), environment)
            }
            return made.keep(provider, service)
        }
    }

    /// The provider of a service.
    /// - Throws: `DeliveryError` for missing settings or credentials.
    package func provider(
        for service: DeliveryService
    ) throws(DeliveryError) -> any PushProvider {
        try make(service)
    }
}

/// The providers made so far, one for each service.
private final class MadeProviders: Sendable {
    private let all = Mutex<[DeliveryService: any PushProvider]>([:])

    subscript(service: DeliveryService) -> (any PushProvider)? { all.withLock { $0[service] } }

    /// Keeps a provider, unless another task was first, and returns the one that is kept.
    func keep(_ provider: any PushProvider, _ service: DeliveryService) -> any PushProvider {
        all.withLock { all in
            let kept = all[service] ?? provider
            all[service] = kept
            return kept
        }
    }
}
