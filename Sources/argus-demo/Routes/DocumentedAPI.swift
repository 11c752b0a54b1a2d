/// The routes of the design documents.
enum DocumentedAPI {
    private static let base = "/api/v1"

    static let routes: [Route] = [
        Route(.GET, "\(base)/health", .open, SystemRoutes.documentedHealth),

        Route(.POST, "\(base)/auth/login", .open, DocumentedAuthRoutes.login),
        Route(.POST, "\(base)/auth/refresh", .open, DocumentedAuthRoutes.refresh),
        Route(.POST, "\(base)/auth/logout", .open, DocumentedAuthRoutes.logout),
        Route(.GET, "\(base)/auth/setup-status", .open, AuthRoutes.setupStatus),
        Route(.GET, "\(base)/auth/me", .user, DocumentedAuthRoutes.me),
        Route(.POST, "\(base)/auth/change-password", .user, AuthRoutes.changePassword),

        Route(.GET, "\(base)/events", .user, DocumentedEventRoutes.list),
        Route(.GET, "\(base)/events/{event_id}", .user, DocumentedEventRoutes.show),
        Route(.GET, "\(base)/events/{event_id}/thumbnail", .user, MobileEventRoutes.picture),

        Route(.GET, "\(base)/cameras", .user, MobileCameraRoutes.list),
        Route(.GET, "\(base)/cameras/{camera_id}/snapshot", .user, MobileCameraRoutes.livePicture),

        Route(.POST, "\(base)/devices/pair", .open, DocumentedDeviceRoutes.pair),
        Route(.GET, "\(base)/devices", .user, DocumentedDeviceRoutes.list),
        Route(.GET, "\(base)/devices/{id}", .user, DocumentedDeviceRoutes.show),
        Route(.DELETE, "\(base)/devices/{id}", .user, DocumentedDeviceRoutes.delete),
        Route(.PUT, "\(base)/devices/{id}/rename", .user, DocumentedDeviceRoutes.rename),

        Route(.GET, "\(base)/push/vapid-public-key", .user, PushRoutes.publicKey),
        Route(.POST, "\(base)/push/subscribe", .user, PushRoutes.subscribe),
        Route(.POST, "\(base)/push/preferences", .user, PushRoutes.preferences),
        Route(.PUT, "\(base)/push/preferences", .user, PushRoutes.setPreferences),
        Route(.POST, "\(base)/push/mobile/register", .user, DocumentedPushRoutes.register),
        Route(.PUT, "\(base)/push/mobile/tokens/{device_id}", .user, DocumentedPushRoutes.update),
        Route(
            .DELETE, "\(base)/push/mobile/tokens/{device_id}", .user, DocumentedPushRoutes.remove),
        Route(.POST, "\(base)/push/mobile/preferences", .user, DocumentedPushRoutes.preferences),
        Route(.PUT, "\(base)/push/mobile/preferences", .user, DocumentedPushRoutes.setPreferences),
    ]
}
