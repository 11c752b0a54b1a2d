import ArgusCore
import ArgusTransport

/// Delivers to Apple's devices by APNs, over HTTP/2 with a token of the developer's key.
struct APNsProvider: PushProvider {
    /// Apple's service, or the one that replaces it in a test.
    struct Hosts: Sendable {
        var production = Origin(scheme: .https, host: "api.push.apple.com", port: 443)
        var sandbox = Origin(scheme: .https, host: "api.sandbox.push.apple.com", port: 443)
    }

    private let tokens: APNsTokens
    private let bundleID: String?
    private let usesSandbox: Bool
    private let hosts: Hosts
    private let environment: PushEnvironment
    private let gates = (production: StreamGate(), sandbox: StreamGate())

    /// Makes the provider; `bundleID` is that of tokens without one, and `usesSandbox` sends
    /// everything to the sandbox.
    init(
        _ key: APNsKey, bundleID: String?, usesSandbox: Bool, hosts: Hosts = Hosts(),
        store: ProviderTokenStore, _ environment: PushEnvironment
    ) {
        tokens = APNsTokens(key: key, store: store, now: environment.now)
        self.bundleID = bundleID
        self.usesSandbox = usesSandbox
        self.hosts = hosts
        self.environment = environment
    }

    func prepare(
        _ payload: PushPayload, for token: DeliveryToken, isSilent: Bool
    ) throws(DeliveryError) -> PreparedPush {
        guard case .apns(let device, _, _) = token.address else {
            throw DeliveryError(.rejected, "the token is not one of APNs")
        }
        let receiver = try receiver(of: token)
        try payload.check(for: .apns)
        let form = PayloadForm.apns(isSilent: isSilent)
        let fitted = try form.fitting(payload)
        let expiration = environment.now().seconds + 86_400
        var headers = [
            HTTPHeader("apns-topic", receiver.bundleID), HTTPHeader("apns-push-type", "alert"),
            HTTPHeader("apns-priority", isSilent ? "5" : "10"),
            HTTPHeader("apns-expiration", "\(expiration)"),
            HTTPHeader("Authorization", secret: Redacted("bearer", masking: [])),
        ]
        if let event = payload.eventID { headers.append(HTTPHeader("apns-collapse-id", event)) }
        let text = device.text.reveal()
        return PreparedPush(
            service: .apns, origin: receiver.origin,
            target: Redacted("/3/device/\(text)", masking: [text]), headers: headers,
            document: fitted.document, body: Redacted(fitted.document, masking: []),
            size: fitted.size, limit: form.limit, payload: fitted.payload, isSilent: isSilent,
            wasShortened: fitted.payload != payload)
    }

    func send(_ push: PreparedPush, to token: DeliveryToken) async -> DeliveryAnswer {
        let receiver: APNsAnswers.Receiver
        do throws(DeliveryError) {
            receiver = try self.receiver(of: token)
        } catch {
            return DeliveryAnswer(
                verdict: .providerFailure(.credentials), reason: error.description, attempts: 0)
        }
        var used: Redacted<String>?
        let gate = receiver.isSandbox ? gates.sandbox : gates.production
        let tries = DeliveryTries(environment: environment) { push throws(DeliveryError) in
            let text = try await tokens.current()
            used = text
            let authorization = Redacted("bearer \(text.reveal())", masking: [])
            let request = environment.request(
                push, contentType: "application/json", authorization: authorization)
            switch await gate.waitForFirstStream() {
            case .open: return await environment.outcome(of: request)
            case .failed(let error): return .failure(error)
            case .opener:
                let outcome = await environment.outcome(of: request)
                await gate.finish(outcome)
                return outcome
            }
        } step: { answer in
            if APNsAnswers.reason(of: answer) == APNsAnswers.tooManyTokens { await tokens.pause() }
            return APNsAnswers.step(after: answer, for: receiver, now: environment.now())
        } renew: {
            guard let rejected = used else { return false }
            return await tokens.replace(rejected)
        }
        return await tries.run(push)
    }

    private func receiver(of token: DeliveryToken) throws(DeliveryError) -> APNsAnswers.Receiver {
        guard case .apns(_, let type, let own) = token.address, let bundle = own ?? bundleID else {
            throw DeliveryError(
                .settings, "the token has no bundle id, and push.apns_bundle_id is not set",
                hint: "run 'argus config set push.apns_bundle_id com.example.app'")
        }
        let isSandbox = usesSandbox || type == .sandbox
        return APNsAnswers.Receiver(
            origin: isSandbox ? hosts.sandbox : hosts.production, isSandbox: isSandbox,
            bundleID: bundle, updatedAt: token.updatedAt)
    }
}
