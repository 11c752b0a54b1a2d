package import ArgusCore
package import ArgusEvents
package import ArgusTransport

/// The routes by which a server tells how it is; only today's server has them.
package enum HealthRoutes {
    /// What the server says of itself, without a sign-in.
    package static let health = Operation<Void, ServerHealth>(
        "health", feature: "a report about itself",
        Route(.current) {
            RouteRequest(.get, "/health").withoutCredential.with { $0.isSecondary = true }
        } decode: { answer throws(APIError) in
            ServerHealth(
                try ResponseBody.parse(answer), date: answer.headers["date"].flatMap(HTTPDate.parse)
            )
        })

    /// The numbers that the server reports for monitoring, without a sign-in.
    package static let metrics = Operation<Void, ServerMetrics>(
        "metrics", feature: "numbers for monitoring",
        Route(.current) {
            RouteRequest(.get, "/metrics").withoutCredential.with { request in
                request.accept = "text/plain"
                request.isSecondary = true
            }
        } decode: { answer throws(APIError) in
            try ServerMetrics(answer.body).orMalformed(
                "the answer to '/metrics' has no metrics", in: answer)
        })

    /// The state of the pipeline that captures pictures and describes events.
    package static let pipeline = Operation<Void, ServerPipeline>(
        "metrics.pipeline", feature: "a report about its pipeline",
        Route(.current) {
            RouteRequest(.get, "/api/v1/metrics").with { $0.isSecondary = true }
        } decode: { answer throws(APIError) in
            ServerPipeline(try ResponseBody.parse(answer))
        })

    /// Why the server has paused descriptions; nil if it has not.
    ///
    ///     {"daily_cost":0.0,"daily_cap":1.0,"is_paused":true,"pause_reason":"cost_cap_daily"}
    package static let pause = Operation<Void, String?>(
        "ai.cost", feature: "the cost of descriptions",
        Route(.current) {
            RouteRequest(.get, "/api/v1/system/ai-cost-status").with { $0.isSecondary = true }
        } decode: { answer throws(APIError) in
            let body = try ResponseBody.parse(answer)
            guard body["is_paused"]?.bool == true else { return nil }
            return body["pause_reason"]?.string ?? "without a reason"
        })
}

/// What a server says of itself.
///
///     {"status":"healthy","protect_ws":{"controller_name":"Dream Machine","is_healthy":true,
///      "state":"connected","last_message_age_seconds":2}}
package struct ServerHealth: Sendable, Equatable {
    /// The connection to a Protect controller.
    package struct Protect: Sendable, Equatable {
        /// Nil if the server does not say.
        package var controller: String?
        /// `connected`, `disconnected` and the like.
        package var state: String?
        /// Seconds since the last message; nil if none came.
        package var silence: Double?
    }

    /// Nil if there was none since the server started.
    package var protect: Protect?
    /// The server's clock.
    package var date: Timestamp?

    init(_ body: JSONView, date: Timestamp?) {
        self.date = date
        guard let view = body["protect_ws"] else { return }
        let protect = Protect(
            controller: view["controller_name"]?.string, state: view["state"]?.string,
            silence: view["last_message_age_seconds"]?.double)
        if protect.controller != nil || protect.silence != nil { self.protect = protect }
    }
}

/// What a server says of its pipeline.
///
///     {"queue_depth":2,"cameras":{"83e8482b-…":{"status":"connected","worker_alive":true}}}
///
/// The metric `event_queue_depth` is always 0 on today's server.
package struct ServerPipeline: Sendable, Equatable {
    /// The events that wait for a description; nil if the server does not say.
    package var queue: Double?
    /// The state of capturing by the camera's id, without its details; Protect cameras are not among
    /// them.
    package var cameras: [String: CameraHealth] = [:]

    package init(_ body: JSONView) {
        queue = body["queue_depth"]?.double
        guard let listed = body["cameras"], listed.kind == .object else { return }
        listed.forEachMember { id, health in cameras[id.text] = CameraHealth(health) }
    }
}
