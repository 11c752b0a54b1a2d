package import ArgusCore
import ArgusEvents
package import ArgusTransport

/// A device to register for native pushes, with every value checked.
package struct PushDevice: Hashable, Sendable {
    /// The id that the device chose.
    package var id: String
    package var platform: PushPlatform
    package var service: PushService
    package var token: PushToken
    package var tokenType: PushTokenType
    package var name: String?
    package var model: String?
    package var osVersion: String?
    package var appVersion: String?
    package var bundleID: String?

    /// The texts that describe the device, by their names in the store.
    static let texts: [(name: String, path: any WritableKeyPath<PushDevice, String?> & Sendable)] =
        [
            ("name", \.name), ("model", \.model), ("os_version", \.osVersion),
            ("app_version", \.appVersion), ("bundle_id", \.bundleID),
        ]

    /// Writes the members that the design documents name.
    func writeDocumented(to writer: inout JSONWriter) {
        writer.member("device_token", token.text.reveal())
        writer.member("platform", platform.rawValue)
        writer.member("push_service", service.rawValue)
        writer.member("token_type", tokenType.rawValue)
        writer.member("device_id", id)
        if let model { writer.member("device_model", model) }
        if let osVersion { writer.member("os_version", osVersion) }
        if let appVersion { writer.member("app_version", appVersion) }
        if let bundleID { writer.member("app_bundle_id", bundleID) }
    }

    /// Writes the members of today's server, which drops a name that is not sent again.
    func writeCurrent(to writer: inout JSONWriter, knownAs known: Device?) {
        writer.member("device_id", known?.hardwareID ?? id)
        writer.member("platform", platform.family)
        if let name = name ?? known?.name { writer.member("name", name) }
        if let model = model ?? known?.model { writer.member("device_model", model) }
        writer.member("push_token", token.text.reveal())
    }

    /// The names of the values that a generation of servers does not store.
    package func lost(on generation: Generation) -> [String] {
        let keepsAll = generation == .documented
        let values: [(name: String, isLost: Bool)] = [
            ("the name", name != nil && generation != .current),
            ("the platform", generation == .mobile),
            ("the model", model != nil && generation == .mobile),
            ("the token type", tokenType == .sandbox && !keepsAll),
            ("the service", service != platform.usualService && !keepsAll),
            ("the system's version", osVersion != nil && !keepsAll),
            ("the app's version", appVersion != nil && !keepsAll),
            ("the bundle id", bundleID != nil && !keepsAll),
        ]
        return values.filter(\.isLost).map(\.name)
    }
}

extension PushDevice {
    /// - Throws: `PushFieldError` for a service that the platform does not have.
    package init(
        id: String, platform: PushPlatform, service: PushService?, token: String,
        tokenType: PushTokenType
    ) throws(PushFieldError) {
        let service = service ?? platform.usualService
        guard platform != .android || service != .apns else {
            throw PushFieldError("service", "cannot be apns on android, whose devices use fcm")
        }
        let token = try PushToken(token, for: service)
        self.init(id: id, platform: platform, service: service, token: token, tokenType: tokenType)
    }
}

/// A native push registration, in the one canonical shape; servers show no token.
///
/// A field is nil if the server neither sends nor stores it.
package struct PushRegistration: Sendable, Equatable {
    /// The effect on the server's row.
    package enum Result: String, Sendable { case created, updated, unchanged }

    package var id: String?
    package var deviceID: String
    package var platform: String?
    package var service: PushService?
    package var tokenType: PushTokenType?
    package var model: String?
    package var osVersion: String?
    package var appVersion: String?
    package var bundleID: String?
    package var createdAt: Timestamp?
    package var updatedAt: Timestamp?
    package var lastUsedAt: Timestamp?
    package var isActive: Bool?
    package var failureCount: Int?
    package var lastFailureAt: Timestamp?
    package var lastFailureReason: String?
    package var preferencesCreated: Bool?
    package var result: Result?

    package init(deviceID: String) { self.deviceID = deviceID }

    /// Takes the values of a device that a generation of servers stores; its answers have the rest.
    package init(_ device: PushDevice, keptBy generation: Generation) {
        deviceID = device.id
        if generation == .current { model = device.model }
        guard generation == .documented else { return }
        platform = device.platform.rawValue
        service = device.service
        tokenType = device.tokenType
        model = device.model
        osVersion = device.osVersion
        appVersion = device.appVersion
        bundleID = device.bundleID
    }

    /// Fills in missing values from the server's row of the device.
    mutating func complete(from known: Device?) {
        platform = platform ?? known?.platform
        model = model ?? known?.model
    }

    mutating func read(_ view: JSONView) {
        id = view["id"]?.string ?? id
        deviceID = view["device_id"]?.string ?? deviceID
        platform = view["platform"]?.string ?? platform
        service = view["push_service"]?.string.flatMap(PushService.init(rawValue:)) ?? service
        createdAt = view["created_at"]?.timestamp ?? view["registered_at"]?.timestamp ?? createdAt
        updatedAt = view["updated_at"]?.timestamp ?? updatedAt
        lastUsedAt = view["last_used_at"]?.timestamp ?? lastUsedAt
        isActive = view["is_active"]?.bool ?? isActive
        failureCount = view["failure_count"]?.int ?? failureCount
        lastFailureAt = view["last_failure_at"]?.timestamp ?? lastFailureAt
        lastFailureReason = view["last_failure_reason"]?.string ?? lastFailureReason
        preferencesCreated = view["preferences_created"]?.bool ?? preferencesCreated
    }
}
