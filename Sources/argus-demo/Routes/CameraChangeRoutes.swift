/// The changes of cameras on today's server.
enum CameraChangeRoutes {
    /// Changes whether a camera is enabled; the server takes more.
    static func update(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let index = try CameraRoutes.find(request, state, asUUID: true)
        var body = try BodyReader(request)
        let isEnabled = body.flag("is_enabled")
        try body.finish()
        state.cameras[index].isEnabled = isEnabled ?? state.cameras[index].isEnabled
        state.cameras[index].updatedAt = request.now
        return .json(state.cameras[index].json(inList: false))
    }

    static func reconnect(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let camera = state.cameras[try CameraRoutes.find(request, state)]
        guard camera.isEnabled else {
            throw Refusal("Camera \(camera.id.text) is disabled. Enable it first.", status: 400)
        }
        let message =
            camera.isReachable
            ? "Camera reconnected successfully" : "Failed to reconnect camera"
        return .json(["success": .bool(camera.isReachable), "message": .text(message)])
    }

    static func setCapture(isDisabled: Bool) -> Route.Handler {
        { request, state throws(Refusal) in
            let index = try CameraRoutes.find(request, state)
            state.cameras[index].isCaptureDisabled = isDisabled
            return .json([
                "success": true,
                "message": .text("Camera capture \(isDisabled ? "disabled" : "enabled")"),
                "capture_disabled": .bool(isDisabled),
            ])
        }
    }
}
