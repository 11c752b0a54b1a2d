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
            "protect_ws": [
                "state": "connected", "is_healthy": true,
                "last_message_at": .text(request.now.offsetText), "reconnect_attempts": 0,
                "controller_name": "Demo Protect", "last_error": nil,
                "last_message_age_seconds": 0.5,
            ],
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
