/// A metric with its description.
struct MetricFamily: Sendable {
    var name: String
    var kind: String
    var help: String
    /// True if it has no samples until a label has a value.
    var isLabelled: Bool

    /// All metrics of today's server, in its order.
    static let all: [MetricFamily] = source.split(separator: "\n").map { line in
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        let isLabelled = words[1].hasSuffix("{}")
        return MetricFamily(
            name: isLabelled ? String(words[1].dropLast(2)) : words[1], kind: words[0],
            help: words[2], isLabelled: isLabelled)
    }

    /// A line for each: kind, name, description.
    private static let source = """
        gauge app_info{} Application information
        counter http_requests_total{} Total HTTP requests
        histogram http_request_duration_seconds{} HTTP request duration in seconds
        gauge http_requests_in_progress{} Number of HTTP requests currently being processed
        counter events_processed_total{} Total events processed
        histogram event_processing_duration_seconds{} Event processing duration in seconds
        gauge event_queue_depth Current depth of event processing queue
        counter ai_processing_total{} Total events processed by the AIProcessingCoordinator
        histogram ai_processing_duration_seconds Full AI processing duration (from the \
        coordinator)
        counter ai_api_calls_total{} Total AI API calls
        histogram ai_api_duration_seconds{} AI API call duration in seconds
        counter ai_api_tokens_total{} Total tokens used in AI API calls
        counter ai_api_cost_total{} Estimated total cost of AI API calls in USD
        gauge ai_circuit_breaker_state{} Current state of AI provider circuit breaker \
        (0=Closed, 1=Open, 2=HalfOpen)
        counter ai_circuit_breaker_transitions_total{} Total number of circuit breaker state \
        transitions
        gauge protect_ws_connected Whether the UniFi Protect WebSocket is currently connected \
        (1 = connected, 0 = not connected)
        gauge protect_ws_last_message_age_seconds Seconds since last message received from \
        Protect WebSocket
        gauge ai_concurrent_in_flight Number of AI description requests currently in flight
        gauge cameras_connected Number of cameras currently connected
        gauge cameras_total Total number of configured cameras
        counter camera_frames_captured_total{} Total frames captured from cameras
        counter alerts_triggered_total{} Total alerts triggered
        counter webhooks_sent_total{} Total webhooks sent
        histogram webhook_duration_seconds Webhook delivery duration in seconds
        counter push_notifications_sent_total{} Total push notifications sent
        histogram push_notification_duration_seconds Push notification delivery duration in \
        seconds
        gauge push_subscriptions_active Number of active push subscriptions
        gauge mqtt_connection_status MQTT connection status (0=disconnected, 1=connected)
        counter mqtt_messages_published_total Total MQTT messages published
        counter mqtt_publish_errors_total Total MQTT publish errors
        counter mqtt_reconnect_attempts_total Total MQTT reconnect attempts
        gauge argusai_homekit_streams_active{} Number of active HomeKit camera streams
        gauge argusai_homekit_streams_total Total number of active HomeKit streams across all \
        cameras
        counter argusai_homekit_stream_starts_total{} Total HomeKit stream start attempts
        counter argusai_homekit_stream_rejections_total{} Total HomeKit stream rejections due \
        to concurrent limit
        counter argusai_homekit_snapshot_cache_hits_total{} Total HomeKit snapshot cache hits
        counter argusai_homekit_snapshot_cache_misses_total{} Total HomeKit snapshot cache \
        misses
        gauge argusai_tunnel_connected Cloudflare Tunnel connection status (0=disconnected, \
        1=connected)
        counter argusai_tunnel_reconnect_total Total Cloudflare Tunnel reconnection attempts
        gauge argusai_tunnel_uptime_seconds Cloudflare Tunnel uptime in seconds
        gauge system_cpu_usage_percent Current CPU usage percentage
        gauge system_memory_usage_percent Current memory usage percentage
        gauge system_memory_used_bytes Memory used in bytes
        gauge system_disk_usage_percent{} Disk usage percentage
        gauge system_disk_used_bytes{} Disk space used in bytes
        gauge app_uptime_seconds Application uptime in seconds
        histogram argusai_mcp_context_latency_seconds{} Time to gather MCP context
        counter argusai_mcp_cache_hits_total Number of MCP context cache hits
        counter argusai_mcp_cache_misses_total Number of MCP context cache misses
        counter argusai_mcp_context_timeouts_total Number of MCP context gathering timeouts
        gauge argusai_mcp_component_available{} Whether each MCP context component returned \
        data (1=yes, 0=no)
        gauge argusai_mcp_cache_hit_rate Current cache hit rate (0.0-1.0)
        """
}
