/// The routes of the generations of servers, for TAB until a server's own are known.
///
/// Commas and line ends separate them; `/api/v1/` is left out. The sources are the OpenAPI
/// description of today's server, the API file and the design documents.
package enum WellKnownRoutes {
    /// The routes of a generation in the order of their paths, an entry for each method.
    package static func list(of generation: Generation) -> [ServerRoutes.Entry] {
        let text =
            switch generation {
            case .current: current
            case .mobile: mobile
            case .documented: documented
            }
        return text.split { ",\n".contains($0) }.flatMap { route in
            let words = route.split(separator: " ").map(String.init)
            let path = words[0].hasPrefix("/") ? words[0] : "/api/v1/" + words[0]
            return words.dropFirst().map { ServerRoutes.Entry(method: $0, path: path) }
        }
    }

    private static let current = """
        / GET
        ai/annotation-colors GET, ai/capabilities GET, ai/context-metrics GET
        ai/refine-prompt POST, ai/usage GET, ai/usage/daily GET, ai/usage/top-providers GET
        alert-rules GET POST, alert-rules/{rule_id} GET PUT DELETE, alert-rules/{rule_id}/test POST
        api-keys GET POST, api-keys/{key_id} GET DELETE, api-keys/{key_id}/usage GET
        audio/supported-types GET, audio/thresholds GET PATCH
        auth/change-password POST, auth/login POST, auth/logout POST, auth/me GET
        auth/refresh POST, auth/sessions GET DELETE, auth/sessions/{session_id} DELETE
        auth/setup-status GET
        cameras GET POST, cameras/discover POST, cameras/discover/clear-cache POST
        cameras/discover/device POST, cameras/discover/device/status GET
        cameras/discover/status GET, cameras/discover/test POST, cameras/health GET
        cameras/stream/metrics GET, cameras/test POST, cameras/{camera_id} GET PUT DELETE
        cameras/{camera_id}/analyze POST, cameras/{camera_id}/audio PATCH
        cameras/{camera_id}/audio/status GET, cameras/{camera_id}/audio/test POST
        cameras/{camera_id}/disable-capture POST, cameras/{camera_id}/enable-capture POST
        cameras/{camera_id}/motion/config GET PUT, cameras/{camera_id}/motion/test POST
        cameras/{camera_id}/preview GET, cameras/{camera_id}/reconnect POST
        cameras/{camera_id}/schedule GET PUT, cameras/{camera_id}/schedule/status GET
        cameras/{camera_id}/stream/info GET, cameras/{camera_id}/stream/snapshot GET
        cameras/{camera_id}/test POST, cameras/{camera_id}/zones GET PUT
        cameras/{camera_id}/zones/test POST
        context/adjustments GET, context/adjustments/export GET, context/anomaly/score POST
        context/anomaly/score/{event_id} GET, context/embeddings/batch POST
        context/embeddings/stats GET, context/embeddings/{event_id} GET, context/entities GET POST
        context/entities/blocked GET, context/entities/merge POST, context/entities/vip GET
        context/entities/{entity_id} GET PUT DELETE, context/entities/{entity_id}/alert-rules GET
        context/entities/{entity_id}/events GET
        context/entities/{entity_id}/events/{event_id} DELETE
        context/entities/{entity_id}/thumbnail GET, context/events/{event_id}/entity POST
        context/faces DELETE, context/faces/stats GET, context/faces/{event_id} GET DELETE
        context/patterns/batch POST, context/patterns/{camera_id} GET
        context/patterns/{camera_id}/recalculate POST, context/persons GET
        context/persons/{person_id} GET PUT, context/similar/{event_id} GET
        context/vehicle-embeddings DELETE, context/vehicle-embeddings/stats GET
        context/vehicle-embeddings/{event_id} GET DELETE, context/vehicles GET
        context/vehicles/{vehicle_id} GET PUT
        devices GET POST, devices/inactive DELETE, devices/{device_id} DELETE
        devices/{device_id}/preferences PUT, devices/{device_id}/token PUT, devices/{id} PUT
        digests GET, digests/status GET, digests/trigger POST, digests/{digest_id} GET
        events GET POST, events/bulk DELETE, events/cleanup DELETE, events/export GET
        events/packages/today GET, events/reprocess-entities GET POST DELETE
        events/reprocess-entities/estimate POST, events/stats/aggregate GET
        events/{event_id} GET DELETE, events/{event_id}/feedback GET POST PUT DELETE
        events/{event_id}/frames GET, events/{event_id}/frames/{frame_number} GET
        events/{event_id}/query-suggestions GET, events/{event_id}/reanalyze POST
        events/{event_id}/smart-reanalyze POST, events/{event_id}/thumbnail GET
        events/{event_id}/video GET, events/{event_id}/video/download GET
        feedback/ab-test/results GET, feedback/prompt-history GET, feedback/prompt-insights GET
        feedback/prompt-insights/apply POST, feedback/stats GET
        homekit/cameras/{camera_id}/snapshot GET, homekit/cameras/{camera_id}/test-stream POST
        homekit/config GET, homekit/diagnostics GET, homekit/disable POST, homekit/enable POST
        homekit/pairings GET, homekit/pairings/{pairing_id} DELETE, homekit/qrcode GET
        homekit/reset POST, homekit/status GET, homekit/test-connectivity POST
        homekit/test-event POST
        integrations/homekit/enable PUT, integrations/homekit/reset POST
        integrations/homekit/status GET, integrations/mqtt/config GET PUT
        integrations/mqtt/publish-discovery POST, integrations/mqtt/status GET
        integrations/mqtt/test POST, integrations/mqtt/test-message POST
        logs GET, logs/download GET, logs/files GET
        metrics GET
        mobile/auth/confirm POST, mobile/auth/exchange POST, mobile/auth/pair POST
        mobile/auth/pending GET, mobile/auth/pending/{code} DELETE, mobile/auth/refresh POST
        mobile/auth/revoke POST, mobile/auth/status/{code} GET
        motion-events GET, motion-events/export GET, motion-events/stats GET
        motion-events/{event_id} GET DELETE
        notifications GET DELETE, notifications/mark-all-read PATCH
        notifications/{notification_id} DELETE, notifications/{notification_id}/read PATCH
        protect/controllers GET POST, protect/controllers/test POST
        protect/controllers/{controller_id} GET PUT DELETE
        protect/controllers/{controller_id}/cameras GET
        protect/controllers/{controller_id}/cameras/{camera_id}/disable POST
        protect/controllers/{controller_id}/cameras/{camera_id}/enable POST
        protect/controllers/{controller_id}/cameras/{camera_id}/filters PUT
        protect/controllers/{controller_id}/connect POST
        protect/controllers/{controller_id}/disconnect POST
        protect/controllers/{controller_id}/test POST, protect/test-clip-download POST
        push/preferences POST PUT, push/requirements GET, push/subscribe POST DELETE
        push/subscriptions GET, push/test POST, push/unsubscribe POST, push/vapid-public-key GET
        summaries GET, summaries/daily GET, summaries/generate POST, summaries/recent GET
        summaries/{summary_id} GET, summaries/{summary_id}/feedback GET POST PUT DELETE
        system-notifications GET DELETE, system-notifications/mark-all-read PATCH
        system-notifications/{notification_id} DELETE
        system-notifications/{notification_id}/dismiss PATCH
        system-notifications/{notification_id}/read PATCH
        system/ai-context-usage-stats GET, system/ai-cost-status GET, system/ai-cost-trends GET
        system/ai-models GET, system/ai-models/{provider} PUT, system/ai-processing-hot GET
        system/ai-processing-hot-stream GET, system/ai-processing-recent GET
        system/ai-processing-snapshot GET, system/ai-processing-stats GET
        system/ai-processing-stream GET, system/ai-providers GET, system/ai-resilience GET
        system/ai-resilience/{provider} PUT, system/ai-resilience/{provider}/reset POST
        system/ai-stats GET, system/ai-usage GET, system/backup POST, system/backup/list GET
        system/backup/validate POST, system/backup/{timestamp} DELETE
        system/backup/{timestamp}/download GET, system/data DELETE, system/restore POST
        system/retention GET PUT, system/settings GET PUT, system/smtp/settings GET PUT
        system/smtp/test POST, system/ssl-status GET, system/storage GET, system/test-key POST
        system/tunnel/start POST, system/tunnel/status GET, system/tunnel/stop POST
        system/tunnel/test POST
        thumbnails/{date}/{filename} GET
        users GET POST, users/{user_id} GET PUT DELETE, users/{user_id}/reset POST
        voice/help GET, voice/query POST
        webhooks/logs GET, webhooks/logs/export GET, webhooks/test POST
        /health GET
        /metrics GET
        """

    private static let mobile = """
        mobile/auth/pair POST, mobile/auth/refresh POST, mobile/auth/verify POST
        mobile/cameras GET, mobile/cameras/{camera_id}/snapshot GET, mobile/events GET
        mobile/events/recent GET, mobile/events/{event_id} GET
        mobile/events/{event_id}/thumbnail GET, mobile/push/register POST
        mobile/push/unregister DELETE
        """

    private static let documented = """
        auth/change-password POST, auth/login POST, auth/logout POST, auth/me GET
        auth/refresh POST, auth/setup-status GET
        cameras GET, cameras/{camera_id}/snapshot GET
        devices GET, devices/pair POST, devices/{id} GET DELETE, devices/{id}/rename PUT
        events GET, events/{event_id} GET, events/{event_id}/thumbnail GET
        health GET
        push/mobile/preferences POST PUT, push/mobile/register POST
        push/mobile/tokens/{device_id} PUT DELETE, push/preferences POST PUT, push/subscribe POST
        push/vapid-public-key GET
        """
}
