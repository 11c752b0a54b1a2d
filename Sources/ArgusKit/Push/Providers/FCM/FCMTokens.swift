import ArgusAccount
import ArgusCore
import ArgusTransport

/// The access token of FCM, which Google gives for an assertion (RFC 7523, section 2.1).
struct FCMTokens: Sendable {
    /// The end of a token's life in which it is not used.
    private static let margin = Duration.seconds(300)

    let account: ServiceAccount
    let store: ProviderTokenStore
    let environment: PushEnvironment
    private let fetches = SharedFetch()

    /// The token in use, a new one if there is none.
    /// - Throws: `DeliveryError`; `.credentials` if Google rejects the account, `.failed` if it
    ///   cannot be reached.
    func current() async throws(DeliveryError) -> Redacted<String> {
        if let token = usable(await store.tokens().fcm) { return token.text }
        return try await fetches.value { () async throws(DeliveryError) in
            try await store.change(.fcm) { tokens throws(DeliveryError) in
                // Another process may have fetched one meanwhile.
                if let token = usable(tokens.fcm) { return token.text }
                let token = try await fetch()
                tokens.fcm = token
                return token.text
            }
        }
    }

    /// Drops a token that Google rejects, unless it is already replaced.
    func drop(_ rejected: Redacted<String>) async {
        try? await store.change(.fcm) { tokens throws(DeliveryError) in
            if tokens.fcm?.text == rejected { tokens.fcm = nil }
        }
    }

    private func usable(_ token: ProviderTokens.Token?) -> ProviderTokens.Token? {
        guard let token, token.signer == account.signer else { return nil }
        let rest = token.time - environment.now()
        // A longer life than Google gives is that of a clock that was wrong.
        return rest > Self.margin && rest <= .seconds(3600) ? token : nil
    }

    private func fetch() async throws(DeliveryError) -> ProviderTokens.Token {
        let now = environment.now()
        let form = PercentEncoding.query([
            ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
            ("assertion", try account.assertion(at: now).reveal()),
        ])
        let origin = account.tokenURL.origin
        var request = HTTPRequest(
            .post, origin, account.tokenURL.basePath,
            headers: [HTTPHeader("User-Agent", environment.userAgent)],
            body: HTTPRequest.Body(
                bytes: Array(form.utf8), contentType: "application/x-www-form-urlencoded"),
            proof: environment.proof(of: origin, mayUseAuthorities: false),
            limits: SizeLimits(body: 64 << 10))
        request.deadlines.wait(forFirstByte: environment.timeout)
        let answer: HTTPResponse
        do throws(TransportError) {
            answer = try await environment.transport.send(request)
        } catch {
            throw DeliveryError(
                error.isWorthRetrying ? .unavailable : .failed,
                "cannot get an access token of \(origin): \(error.detail)")
        }
        let view = try? JSONView.parse(answer.body)
        guard answer.status == 200, let text = view?["access_token"]?.string,
            SecretText.isToken(text), let life = view?["expires_in"]?.int, (60...86_400) ~= life
        else { throw refusal(answer, view) }
        return ProviderTokens.Token(
            text: Redacted(text), signer: account.signer, time: now + .seconds(min(life, 3600)))
    }

    /// The error of an answer without a token (RFC 6749, section 5.2).
    private func refusal(_ answer: HTTPResponse, _ view: JSONView?) -> DeliveryError {
        let origin = account.tokenURL.origin
        let known = [400, 401, 403].contains(answer.status)
        guard known, let code = view?["error"]?.codeWord else {
            // Not Google's words: it is busy, or a proxy answered.
            return DeliveryError(
                .unavailable, "\(origin) gave no access token (\(answer.status))")
        }
        let theirs = answer.headers["Date"].flatMap(HTTPDate.parse)
        let offset = theirs.map { $0 - environment.now() } ?? .zero
        let isClockWrong = offset > .seconds(240) || offset < .seconds(-240)
        return DeliveryError(
            .credentials,
            "Google rejects the service account '\(account.email)' (\(code), \(answer.status))"
                + (isClockWrong ? ": this machine's clock is wrong" : ""),
            hint: isClockWrong
                ? "synchronise the clock with NTP"
                : "was the key deleted? Make another one in the Firebase console")
    }
}

/// A fetch of a token, which all share that need one at the time: one time-out for all if the service
/// hangs.
private actor SharedFetch {
    private typealias Fetched = Result<Redacted<String>, DeliveryError>
    private var running: Task<Fetched, Never>?

    func value(
        _ fetch: @escaping @Sendable () async throws(DeliveryError) -> Redacted<String>
    ) async throws(DeliveryError) -> Redacted<String> {
        let task =
            running ?? Task { () async -> Fetched in await Fetched(awaiting: try await fetch()) }
        running = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if running == task { running = nil }
        return try result.get()
    }
}
