package import ArgusAccount
package import ArgusCore

/// The settings of push delivery; a service is configured if its key is named.
package struct PushSettings: Sendable {
    /// The address of the server for phones.
    package var publicURL: ServerAddress?
    package var vapidSubject: String?
    /// The path of Apple's `.p8` file.
    package var apnsKeyFile: String?
    package var apnsKeyID: String?
    package var apnsTeamID: String?
    package var apnsBundleID: String?
    /// True to use Apple's sandbox for every token.
    package var apnsUsesSandbox = false
    /// The path of Google's JSON file.
    package var fcmCredentials: String?
    package var fcmProjectID: String?
    /// True to let the system of the phone show the message, not the app.
    package var fcmWithNotification = false
    /// The services on this machine that replace Apple's and Google's in tests.
    package var apnsSimulator: Origin?
    package var fcmSimulator: Origin?
    /// The files of the service manager.
    private let files: CredentialOverrides

    /// Reads `ARGUS_APNS_URL` and `ARGUS_FCM_URL`, and the files of the service manager.
    /// - Throws: `.settings` for a simulator on another machine.
    package init(_ files: CredentialOverrides) throws(DeliveryError) {
        self.files = files
        apnsSimulator = try Self.simulator("ARGUS_APNS_URL", files.environment)
        fcmSimulator = try Self.simulator("ARGUS_FCM_URL", files.environment)
        apnsKeyFile = files.serviceFile("argus.apns-key")
        fcmCredentials = files.serviceFile("argus.fcm-credentials")
    }

    private static func simulator(
        _ name: String, _ environment: Environment
    ) throws(DeliveryError) -> Origin? {
        guard let text = environment[name] else { return nil }
        guard let address = try? ServerAddress(parsing: text), address.basePath.isEmpty,
            address.origin.isLoopback
        else {
            throw DeliveryError(
                .settings,
                "\(name) must be an address of this machine, such as "
                    + "https://127.0.0.1:8443: it is for tests", hint: "unset \(name)")
        }
        return address.origin
    }

    /// The services that are configured.
    package var services: [DeliveryService] {
        DeliveryService.allCases.filter { service in
            switch service {
            case .apns: apnsKeyFile != nil
            case .fcm: fcmCredentials != nil
            case .webPush: vapidSubject != nil
            }
        }
    }

    /// The subject of Web Push.
    /// - Throws: `.settings` if it is missing or malformed.
    package func subject() throws(DeliveryError) -> VAPIDSubject {
        guard let vapidSubject else {
            throw DeliveryError(
                .settings, "push.vapid_subject is not set, which push services require",
                hint: "run 'argus config set push.vapid_subject mailto:you@example.org'")
        }
        return try VAPIDSubject(vapidSubject)
    }

    /// The key of APNs.
    /// - Throws: `DeliveryError` if a setting is missing, or the file is unusable.
    package func apnsKey() throws(DeliveryError) -> APNsKey {
        let path = try Self.required(apnsKeyFile, .pushAPNsKeyFile, by: "APNs")
        let keyID = try Self.required(apnsKeyID, .pushAPNsKeyID, by: "APNs")
        let teamID = try Self.required(apnsTeamID, .pushAPNsTeamID, by: "APNs")
        guard ![".p12", ".pfx"].contains(where: path.lowercased().hasSuffix) else {
            throw DeliveryError(
                .credentials, "'\(path)' is a certificate, which argus does not use for APNs",
                hint: "make a key (.p8) at https://developer.apple.com/account: it never expires")
        }
        return try Self.naming(path, try APNsKey(secret(in: path), keyID: keyID, teamID: teamID))
    }

    /// The service account of FCM.
    /// - Throws: `DeliveryError` if it is missing, or the file is unusable.
    package func serviceAccount() throws(DeliveryError) -> ServiceAccount {
        let path = try Self.required(fcmCredentials, .pushFCMCredentials, by: "FCM")
        return try Self.naming(path, try ServiceAccount(secret(in: path), simulator: fcmSimulator))
    }

    /// Makes a credential, and names its file in the error of one that is unusable.
    private static func naming<Value>(
        _ path: String, _ make: @autoclosure () throws(DeliveryError) -> Value
    ) throws(DeliveryError) -> Value {
        do throws(DeliveryError) {
            return try make()
        } catch  where error.kind == .credentials && !error.description.contains(path) {
            throw DeliveryError(
                .credentials, "cannot use '\(path)': \(error.description)", hint: error.hint)
        }
    }

    private static func required(
        _ value: String?, _ setting: Setting, by service: String
    ) throws(DeliveryError) -> String {
        guard let value else {
            let variable = setting.variable.map { ", or \($0)" } ?? ""
            throw DeliveryError(
                .credentials, "\(setting.rawValue) is not set, which \(service) needs",
                hint: "set it\(variable); share/doc/argus/docs/push.md shows how to get the keys")
        }
        return value
    }

    /// Reads a file with a key, which only its owner may read; a pipe, which may never end, is
    /// refused.
    private func secret(in path: String) throws(DeliveryError) -> Redacted<String> {
        let file = try rethrowing(
            try SecretFile(path, as: .lines, files.environment, trust: .settings),
            as: { (error: AccountError) in DeliveryError(.credentials, error.description) })
        guard file.modeOpenToOthers == nil else {
            throw DeliveryError(
                .credentials, "'\(path)' holds a key, and other users may read it",
                hint: "run \"chmod 600 '\(path)'\"")
        }
        return file.secret
    }
}
