package import ArgusAccount
package import ArgusCore

/// The tokens by which Apple and Google recognise this sender, sealed between runs.
///
/// ```json
/// {"version": 1,
///  "apns": {"token": "…", "signer": "…", "issued_at_us": 1795125600000000},
///  "fcm": {"token": "…", "signer": "…", "expires_at_us": 1795129200000000}}
/// ```
struct ProviderTokens: Hashable, Sendable {
    /// A token with the time by which its life is counted.
    struct Token: Hashable, Sendable {
        var text: Redacted<String>
        /// A digest of the key and its names: another signer's token is not used.
        var signer: String
        /// The time of issue for APNs, and of expiry for FCM, by the local clock.
        var time: Timestamp
    }

    var apns: Token?
    /// The time at which a token that Apple rejected was replaced.
    var apnsReplacedAt: Timestamp?
    /// The end of the time in which APNs accepts no new token and argus sends nothing.
    var apnsPausedUntil: Timestamp?
    var fcm: Token?

    /// Takes the members of one service.
    mutating func take(_ service: DeliveryService, from other: ProviderTokens) {
        switch service {
        case .apns:
            (apns, apnsReplacedAt) = (other.apns, other.apnsReplacedAt)
            apnsPausedUntil = other.apnsPausedUntil
        case .fcm: fcm = other.fcm
        case .webPush: break
        }
    }
}

extension ProviderTokens: StateDocument {
    init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(document: state)
        apns = try Token(object.take("apns"), "issued_at_us")
        fcm = try Token(object.take("fcm"), "expires_at_us")
        apnsReplacedAt = try object.time(microseconds: "apns_replaced_at_us")
        apnsPausedUntil = try object.time(microseconds: "apns_paused_until_us")
    }

    var state: JSONValue {
        var object = JSONObject.document()
        object.put("apns", apns?.state("issued_at_us"))
        object.put("fcm", fcm?.state("expires_at_us"))
        object.put("apns_replaced_at_us", microseconds: apnsReplacedAt)
        object.put("apns_paused_until_us", microseconds: apnsPausedUntil)
        return object.value
    }
}

extension ProviderTokens.Token {
    fileprivate init?(_ state: JSONValue?, _ time: String) throws(StateUnreadable) {
        guard let state else { return nil }
        var object = try JSONObject(state)
        text = Redacted(try object.text("token").required())
        signer = try object.text("signer").required()
        self.time = try object.time(microseconds: time).required()
    }

    fileprivate func state(_ time: String) -> JSONValue {
        var object = JSONObject()
        object.put("token", text.reveal())
        object.put("signer", signer)
        object.put(time, microseconds: self.time)
        return object.value
    }
}

/// The tokens in the sealed store, shared by all processes of the user.
///
/// A store that fails costs a new token in each run, so it is reported and never an error. Each
/// service has a lock of its own, which is held while a token is made or fetched; the document has
/// another one for the moment of its change.
package actor ProviderTokenStore {
    private static let key = CredentialKey(.none, .providerTokens)
    /// The longest wait for another process, which may be waiting for a service in turn.
    private static let timeout = Duration.seconds(60)

    private let store: any CredentialStore
    private let folder: Paths.Folder
    private let sleep: FileLock.Sleep
    private let report: @Sendable (String) -> Void
    private var known: ProviderTokens?

    /// Prepares the store, with its lock in the state folder; `report` receives failures.
    package init(
        in store: any CredentialStore, _ folder: Paths.Folder,
        sleep: @escaping FileLock.Sleep = { try await Task.sleep(for: $0) },
        report: @escaping @Sendable (String) -> Void
    ) {
        self.store = store
        self.folder = folder
        self.sleep = sleep
        self.report = report
    }

    /// The tokens, as this process knows them.
    func tokens() async -> ProviderTokens {
        if let known { return known }
        let read = await read()
        known = known ?? read
        return known ?? read
    }

    /// Changes the tokens of a service while no other process does, after reading what these stored.
    /// - Returns: The result of `change`, which does nothing if the tokens suffice already.
    /// - Throws: The error of `change`; `.unavailable` if another process holds the lock for a minute.
    func change<Value: Sendable>(
        _ service: DeliveryService,
        _ change: (inout ProviderTokens) async throws(DeliveryError) -> Value
    ) async throws(DeliveryError) -> Value {
        try await locked("push-\(service.rawValue).lock") { () async throws(DeliveryError) in
            var tokens = await read()
            let before = tokens
            let value = try await change(&tokens)
            var all = known ?? tokens
            all.take(service, from: tokens)
            known = all
            guard tokens != before else { return value }
            try await locked("push-providers.lock") { () async throws(DeliveryError) in
                var stored = await read()
                stored.take(service, from: tokens)
                await write(stored)
            }
            return value
        }
    }

    private func locked<Value>(
        _ name: String, _ work: () async throws(DeliveryError) -> Value
    ) async throws(DeliveryError) -> Value {
        try await folder.withLock(
            name, timeout: Self.timeout, sleep: sleep,
            unlocked: { [report] error throws(DeliveryError) in
                guard error.reason == .locked else {
                    return report("the tokens of push services cannot be locked: \(error)")
                }
                throw DeliveryError(.unavailable, "\(error)")
            }, work)
    }

    private func read() async -> ProviderTokens {
        do throws(AccountError) {
            guard let value = try await store.read(Self.key) else {
                return known ?? ProviderTokens()
            }
            return JSONValue(parsing: value.reveal()).flatMap { try? ProviderTokens(state: $0) }
                ?? ProviderTokens()
        } catch {
            report("the tokens of push services cannot be read: \(error)")
            return known ?? ProviderTokens()
        }
    }

    private func write(_ tokens: ProviderTokens) async {
        do throws(AccountError) {
            try await store.write(Redacted(tokens.state.document(.compact)), for: Self.key)
        } catch {
            report("the tokens of push services cannot be stored: \(error)")
        }
    }
}
