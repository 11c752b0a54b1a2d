package import ArgusCore
import FoundationEssentials

/// The receivers of pushes that argus keeps: those to which it delivers itself, and the subscriptions
/// of `push listen` at servers.
///
/// A device has one token of each service; a Web Push receiver is known by its endpoint. What `push
/// register` and `push subscribe` make at a server is part of the sign-in there (`StoredPush`).
package struct ReceiverRegistry: Hashable, Sendable {
    /// The failures in a row after which a token gets no pushes.
    package static let failureLimit = 5

    /// The receivers to which argus delivers itself.
    package private(set) var tokens: [DeliveryToken] = []
    /// The receivers on this machine, recorded before their servers know them.
    var listening: [ListeningReceiver] = []

    package init(_ tokens: [DeliveryToken] = []) { self.tokens = tokens }

    /// The token with an id.
    package subscript(id: String) -> DeliveryToken? { tokens.first { $0.id == id } }

    /// Adds a token, or updates the one of the same receiver, and returns it as it is stored; values that
    /// it leaves out stay.
    ///
    /// A new address ends its failures. The time of the update is recorded even if nothing else changed: a
    /// service that reports the token as gone since before then is out of date.
    package mutating func put(
        _ new: DeliveryToken, _ preferences: PushPreferencesChange = PushPreferencesChange(),
        at now: Timestamp
    ) -> (token: DeliveryToken, result: PushRegistration.Result) {
        guard let index = tokens.firstIndex(where: new.isSameReceiver) else {
            var token = new
            token.preferences = preferences.applied(to: new.preferences)
            tokens.append(token)
            return (token, .created)
        }
        let old = tokens[index]
        var token = old
        token.address = new.address
        token.device = new.device.completed(from: old.device)
        token.preferences = preferences.applied(to: old.preferences)
        if new.address != old.address || !old.isActive { token.recover() }
        let isChanged = token != old
        token.updatedAt = now
        tokens[index] = token
        guard isChanged else { return (token, .unchanged) }
        // The token of a phone that changed hands is in one record.
        tokens.removeAll { $0.id != token.id && token.isSameReceiver($0) }
        return (token, .updated)
    }

    /// Removes a token; false if there is none.
    @discardableResult
    package mutating func remove(_ id: String) -> Bool {
        guard let index = tokens.firstIndex(where: { $0.id == id }) else { return false }
        tokens.remove(at: index)
        return true
    }

    /// Changes a token, if it is still there.
    package mutating func change(_ id: String, _ change: (inout DeliveryToken) -> Void) {
        guard let index = tokens.firstIndex(where: { $0.id == id }) else { return }
        change(&tokens[index])
    }

    /// Records the answer to a delivery to a token, as the token was then.
    ///
    /// A failure does not count against an address that replaced the one it was about.
    package mutating func record(
        _ answer: DeliveryAnswer, of sent: DeliveryToken, at now: Timestamp
    ) {
        guard let known = self[sent.id], known.address == sent.address else { return }
        switch answer.verdict {
        case .accepted:
            change(sent.id) { token in
                token.recover()
                token.lastUsedAt = now
            }
        // A token that was registered again meanwhile is alive.
        case .gone where known.updatedAt > sent.updatedAt: break
        case .gone: remove(sent.id)
        case .tokenFailure: change(sent.id) { $0.fail(answer.reason, at: now) }
        case .providerFailure: break
        }
    }

    /// Deactivates the Web Push receivers, which are bound to a key that is gone, and counts them.
    package mutating func loseKey(at now: Timestamp) -> Int {
        let lost = tokens.indices.filter { tokens[$0].service == .webPush && tokens[$0].isActive }
        for index in lost { tokens[index].deactivate("the VAPID key was replaced", at: now) }
        return lost.count
    }

    /// The latest time in any record; nil without a token.
    package var lastChange: Timestamp? {
        tokens.flatMap { [$0.createdAt, $0.updatedAt, $0.lastUsedAt, $0.lastFailureAt] }
            .compactMap(\.self).max()
    }

    /// The reasons for which a cleanup removes a token.
    package enum StaleReason: String, Sendable {
        /// Inactive for more than 30 days.
        case inactive
        /// Five failures or more, and no success in 7 days.
        case failing
        /// No success in 90 days.
        case unused
    }

    /// The tokens that a cleanup removes; those without any use in 90 days only with
    /// `includesUnused`.
    package func stale(
        at now: Timestamp, includesUnused: Bool
    ) -> [(token: DeliveryToken, reason: StaleReason)] {
        tokens.compactMap { token in
            token.staleReason(at: now, includesUnused: includesUnused).map { (token, $0) }
        }
    }
}

extension DeliveryToken {
    fileprivate func staleReason(
        at now: Timestamp, includesUnused: Bool
    ) -> ReceiverRegistry.StaleReason? {
        if !isActive, let inactiveSince, now - inactiveSince > .days(30) { return .inactive }
        // A token that never had a success gets as long from its last change.
        let success = lastUsedAt ?? updatedAt
        if failureCount >= ReceiverRegistry.failureLimit, now - success > .days(7) {
            return .failing
        }
        return includesUnused && now - success > .days(90) ? .unused : nil
    }

    /// Makes the id of a new token.
    package static func newID() -> String { UUID().uuidString.lowercased() }

    /// True for a token with the same address, or of the same device and service.
    fileprivate func isSameReceiver(_ other: DeliveryToken) -> Bool {
        switch (address, other.address) {
        case (.webPush(let own, _), .webPush(let endpoint, _)): return own == endpoint
        case (.apns(let own, _, _), .apns(let token, _, _)) where own.isSame(as: token): return true
        case (.fcm(let own), .fcm(let token)) where own == token: return true
        default: break
        }
        guard let id = device.id, service == other.service, service != .webPush else {
            return false
        }
        return other.device.id == id
    }

    fileprivate mutating func recover() {
        isActive = true
        (failureCount, inactiveSince) = (0, nil)
        (lastFailureAt, lastFailureReason) = (nil, nil)
    }

    /// Counts a failure; after the fifth in a row the token is inactive.
    fileprivate mutating func fail(_ reason: String?, at now: Timestamp) {
        failureCount += 1
        (lastFailureAt, lastFailureReason) = (now, reason)
        guard failureCount >= ReceiverRegistry.failureLimit, isActive else { return }
        (isActive, inactiveSince) = (false, now)
    }

    fileprivate mutating func deactivate(_ reason: String, at now: Timestamp) {
        (isActive, inactiveSince) = (false, now)
        (lastFailureAt, lastFailureReason) = (now, reason)
    }
}

extension DeviceDescription {
    /// Returns the description with omitted values filled in from an earlier one.
    fileprivate func completed(from old: DeviceDescription) -> DeviceDescription {
        var device = self
        device.id = id ?? old.id
        device.name = name ?? old.name
        device.model = model ?? old.model
        device.osVersion = osVersion ?? old.osVersion
        device.appVersion = appVersion ?? old.appVersion
        device.user = user ?? old.user
        device.platform = platform ?? old.platform
        return device
    }
}

extension PushToken {
    /// True for the same token of APNs, whose hex digits are case-insensitive.
    fileprivate func isSame(as other: PushToken) -> Bool {
        text.reveal().lowercased() == other.text.reveal().lowercased()
    }
}

extension Duration {
    /// A number of days of 24 hours.
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
