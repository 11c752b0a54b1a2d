import ArgusPush

/// The checks of `argus doctor` about the credentials of push delivery; no push is sent.
struct DeliveryChecks {
    let context: Context

    private static let name = "delivery"

    /// One finding for each service that is configured; none if argus delivers nothing.
    func findings() async -> [Finding] {
        let settings: PushSettings
        do {
            settings = try PushSettings(of: context)
        } catch {
            return [.failure(Self.name, error)]
        }
        var findings: [Finding] = []
        for service in settings.services {
            do {
                findings.append(.ok(Self.name, try await check(service, settings)))
            } catch {
                findings.append(.failure(Self.name, error))
            }
        }
        return findings
    }

    /// The sentence for a service whose credentials are in order.
    private func check(
        _ service: DeliveryService, _ settings: PushSettings
    ) async throws(Failure) -> String {
        switch service {
        case .apns:
            let key = try attempt(settings.apnsKey())
            guard let bundle = settings.apnsBundleID else {
                return "APNs: the key '\(key.keyID)' can sign; only tokens with a bundle id work"
            }
            return
                "APNs: the key '\(key.keyID)' can sign for '\(bundle)'; only a push shows whether "
                + "Apple accepts it"
        case .fcm:
            let account = try attempt(settings.serviceAccount())
            let provider = try attempt(
                FCMProvider(
                    account, projectID: settings.fcmProjectID,
                    origin: settings.fcmSimulator ?? FCMProvider.host,
                    store: context.providerTokens(), PushEnvironment(of: context)))
            try await attempt(awaiting: await provider.checkCredentials())
            return "FCM: Google accepts the service account '\(account.email)'"
        case .webPush:
            let subject = try attempt(settings.subject())
            let tokens = try context.receivers()
            let isThere = try await attempt(awaiting: await tokens.knownVAPIDKey()) != nil
            return isThere
                ? "Web Push: the VAPID key can sign for '\(subject.text)'"
                : "Web Push: 'argus notify key show' makes the key for subscriptions"
        }
    }
}
