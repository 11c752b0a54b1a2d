/// Makes the provider of each push service from the settings.
package struct PushProviders: Sendable {
    /// Makes one provider.
    package typealias Factory =
        @Sendable (DeliveryService) throws(DeliveryError) -> any PushProvider

    private let make: Factory

    /// Uses a function that returns the same provider each time it is asked for a service.
    package init(_ make: @escaping Factory) { self.make = make }

    /// The provider of a service.
    /// - Throws: `DeliveryError` for missing settings or credentials.
    package func provider(
        for service: DeliveryService
    ) throws(DeliveryError) -> any PushProvider {
        try make(service)
    }
}
