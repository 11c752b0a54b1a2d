import ArgusCore

/// The provider token of APNs, of which one serves all sends for most of an hour.
///
/// Apple refuses tokens older than an hour, and more than one new token in 20 minutes.
struct APNsTokens: Sendable {
    /// The age at which a token is replaced.
    private static let longestUse = Duration.seconds(50 * 60)
    /// The age before which a token is not replaced again, unless Apple rejects it.
    private static let shortestUse = Duration.seconds(20 * 60)

    let key: APNsKey
    let store: ProviderTokenStore
    let now: @Sendable () -> Timestamp

    /// The token in use, a new one if there is none.
    /// - Throws: `DeliveryError`; `.failed` while APNs is not used.
    func current() async throws(DeliveryError) -> Redacted<String> {
        let known = await store.tokens()
        if let end = known.apnsPausedUntil, known.apns?.signer == key.signer {
            let rest = end - now()
            if rest > .zero, rest <= Self.shortestUse {
                throw DeliveryError(
                    .failed,
                    "APNs accepts no new token for \(DurationText.short(rest)): it got too many")
            }
        }
        if let token = usable(known.apns) { return token.text }
        return try await store.change(.apns) { tokens throws(DeliveryError) in
            // Another process may have made one meanwhile.
            if let token = usable(tokens.apns) { return token.text }
            return try issue(&tokens)
        }
    }

    /// Replaces a token that Apple rejects as expired; false if one was replaced in the last 20 minutes.
    func replace(_ rejected: Redacted<String>) async -> Bool {
        let isNew = try? await store.change(.apns) { tokens throws(DeliveryError) in
            guard let token = tokens.apns, token.text == rejected else { return true }
            let last = tokens.apnsReplacedAt
            if let last, (.zero..<Self.shortestUse).contains(now() - last) { return false }
            _ = try issue(&tokens)
            tokens.apnsReplacedAt = now()
            return true
        }
        return isNew ?? false
    }

    /// Stops the use of APNs for 20 minutes, since it accepts no new token before; the last one
    /// stays.
    func pause() async {
        let end = now() + Self.shortestUse
        try? await store.change(.apns) { tokens throws(DeliveryError) in
            tokens.apnsPausedUntil = end
        }
    }

    private func issue(_ tokens: inout ProviderTokens) throws(DeliveryError) -> Redacted<String> {
        let now = now()
        let text = try key.token(at: now)
        tokens.apns = ProviderTokens.Token(text: text, signer: key.signer, time: now)
        return text
    }

    private func usable(_ token: ProviderTokens.Token?) -> ProviderTokens.Token? {
        guard let token, token.signer == key.signer else { return nil }
        return (.zero..<Self.longestUse).contains(now() - token.time) ? token : nil
    }
}
