import ArgusCore
import ArgusTransport
internal import Crypto
internal import Synchronization

/// Delivers Web Push (RFC 8030, 8188, 8291 and 8292).
package final class WebPushProvider: PushProvider {
    /// The lifetime of a VAPID token, at most 24 h (RFC 8292, section 2).
    private static let lifetime = Duration.seconds(12 * 3600)
    /// The end of a token's life in which it is not used again.
    private static let margin = Duration.seconds(3600)
    /// The maximum length of a text in bytes for a service that found it too large.
    private static let shortText = 2000

    private let readKey: @Sendable () async throws(DeliveryError) -> VAPIDKey
    private let subject: VAPIDSubject
    private let environment: PushEnvironment
    private let key = Mutex<VAPIDKey?>(nil)
    private let tokens = Mutex<[Origin: VAPIDToken]>([:])

    private struct VAPIDToken {
        var text: Redacted<String>
        var publicKey: String
        var expiry: Timestamp
    }

    /// Makes the provider; `key` is read for the first send.
    package init(
        key: @escaping @Sendable () async throws(DeliveryError) -> VAPIDKey,
        subject: VAPIDSubject, _ environment: PushEnvironment
    ) {
        readKey = key
        self.subject = subject
        self.environment = environment
    }

    package func prepare(
        _ payload: PushPayload, for token: DeliveryToken, isSilent: Bool
    ) throws(DeliveryError) -> PreparedPush {
        try prepare(payload, for: token, isSilent, PayloadForm.webPush(isSilent: isSilent))
    }

    private func prepare(
        _ payload: PushPayload, for token: DeliveryToken, _ isSilent: Bool, _ form: PayloadForm
    ) throws(DeliveryError) -> PreparedPush {
        guard case .webPush(let endpoint, let keys) = token.address else {
            throw DeliveryError(.rejected, "the token is not a subscription of Web Push")
        }
        guard let address = endpoint.webAddress else {
            throw DeliveryError(
                .rejected, "the endpoint is a token of APNs", hint: "send it with --apns-token")
        }
        try payload.check(for: .webPush)
        let fitted = try form.fitting(payload)
        guard let body = WebPushEncryption.encrypt(fitted.document, for: keys) else {
            throw DeliveryError(.rejected, "the keys of the subscription cannot be used")
        }
        var headers = [
            HTTPHeader("TTL", "86400"), HTTPHeader("Urgency", payload.priority.rawValue),
            HTTPHeader("Content-Encoding", "aes128gcm"),
            HTTPHeader("Authorization", secret: Redacted("vapid", masking: [])),
        ]
        if let event = payload.eventID {
            headers.append(HTTPHeader("Topic", Self.topic(of: event)))
        }
        return PreparedPush(
            service: .webPush, origin: address.origin, target: address.target, headers: headers,
            document: fitted.document, body: Redacted(body, masking: []), size: fitted.size,
            limit: form.limit, payload: fitted.payload, isSilent: isSilent,
            wasShortened: fitted.payload != payload)
    }

    package func send(_ push: PreparedPush, to token: DeliveryToken) async -> DeliveryAnswer {
        var used: VAPIDToken?
        let tries = DeliveryTries(environment: environment) {
            [self] push throws(DeliveryError) in
            let token = try await vapidToken(for: push.origin)
            used = token
            let request = environment.request(
                push, contentType: "application/octet-stream", authorization: token.text)
            return await environment.outcome(of: request)
        } step: { [environment] answer in
            WebPushAnswers.step(after: answer, of: push.origin.host, now: environment.now())
        } renew: { [self] in
            await readKey(besides: used?.publicKey)
        } shorten: { [self] push in
            let form = PayloadForm.webPush(isSilent: push.isSilent, limit: Self.shortText)
            guard push.size > form.limit else { return nil }
            return try? prepare(push.payload, for: token, push.isSilent, form)
        }
        return await tries.run(push)
    }

    /// The name under which a repeat replaces itself: 32 characters of base64url (RFC 8030, section
    /// 5.4).
    private static func topic(of event: String) -> String {
        String(Base64.encodeForURL(Array(SHA256.hash(data: Array(event.utf8)))).prefix(32))
    }

    /// The token in `Authorization` for a service, which is reused for most of its life.
    private func vapidToken(for origin: Origin) async throws(DeliveryError) -> VAPIDToken {
        let now = environment.now()
        if let known = tokens.withLock({ $0[origin] }), known.expiry > now + Self.margin,
            known.expiry <= now + Self.lifetime
        {
            return known
        }
        let expiry = now + Self.lifetime
        let key = try await key()
        guard let signed = key.token(for: origin, subject: subject, until: expiry) else {
            throw DeliveryError(.credentials, "the VAPID key cannot sign")
        }
        let token = VAPIDToken(
            text: Redacted("vapid t=\(signed.reveal()),k=\(key.publicKey)"),
            publicKey: key.publicKey, expiry: expiry)
        tokens.withLock { $0[origin] = token }
        return token
    }

    private func key() async throws(DeliveryError) -> VAPIDKey {
        if let key = key.withLock({ $0 }) { return key }
        let read = try await readKey()
        key.withLock { $0 = read }
        return read
    }

    /// Reads the key again, which 'notify key rotate' may have replaced; false if it is the rejected one.
    private func readKey(besides rejected: String?) async -> Bool {
        guard let new = try? await readKey(), new.publicKey != rejected else { return false }
        key.withLock { $0 = new }
        tokens.withLock { $0 = $0.filter { $0.value.publicKey == new.publicKey } }
        return true
    }
}

extension PushEndpoint {
    /// The service and the secret path of a Web Push endpoint; nil for a token of APNs.
    var webAddress: (origin: Origin, target: Redacted<String>)? {
        let whole = text.reveal()
        guard !isAPNs, let scheme = whole.firstRange(of: "://") else { return nil }
        let rest = whole[scheme.upperBound...]
        let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
        guard let address = try? ServerAddress(parsing: String(whole[..<end])) else { return nil }
        let path = String(rest[end...])
        // A service may name the subscription alone, by the end of its path.
        let secrets = [path] + path.split { "/?=".contains($0) }.suffix(1).map(String.init)
        return (
            address.origin, Redacted(path.hasPrefix("/") ? path : "/" + path, masking: secrets)
        )
    }
}
