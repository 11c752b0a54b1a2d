package import ArgusAccount
package import ArgusCore

/// The push registrations of this machine at a server; secret, since their holder can push to its
/// devices.
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

    /// Returns the registrations of a device, one for each service.
    package func registrations(of deviceID: String) -> [StoredRegistration] {
        registrations.filter { $0.device.id.lowercased() == deviceID.lowercased() }
    }

    /// The devices of a push command without a device: those registered here, else this machine.
    package func deviceIDs(onMachine id: String) -> Set<String> {
        let ids = Set(registrations.map(\.device.id))
        return ids.isEmpty || ids.contains(id) ? [id] : ids
    }

    /// Stores a registration in place of an older one of the same device and service.
    package mutating func keep(_ registration: StoredRegistration) {
        remove(registration.device.id, registration.device.service)
        registrations.append(registration)
    }

    /// Removes the registrations of a device with one service, or with all.
    package mutating func remove(_ deviceID: String, _ service: PushService?) {
        registrations.removeAll {
            $0.device.id.lowercased() == deviceID.lowercased()
                && (service == nil || $0.device.service == service)
        }
    }

    /// Stores a subscription in place of an older one of the same endpoint.
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

    /// Returns true if registering a device would change nothing; omitted values stay.
    package func isSame(as other: PushDevice) -> Bool { device == other.completed(from: device) }
}

extension PushDevice {
    /// Returns the device with omitted values filled in from an earlier one.
    package func completed(from old: PushDevice?) -> PushDevice {
        var device = self
        for text in Self.texts {
            device[keyPath: text.path] = self[keyPath: text.path] ?? old?[keyPath: text.path]
        }
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
    /// Reads the registrations at a server; unreadable ones count as none, since they can be
    /// repeated.
    /// - Throws: `AccountError`.
    package func storedPush(
        of server: ServerID
    ) async throws(AccountError) -> StoredPush {
        do throws(AccountError) {
            return try await document(CredentialKey(server, .push)) ?? StoredPush()
        } catch .senseless {
            return StoredPush()
        }
    }

    /// Stores the registrations at a server.
    /// - Throws: `AccountError`.
    package func keep(
        _ push: StoredPush, of server: ServerID
    ) async throws(AccountError) {
        let key = CredentialKey(server, .push)
        guard !push.isEmpty else { return try await erase(key) }
        try await write(push.encoded, for: key)
    }
}

extension StoredPush: StateDocument {
    fileprivate var encoded: Redacted<[UInt8]> { Redacted(state.document(.compact)) }

    package init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(document: state)
        registrations =
            try object.list("registrations")?.map(StoredRegistration.init(state:)) ?? []
        subscriptions =
            try object.list("subscriptions")?.map(StoredSubscription.init(state:)) ?? []
    }

    package var state: JSONValue {
        var object = JSONObject.document()
        object.put("registrations", .list(registrations.map(\.state)))
        object.put("subscriptions", .list(subscriptions.map(\.state)))
        return object.value
    }
}

extension StoredRegistration {
    fileprivate init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        let platform = try PushPlatform(rawValue: object.text("platform").required()).required()
        let service = try PushService(rawValue: object.text("service").required()).required()
        let type = try PushTokenType(rawValue: object.text("token_type").required()).required()
        device = PushDevice(
            id: try object.text("device_id").required(), platform: platform, service: service,
            token: PushToken(stored: try object.text("token").required()), tokenType: type)
        for text in PushDevice.texts {
            device[keyPath: text.path] = try object.text(text.name)
        }
        registrationID = try object.text("id")
    }

    fileprivate var state: JSONValue {
        var object = JSONObject()
        object.put("device_id", device.id)
        object.put("platform", device.platform.rawValue)
        object.put("service", device.service.rawValue)
        object.put("token_type", device.tokenType.rawValue)
        object.put("token", device.token.text.reveal())
        for text in PushDevice.texts {
            object.put(text.name, device[keyPath: text.path])
        }
        object.put("id", registrationID)
        return object.value
    }
}

extension StoredSubscription {
    fileprivate init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        let (endpoint, keys) = try object.subscription()
        self.init(
            endpoint: endpoint, keys: keys, userAgent: try object.text("user_agent"),
            subscriptionID: try object.text("id"))
    }

    fileprivate var state: JSONValue {
        var object = JSONObject()
        object.put(endpoint, keys)
        object.put("user_agent", userAgent)
        object.put("id", subscriptionID)
        return object.value
    }
}

extension JSONObject {
    /// Removes and returns the endpoint and the keys of a Web Push subscription.
    mutating func subscription() throws(StateUnreadable) -> (PushEndpoint, PushKeys) {
        let endpoint = try? PushEndpoint(text("endpoint").required())
        let p256dh = try text("p256dh").required()
        let auth = try text("auth").required()
        let keys = try? PushKeys(p256dh: p256dh, auth: auth)
        return (try endpoint.required(), try keys.required())
    }

    mutating func put(_ endpoint: PushEndpoint, _ keys: PushKeys) {
        put("endpoint", endpoint.text.reveal())
        put("p256dh", keys.p256dh)
        put("auth", keys.auth.reveal())
    }
}

extension ServerSecrets {
    /// The push registrations of this machine at a server.
    /// - Throws: `AccountError` of the store.
    package func storedPush(
        of record: ServerRecord
    ) async throws(AccountError) -> StoredPush {
        try await store(of: record).storedPush(of: record.id)
    }

    /// The push registrations of this machine at a server; none for a server without a record.
    /// - Throws: `AccountError`.
    package func storedPush(
        of server: SignedInServer
    ) async throws(AccountError) -> StoredPush {
        guard let record = server.record else { return StoredPush() }
        return try await storedPush(of: record)
    }

    /// Makes the place of this machine's registrations before the server has a new one; nil for a
    /// server without a record.
    /// - Throws: `AccountError`; nothing could be stored.
    package func placeForPush(
        of server: SignedInServer
    ) async throws(AccountError) -> CredentialPlace? {
        guard let record = server.record else { return nil }
        return try await environment.withSessionLock(record.id) {
            () async throws(AccountError) in
            try await store(of: record).place(for: CredentialKey(record.id, .push))
        }
    }

    /// Changes this machine's registrations at a server under the session lock, to be stored in
    /// their `place`, if one was made.
    ///
    /// Nothing is stored for a server without a record, with a warning if there was something to store.
    /// - Throws: `AccountError`; the old value is then still stored.
    package func changePush(
        of server: SignedInServer, in place: CredentialPlace? = nil,
        _ change: (inout StoredPush) -> Void
    ) async throws(AccountError) {
        guard let record = server.record else {
            var push = StoredPush()
            change(&push)
            guard push != StoredPush() else { return }
            return environment.notify(
                "nothing of this is kept, since '\(server.name)' is only named by its URL: argus will "
                    + "not know it as this machine's")
        }
        try await environment.withSessionLock(record.id) { () async throws(AccountError) in
            let store = store(of: record)
            let before = try await insisting(while: \.mayPass, pausing: environment.pause) {
                () async throws(AccountError) in
                try await store.storedPush(of: record.id)
            }
            var after = before
            change(&after)
            guard after != before else { return }
            if let place, !after.isEmpty {
                try await place.keep(after.encoded, pausing: environment.pause)
            } else {
                try await store.keep(after, of: record.id)
            }
        }
    }
}
