/// The routes of today's server; the first that matches a path wins.
enum CurrentAPI {
    private static let base = "/api/v1"
    private static let event = "/api/v1/events/{event_id}"
    private static let rule = "/api/v1/alert-rules/{rule_id}"
    private static let entities = "/api/v1/context/entities"
    private static let entity = "/api/v1/context/entities/{entity_id}"
    private static let camera = "/api/v1/cameras/{camera_id}"

    static let routes: [Route] = [
        Route(.GET, "/", .open, SystemRoutes.root),
        Route(.GET, "/health", .open, SystemRoutes.health),
        Route(.GET, "/metrics", .open, MetricsRoutes.metrics),
        Route(.GET, "/openapi.json", .open, SystemRoutes.description),

        Route(.GET, "/ws", .open, SystemRoutes.webSocketOnly),

        Route(.POST, "\(base)/auth/login", .open, AuthRoutes.login),
        Route(.POST, "\(base)/auth/refresh", .open, AuthRoutes.refresh),
        Route(.POST, "\(base)/auth/logout", .open, AuthRoutes.logout),
        Route(.GET, "\(base)/auth/setup-status", .open, AuthRoutes.setupStatus),
        Route(.GET, "\(base)/auth/me", .user, AuthRoutes.me),
        Route(.POST, "\(base)/auth/change-password", .user, AuthRoutes.changePassword),
        Route(.GET, "\(base)/auth/sessions", .user, AuthRoutes.sessions),
        Route(.DELETE, "\(base)/auth/sessions/{session_id}", .user, AuthRoutes.endSession),

        Route(.POST, "\(base)/mobile/auth/pair", .open, PairingRoutes.pair),
        Route(.GET, "\(base)/mobile/auth/status/{code}", .open, PairingRoutes.status),
        Route(.GET, "\(base)/mobile/auth/pending", .user, PairingRoutes.pending),
        Route(.DELETE, "\(base)/mobile/auth/pending/{code}", .user, PairingRoutes.reject),
        Route(.POST, "\(base)/mobile/auth/confirm", .user, PairingRoutes.confirm),
        Route(.POST, "\(base)/mobile/auth/exchange", .open, PairingRoutes.exchange),
        Route(.POST, "\(base)/mobile/auth/refresh", .open, PairingRoutes.refresh),
        Route(.POST, "\(base)/mobile/auth/revoke", .user, PairingRoutes.revoke),

        Route(.POST, "\(base)/events", .any, EventChangeRoutes.create),
        Route(.GET, "\(base)/events", .any, EventRoutes.list),
        Route(.GET, "\(base)/events/export", .any, EventExportRoutes.export),
        Route(.DELETE, "\(base)/events/bulk", .any, EventChangeRoutes.deleteSeveral),
        Route(.DELETE, event, .any, EventChangeRoutes.delete),
        Route(.GET, event, .any, EventRoutes.show),
        Route(.POST, "\(event)/reanalyze", .any, EventChangeRoutes.reanalyze),
        Route(.POST, "\(event)/feedback", .any, FeedbackRoutes.create),
        Route(.GET, "\(event)/feedback", .any, FeedbackRoutes.show),
        Route(.PUT, "\(event)/feedback", .any, FeedbackRoutes.update),
        Route(.GET, "\(event)/frames", .open, MediaRoutes.frames),
        Route(.GET, "\(event)/frames/{number}", .open, MediaRoutes.frame),
        Route(.GET, "\(event)/video/download", .any, MediaRoutes.download),
        Route(.GET, "\(event)/thumbnail", .any, MediaRoutes.signed),
        Route(.GET, "\(base)/thumbnails/{date}/{file}", .open, MediaRoutes.thumbnail),

        Route(.GET, "\(base)/cameras/health", .any, CameraRoutes.health),
        Route(.GET, "\(base)/cameras", .any, CameraRoutes.list),
        Route(.GET, camera, .any, CameraRoutes.show),
        Route(.PUT, camera, .any, CameraRoutes.update),
        Route(.POST, "\(camera)/reconnect", .any, CameraRoutes.reconnect),
        Route(.POST, "\(camera)/enable-capture", .any, CameraRoutes.setCapture(isDisabled: false)),
        Route(.POST, "\(camera)/disable-capture", .any, CameraRoutes.setCapture(isDisabled: true)),
        Route(.GET, "\(camera)/preview", .any, CameraRoutes.preview),
        Route(.GET, "\(camera)/stream/info", .any, CameraRoutes.streamInfo),
        Route(.GET, "\(camera)/stream/snapshot", .any, CameraRoutes.snapshot),

        Route(.GET, "\(base)/alert-rules", .any, AlertRuleRoutes.list),
        Route(.POST, "\(base)/alert-rules", .any, AlertRuleRoutes.create),
        Route(.GET, rule, .any, AlertRuleRoutes.show),
        Route(.PUT, rule, .any, AlertRuleRoutes.update),
        Route(.DELETE, rule, .any, AlertRuleRoutes.delete),
        Route(.POST, "\(rule)/test", .any, AlertRuleRoutes.test),

        Route(.GET, entities, .any, EntityRoutes.list),
        Route(.POST, entities, .any, EntityRoutes.create),
        Route(.GET, "\(entities)/vip", .any, EntityRoutes.list { $0.isVIP }),
        Route(.GET, "\(entities)/blocked", .any, EntityRoutes.list { $0.isBlocked }),
        Route(.GET, entity, .any, EntityRoutes.show),
        Route(.GET, "\(entity)/events", .any, EntityRoutes.listEvents),
        Route(.DELETE, "\(entity)/events/{event_id}", .any, EntityRoutes.unlink),
        Route(.GET, "\(entity)/thumbnail", .any, EntityRoutes.picture),
        Route(.GET, "\(entity)/alert-rules", .any, EntityRoutes.rules),
        Route(.PUT, entity, .any, EntityRoutes.update),
        Route(.DELETE, entity, .any, EntityRoutes.delete),
        Route(.POST, "\(entities)/merge", .any, EntityRoutes.merge),
        Route(.POST, "\(base)/context/events/{event_id}/entity", .any, EntityRoutes.assign),

        Route(.GET, "\(base)/metrics", .any, MetricsRoutes.pipeline),
        Route(.GET, "\(base)/system/storage", .any, SystemRoutes.storage),
        Route(.GET, "\(base)/system/retention", .any, SystemRoutes.retention),
        Route(.GET, "\(base)/system/ai-cost-status", .any, AIRoutes.costs),
        Route(.GET, "\(base)/system/ai-resilience", .any, AIRoutes.resilience),

        Route(.GET, "\(base)/devices", .user, DeviceRoutes.list),
        Route(.POST, "\(base)/devices", .user, DeviceRoutes.register),
        Route(.DELETE, "\(base)/devices/{device_id}", .user, DeviceRoutes.delete),
        Route(.PUT, "\(base)/devices/{device_id}/token", .user, DeviceRoutes.setToken),
        Route(.PUT, "\(base)/devices/{device_id}/preferences", .user, DeviceRoutes.setPreferences),
        Route(.PUT, "\(base)/devices/{id}", .user, DeviceRoutes.rename),

        Route(.POST, "\(base)/api-keys", .user, KeyRoutes.create),
        Route(.GET, "\(base)/api-keys", .user, KeyRoutes.list),
        Route(.DELETE, "\(base)/api-keys/{key_id}", .user, KeyRoutes.revoke),

        Route(.GET, "\(base)/push/vapid-public-key", .any, PushRoutes.publicKey),
        Route(.POST, "\(base)/push/subscribe", .any, PushRoutes.subscribe),
        Route(.DELETE, "\(base)/push/subscribe", .any, PushRoutes.unsubscribe),
        Route(.POST, "\(base)/push/unsubscribe", .any, PushRoutes.unsubscribe),
        Route(.GET, "\(base)/push/subscriptions", .any, PushRoutes.subscriptions),
        Route(.POST, "\(base)/push/test", .any, PushRoutes.test),
        Route(.POST, "\(base)/push/preferences", .any, PushRoutes.preferences),
        Route(.PUT, "\(base)/push/preferences", .any, PushRoutes.setPreferences),
    ]
}
