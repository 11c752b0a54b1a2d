/// The routes of the mobile API file, and the confirmation that it leaves to the dashboard.
enum MobileAPI {
    private static let base = "/api/v1/mobile"

    static let routes: [Route] = [
        Route(.POST, "\(base)/auth/pair", .open, MobileAuthRoutes.pair),
        Route(.POST, "\(base)/auth/verify", .open, MobileAuthRoutes.verify),
        Route(.POST, "\(base)/auth/refresh", .open, MobileAuthRoutes.refresh),
        Route(.POST, "\(base)/auth/confirm", .user, PairingRoutes.confirm),

        Route(.GET, "\(base)/events", .user, MobileEventRoutes.list),
        Route(.GET, "\(base)/events/{event_id}", .user, MobileEventRoutes.show),
        Route(.GET, "\(base)/events/{event_id}/thumbnail", .user, MobileEventRoutes.thumbnail),

        Route(.GET, "\(base)/cameras", .user, MobileCameraRoutes.list),
        Route(.GET, "\(base)/cameras/{camera_id}/snapshot", .user, MobileCameraRoutes.snapshot),

        Route(.POST, "\(base)/push/register", .user, MobilePushRoutes.register),
        Route(.DELETE, "\(base)/push/unregister", .user, MobilePushRoutes.unregister),
    ]
}
