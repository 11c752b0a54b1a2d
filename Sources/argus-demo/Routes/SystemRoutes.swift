/// The health and API description of the server.
enum SystemRoutes {
    static func root(_ request: Request, _ state: inout State) -> Answer {
        .json(["name": "ArgusAI API", "version": "1.0.0", "status": "running"])
    }

    static func health(_ request: Request, _ state: inout State) -> Answer {
        .json([
            "status": "healthy",
            "camera_count": .integer(state.cameras.count { $0.isEnabled }),
            "secrets_configured": true,
            "protect_ws": protect(state, now: request.now),
        ])
    }

    private static func protect(_ state: State, now: Moment) -> JSON {
        let protect = state.settings.condition.protect
        let age = state.protectAge(now: now)
        let isConnected = protect == .connected || protect == .silent
        let time = age.map { JSON.number(Double(now.microseconds) / 1_000_000 - $0) }
        return [
            "state": isConnected ? "connected" : "disconnected",
            "is_healthy": .bool(protect == .connected), "last_message_at": time ?? .null,
            "reconnect_attempts": protect == .disconnected ? 7 : 0,
            "controller_name": protect == .none ? nil : "Demo Protect",
            "last_error": protect == .disconnected ? "Connection lost" : nil,
            "last_message_age_seconds": JSON(age.map { Int($0) }),
        ]
    }

    static func storage(_ request: Request, _ state: inout State) -> Answer {
        let count = state.events.rows.count
        let pictures = state.events.rows.count { $0.marks.contains(.thumbnail) }
        // Hundredths of a megabyte: 3 KB for a row, 8 KB for a picture.
        let (database, thumbnails) = (40 + count * 3 / 10, pictures * 8 / 10)
        return .json([
            "database_mb": .number(Double(database) / 100),
            "thumbnails_mb": .number(Double(thumbnails) / 100),
            "total_mb": .number(Double(database + thumbnails) / 100),
            "event_count": .integer(count),
        ])
    }

    /// Keeps events for 30 days, and cleans up at 2:00 UTC.
    static func retention(_ request: Request, _ state: inout State) -> Answer {
        let day = (request.now + 22 * 3600).dayText
        return .json([
            "retention_days": 30, "next_cleanup": .text("\(day)T02:00:00+00:00"),
            "forever": false,
        ])
    }

    /// The documents' `/api/v1/health`.
    static func documentedHealth(_ request: Request, _ state: inout State) -> Answer {
        .json(["status": "healthy", "version": "1.0.0"])
    }

    /// Returns a 404: these paths accept only WebSocket handshakes, without credentials.
    static func webSocketOnly(_ request: Request, _ state: inout State) -> Answer {
        .detail("Not Found", status: 404)
    }

    /// The paths left out of the description: its own, and that of WebSockets.
    private static let unlisted: Set<String> = ["/openapi.json", "/ws"]

    /// Describes every path of this server, with its methods.
    static func description(_ request: Request, _ state: inout State) -> Answer {
        var paths: [JSON.Member] = []
        for route in CurrentAPI.routes where !unlisted.contains(route.pattern) {
            let operation: JSON = [
                "responses": ["200": ["description": "Successful Response"]]
            ]
            let method = route.method.rawValue.lowercased()
            if let index = paths.firstIndex(where: { $0.name == route.pattern }) {
                paths[index].value = paths[index].value.setting(method, operation)
            } else {
                let methods = JSON.object([JSON.Member(name: method, value: operation)])
                paths.append(JSON.Member(name: route.pattern, value: methods))
            }
        }
        return .json([
            "openapi": "3.1.0",
            "info": [
                "title": "ArgusAI API", "description": "The routes of the demo server.",
                "version": "1.0.0",
            ],
            "paths": .object(paths),
        ])
    }
}
