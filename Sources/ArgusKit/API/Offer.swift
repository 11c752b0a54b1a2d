/// A part of the server that argus can use, with the name that people know it by.
package enum Offer: String, CaseIterable, Sendable {
    case events, cameras, devices, pairing
    case webPush = "Web Push"
    case keys = "API keys"
    case sessions

    /// The path that today's server lists for it among its routes.
    package var path: String {
        switch self {
        case .events: "/api/v1/events"
        case .cameras: "/api/v1/cameras"
        case .devices: "/api/v1/devices"
        case .pairing: "/api/v1/mobile/auth/pair"
        case .webPush: "/api/v1/push/subscribe"
        case .keys: "/api/v1/api-keys"
        case .sessions: "/api/v1/auth/sessions"
        }
    }
}
