/// What this machine has registered at a server, kept with its credentials: whoever has a token or
/// an endpoint can push to its device.
///
/// ```json
/// {"version": 1, "registrations": [{"device_id": "…", "platform": "ios", "service": "apns",
///  "token_type": "production", "token": "…", "id": "…"}],
///  "subscriptions": [{"endpoint": "…", "p256dh": "…", "auth": "…", "id": "…"}]}
/// ```
package struct StoredPush: Hashable, Sendable {
    package var registrations: [StoredRegistration] = []
    package var subscriptions: [StoredSubscription] = []

    package init() {}

    package var isEmpty: Bool { registrations.isEmpty && subscriptions.isEmpty }

    /// The registrations of a device, one for each service.
    package func registrations(of deviceID: String) -> [StoredRegistration] {
        registrations.filter { $0.device.id.lowercased() == deviceID.lowercased() }
    }

    /// Keeps a registration in the place of an older one of that device and service.
    package mutating func keep(_ registration: StoredRegistration) {
        remove(registration.device.id, registration.device.service)
        registrations.append(registration)
    }

    /// Forgets the registrations of a device, of one service or of all.
    package mutating func remove(_ deviceID: String, _ service: PushService?) {
        registrations.removeAll {
            $0.device.id.lowercased() == deviceID.lowercased()
                && (service == nil || $0.device.service == service)
        }
    }

    /// Keeps a subscription in the place of an older one of that endpoint.
    package mutating func keep(_ subscription: StoredSubscription) {
        subscriptions.removeAll { $0.endpoint == subscription.endpoint }
        subscriptions.append(subscription)
    }
}

/// A device that argus registered.
package struct StoredRegistration: Hashable, Sendable {
    package var device: PushDevice
    package var registrationID: String?

    package init(_ device: PushDevice, id: String?) {
        self.device = device
        registrationID = id
    }

    /// Whether registering a device would change nothing of what was registered; what is not said
    /// of it is not changed.
    package func isSame(as other: PushDevice) -> Bool { device == other.completed(from: device) }
}

extension PushDevice {
    /// The device with what was said of it before, where nothing is said now.
    package func completed(from old: PushDevice?) -> PushDevice {
        var device = self
        device.name = name ?? old?.name
        device.model = model ?? old?.model
        device.osVersion = osVersion ?? old?.osVersion
        device.appVersion = appVersion ?? old?.appVersion
        device.bundleID = bundleID ?? old?.bundleID
        return device
    }
}

/// A Web Push subscription that argus made.
package struct StoredSubscription: Hashable, Sendable {
    package var endpoint: PushEndpoint
    package var keys: PushKeys
    package var userAgent: String?
    package var subscriptionID: String?

    package init(
        endpoint: PushEndpoint, keys: PushKeys, userAgent: String?, subscriptionID: String?
    ) {
        self.endpoint = endpoint
        self.keys = keys
        self.userAgent = userAgent
        self.subscriptionID = subscriptionID
    }
}

extension CredentialStore {
    /// What this machine has registered at a server; a value that makes no sense counts as nothing,
    /// for all of it can be registered again.
    package func storedPush(
        of server: ServerID
    ) async throws(CredentialStoreError) -> StoredPush {
        guard let value = try await read(CredentialKey(server, .push)) else { return StoredPush() }
        return JSONValue(parsing: value.reveal()).flatMap { try? StoredPush(state: $0) }
            ?? StoredPush()
    }

    /// Keeps what this machine has registered at a server.
    package func keep(
        _ push: StoredPush, of server: ServerID
    ) async throws(CredentialStoreError) {
        let key = CredentialKey(server, .push)
        guard !push.isEmpty else { return try await erase(key) }
        try await write(Redacted(push.state.document(.compact)), for: key)
    }
}
