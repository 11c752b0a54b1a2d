extension DeliveryTokens {
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
        all.compactMap { token in
            token.staleReason(at: now, includesUnused: includesUnused).map { (token, $0) }
        }
    }
}

extension DeliveryToken {
    fileprivate func staleReason(
        at now: Timestamp, includesUnused: Bool
    ) -> DeliveryTokens.StaleReason? {
        if !isActive, let inactiveSince, now - inactiveSince > .days(30) { return .inactive }
        // A token that never had a success gets as long from its last change.
        let success = lastUsedAt ?? updatedAt
        if failureCount >= DeliveryTokens.failureLimit, now - success > .days(7) { return .failing }
        return includesUnused && now - success > .days(90) ? .unused : nil
    }
}

extension Duration {
    /// A number of days of 24 hours.
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
