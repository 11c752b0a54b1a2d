import NIOHTTP1

/// The routes of the server that people run today.
enum CurrentAPI {
    static let routes: [Route] = [
        Route(.GET, "/", .open, HealthRoutes.root),
        Route(.GET, "/health", .open, HealthRoutes.health),

        Route(.POST, "/api/v1/auth/login", .open, AuthRoutes.login),
        Route(.POST, "/api/v1/auth/refresh", .open, AuthRoutes.refresh),
        Route(.POST, "/api/v1/auth/logout", .open, AuthRoutes.logout),
        Route(.GET, "/api/v1/auth/setup-status", .open, AuthRoutes.setupStatus),
        Route(.GET, "/api/v1/auth/me", .user, AuthRoutes.me),
        Route(.POST, "/api/v1/auth/change-password", .user, AuthRoutes.changePassword),
        Route(.GET, "/api/v1/auth/sessions", .user, SessionRoutes.list),
        Route(.DELETE, "/api/v1/auth/sessions", .user, SessionRoutes.deleteOthers),
        Route(.DELETE, "/api/v1/auth/sessions/{session_id}", .user, SessionRoutes.delete),

        Route(.GET, "/api/v1/events", .any, EventRoutes.list),
        Route(.GET, "/api/v1/events/{event_id}", .any, EventRoutes.show),
        Route(.GET, "/api/v1/events/{event_id}/thumbnail", .any, ThumbnailRoutes.signed),
        Route(.GET, "/api/v1/thumbnails/{date}/{file}", .open, ThumbnailRoutes.file),

        Route(.GET, "/api/v1/cameras/health", .any, CameraRoutes.health),
        Route(.GET, "/api/v1/cameras", .any, CameraRoutes.list),
        Route(.GET, "/api/v1/cameras/{camera_id}", .any, CameraRoutes.show),
        Route(.GET, "/api/v1/cameras/{camera_id}/preview", .any, CameraRoutes.preview),
        Route(.GET, "/api/v1/cameras/{camera_id}/stream/snapshot", .any, CameraRoutes.snapshot),
        Route(.GET, "/api/v1/cameras/{camera_id}/stream/info", .any, CameraRoutes.streamInfo),
    ]
}
