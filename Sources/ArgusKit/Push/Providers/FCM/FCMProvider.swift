package import ArgusCore
import ArgusTransport
internal import Synchronization

/// Delivers by Firebase Cloud Messaging, HTTP v1, in the name of a service account.
package final class FCMProvider: PushProvider {
    /// Google's service.
    package static let host = Origin(scheme: .https, host: "fcm.googleapis.com", port: 443)

    private let account: ServiceAccount
    private let projectID: String
    private let withNotification: Bool
    private let origin: Origin
    private let tokens: FCMTokens
    private let environment: PushEnvironment
    /// True once a token was accepted.
    private let hasPassed = Atomic(false)

    /// Makes the provider; without `projectID` for the account's own project.
    /// - Throws: `.settings` for a malformed project.
    package init(
        _ account: ServiceAccount, projectID: String?, withNotification: Bool = false,
        origin: Origin = FCMProvider.host, store: ProviderTokenStore,
        _ environment: PushEnvironment
    ) throws(DeliveryError) {
        if let projectID { try ServiceAccount.check(project: projectID) }
        self.account = account
        self.projectID = projectID ?? account.projectID
        self.withNotification = withNotification
        self.origin = origin
        tokens = FCMTokens(account: account, store: store, environment: environment)
        self.environment = environment
    }

    package func prepare(
        _ payload: PushPayload, for token: DeliveryToken, isSilent: Bool
    ) throws(DeliveryError) -> PreparedPush {
        guard case .fcm(let device) = token.address else {
            throw DeliveryError(.rejected, "the token is not one of FCM")
        }
        try payload.check(for: .fcm)
        let platform = token.device.platform
        func form(_ token: PushToken?) -> PayloadForm {
            .fcm(
                token, platform: platform, isSilent: isSilent, withNotification: withNotification)
        }
        let fitted = try form(device).fitting(payload)
        return PreparedPush(
            service: .fcm, origin: origin,
            target: Redacted("/v1/projects/\(projectID)/messages:send", masking: []),
            headers: [HTTPHeader("Authorization", secret: Redacted("Bearer", masking: []))],
            document: form(nil).document(fitted.payload),
            body: Redacted(fitted.document, masking: []), size: fitted.size,
            limit: form(nil).limit, payload: fitted.payload, isSilent: isSilent,
            wasShortened: fitted.payload != payload)
    }

    package func send(_ push: PreparedPush, to token: DeliveryToken) async -> DeliveryAnswer {
        var used: Redacted<String>?
        let tries = DeliveryTries(environment: environment, wait: FCMAnswers.wait) {
            [self] push throws(DeliveryError) in
            let text = try await tokens.current()
            used = text
            return await environment.outcome(
                of: environment.request(
                    push, contentType: "application/json",
                    authorization: Redacted("Bearer \(text.reveal())", masking: [])))
        } step: { [self] answer in
            FCMAnswers.step(
                after: answer, project: projectID, account: account.email,
                othersPass: hasPassed.load(ordering: .relaxed), now: environment.now())
        } renew: { [tokens] in
            guard let used else { return false }
            await tokens.drop(used)
            return true
        }
        let answer = await tries.run(push)
        if answer.verdict == .accepted { hasPassed.store(true, ordering: .relaxed) }
        return answer
    }

    /// Gets an access token, which proves the service account without sending a message.
    /// - Throws: `DeliveryError`.
    package func checkCredentials() async throws(DeliveryError) { _ = try await tokens.current() }
}
