package import ArgusCore

/// A receiver to which argus itself delivers pushes: one record of the registry.
package struct DeliveryToken: Hashable, Sendable, Identifiable {
    /// The address of the receiver at its push service; secret, since its holder can push to it.
    package enum Address: Hashable, Sendable {
        /// A device of Apple's; the bundle is that of the settings if nil.
        case apns(token: PushToken, type: PushTokenType, bundleID: String?)
        case fcm(token: PushToken)
        case webPush(endpoint: PushEndpoint, keys: PushKeys)
    }

    /// A UUID in lower case.
    package var id: String
    package var address: Address
    package var device: DeviceDescription
    package var isActive = true
    /// Failures in a row.
    package var failureCount = 0
    package var lastFailureAt: Timestamp?
    /// One clause, safe to print.
    package var lastFailureReason: String?
    /// The time of the last success.
    package var lastUsedAt: Timestamp?
    package var inactiveSince: Timestamp?
    package var createdAt: Timestamp
    package var updatedAt: Timestamp
    package var preferences = PushPreferences()

    package init(
        id: String, address: Address, device: DeviceDescription = DeviceDescription(),
        createdAt: Timestamp
    ) {
        self.id = id
        self.address = address
        self.device = device
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// The service that delivers to the address.
    package var service: DeliveryService {
        switch address {
        case .apns: .apns
        case .fcm: .fcm
        case .webPush: .webPush
        }
    }
}

/// The device that receives a token's pushes, as its owner describes it.
package struct DeviceDescription: Hashable, Sendable {
    /// The id that the device chose; nil for a Web Push subscription, which names none.
    package var id: String?
    package var name: String?
    package var model: String?
    package var osVersion: String?
    package var appVersion: String?
    package var user: String?
    package var platform: PushPlatform?

    package init(id: String? = nil, name: String? = nil) {
        self.id = id
        self.name = name
    }
}

/// A push service to which argus delivers.
package enum DeliveryService: String, Hashable, Sendable, CaseIterable {
    case apns, fcm
    case webPush = "webpush"

    /// Its usual spelling.
    package var name: String {
        switch self {
        case .apns: "APNs"
        case .fcm: "FCM"
        case .webPush: "Web Push"
        }
    }

    /// The platform of its devices; nil if there are several.
    package var usualPlatform: PushPlatform? {
        switch self {
        case .apns: .ios
        case .fcm: .android
        case .webPush: nil
        }
    }
}
