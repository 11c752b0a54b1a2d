/// What tells that this is an ArgusAI server (backend-facts 9).
enum HealthRoutes {
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
                "last_message_at": .text(request.now.text(.offset)), "reconnect_attempts": 0,
                "controller_name": "Demo Protect", "last_error": nil,
                "last_message_age_seconds": 0.5,
            ],
        ])
    }

    /// The documents' `/api/v1/health`.
    static func documentedHealth(_ request: Request, _ state: inout State) -> Answer {
        .json(["status": "healthy", "version": "1.0.0"])
    }
}
